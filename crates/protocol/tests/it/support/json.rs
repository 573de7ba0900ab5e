//! Random JSON, and equality of JSON as JSON Schema sees it.

use serde_json::{Map, Number, Value};

/// Keys that our own shapes use, so that random objects now and then look like them.
const TEMPTING: [&str; 16] = [
    "type",
    "status",
    "at",
    "tool_id",
    "reason",
    "key",
    "mode",
    "uri",
    "artifact_id",
    "error_class",
    "retry_after",
    "message",
    "behavior",
    "destination",
    "source",
    "max_inline_chars",
];

/// A small random source; a run repeats from its seed.
pub(crate) struct Gen(pub u64);

impl Gen {
    pub(crate) fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mixed = (self.0 ^ (self.0 >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        let mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        mixed ^ (mixed >> 31)
    }

    pub(crate) fn below(&mut self, limit: u64) -> u64 {
        self.next() % limit
    }

    pub(crate) fn index(&mut self, len: usize) -> usize {
        usize::try_from(self.below(len as u64)).unwrap()
    }

    pub(crate) fn one_in(&mut self, n: u64) -> bool {
        self.below(n) == 0
    }

    pub(crate) fn text(&mut self) -> String {
        const PIECES: [&str; 12] = [
            "",
            "a",
            "Ω",
            " ",
            "\n",
            "\"",
            "tool",
            "0",
            "\u{0}",
            "🙂",
            "inv_",
            "2026-05-08T00:00:00Z",
        ];
        (0..self.below(4)).map(|_| PIECES[self.index(PIECES.len())]).collect()
    }

    pub(crate) fn number(&mut self) -> Number {
        match self.below(6) {
            0 => Number::from(0),
            1 => Number::from(-5),
            2 => Number::from(u64::MAX),
            3 => Number::from_f64(0.25).unwrap(),
            4 => Number::from_f64(3.0).unwrap(),
            _ => Number::from(self.below(1000)),
        }
    }

    pub(crate) fn value(&mut self, depth: u32) -> Value {
        match self.below(if depth == 0 { 4 } else { 6 }) {
            0 => Value::Null,
            1 => Value::Bool(self.one_in(2)),
            2 => Value::Number(self.number()),
            3 => Value::String(self.text()),
            4 => (0..self.below(3)).map(|_| self.value(depth - 1)).collect(),
            _ => Value::Object(self.object(depth - 1)),
        }
    }

    pub(crate) fn object(&mut self, depth: u32) -> Map<String, Value> {
        (0..self.below(4))
            .map(|_| {
                let key = if self.one_in(3) {
                    self.text()
                } else {
                    TEMPTING[self.index(TEMPTING.len())].to_owned()
                };
                (key, self.value(depth))
            })
            .collect()
    }
}

/// The same JSON with every whole number written as an integer: `1.0` and `1` are one number.
pub(crate) fn normal(value: &Value) -> Value {
    match value {
        Value::Number(number) => match number.as_f64() {
            #[expect(clippy::cast_possible_truncation, reason = "only whole numbers below 2^53")]
            Some(float) if float.fract() == 0.0 && float.abs() < 9e15 => (float as i64).into(),
            _ => value.clone(),
        },
        Value::Array(items) => items.iter().map(normal).collect(),
        Value::Object(fields) => {
            fields.iter().map(|(key, value)| (key.clone(), normal(value))).collect()
        }
        _ => value.clone(),
    }
}
