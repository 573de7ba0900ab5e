//! Whatever way a document is written, its canonical form is the same, and other programs agree.

use assent_json::{Canonicalizer, canonicalize};
use proptest::prelude::*;
use serde_json::Value;

fn json() -> impl Strategy<Value = Value> {
    let scalar = prop_oneof![
        Just(Value::Null),
        any::<bool>().prop_map(Value::from),
        (-9_007_199_254_740_991_i64..=9_007_199_254_740_991).prop_map(Value::from),
        any::<f64>().prop_filter("finite", |value| value.is_finite()).prop_map(Value::from),
        ".{0,12}".prop_map(Value::from),
        "[\u{0}-\u{1f}\"\\\\/\u{7f}\u{e000}\u{10000}]{0,6}".prop_map(Value::from),
    ];
    scalar.prop_recursive(5, 64, 8, |inner| {
        prop_oneof![
            proptest::collection::vec(inner.clone(), 0..8).prop_map(Value::from),
            proptest::collection::btree_map("[a-c\u{e9}\u{fb33}\u{1f602}\"\n]{0,3}", inner, 0..8)
                .prop_map(|members| Value::Object(members.into_iter().collect())),
        ]
    })
}

/// Writes a value as differently as JSON allows: members turned around, every character escaped,
/// white space everywhere, integers with a fraction.
fn write_strangely(value: &Value, out: &mut String) {
    let mut list = |open: char, close: char, parts: Vec<String>| {
        out.push(open);
        out.push_str(&parts.join(" ,\n\t"));
        out.push_str(" \r");
        out.push(close);
    };
    match value {
        Value::Array(elements) => list('[', ']', elements.iter().map(strangely).collect()),
        Value::Object(members) => {
            let mut parts: Vec<_> = members
                .iter()
                .map(|(key, value)| format!("{} : {}", escaped(key), strangely(value)))
                .collect();
            parts.reverse();
            list('{', '}', parts);
        }
        Value::String(text) => out.push_str(&escaped(text)),
        Value::Number(number) if number.is_i64() => out.push_str(&format!("{number}.0E0")),
        Value::Number(number) => out.push_str(&format!("{:.20e}", number.as_f64().unwrap())),
        other => out.push_str(&other.to_string()),
    }
}

fn strangely(value: &Value) -> String {
    let mut out = String::new();
    write_strangely(value, &mut out);
    out
}

fn escaped(text: &str) -> String {
    let units: String = text.encode_utf16().map(|unit| format!("\\u{unit:04X}")).collect();
    format!("\"{units}\"")
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(2_000))]

    #[test]
    fn two_ways_to_write_a_document_have_one_canonical_form(value in json()) {
        let plain = canonicalize(value.to_string().as_bytes()).unwrap();
        prop_assert_eq!(&canonicalize(strangely(&value).as_bytes()).unwrap(), &plain);
        prop_assert_eq!(&canonicalize(&plain).unwrap(), &plain);
    }

    #[test]
    fn an_independent_implementation_writes_the_same(value in json()) {
        let theirs = serde_json_canonicalizer::to_vec(&value).unwrap();
        let mut canonicalizer = Canonicalizer::default();
        for _ in 0..2 {
            let ours = canonicalizer.canonicalize(value.to_string().as_bytes()).unwrap();
            prop_assert_eq!(ours, &theirs[..]);
        }
    }

    #[test]
    fn no_bytes_make_the_reader_panic(bytes in proptest::collection::vec(any::<u8>(), 0..64)) {
        let _ = canonicalize(&bytes);
    }

    #[test]
    fn what_we_accept_a_lenient_reader_accepts_too(
        text in "[\\[\\]{}:,\"\\\\a-ctrufalsn0-9.eE+\\- ]{0,24}"
    ) {
        if canonicalize(text.as_bytes()).is_ok() {
            prop_assert!(serde_json::from_str::<Value>(&text).is_ok(), "{}", text);
        }
    }
}
