//! Numbers: which are accepted, and their canonical form.

use crate::ReadErrorKind;

/// Integers of up to this many digits are doubles, and are canonical as they are.
const ALWAYS_EXACT_DIGITS: usize = 15;

/// A number of a document, in canonical form.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Number<'d> {
    text: &'d str,
}

impl<'d> Number<'d> {
    pub(crate) fn new(text: &'d str) -> Self {
        Self { text }
    }

    /// The canonical text: `1.0` reads as `1`.
    #[must_use]
    pub fn as_str(&self) -> &'d str {
        self.text
    }

    /// The value, if it is an integer in this range.
    #[must_use]
    pub fn as_u64(&self) -> Option<u64> {
        self.as_integer().and_then(|integer| u64::try_from(integer).ok())
    }

    /// The value, if it is an integer in this range.
    #[must_use]
    pub fn as_i64(&self) -> Option<i64> {
        self.as_integer().and_then(|integer| i64::try_from(integer).ok())
    }

    /// The value, if it is an integer of up to 21 digits.
    fn as_integer(&self) -> Option<i128> {
        let integer: i128 = self.text.parse().ok()?;
        if self.text.len() <= ALWAYS_EXACT_DIGITS {
            return Some(integer);
        }
        // The canonical text of a large one has zeros where the double has other digits: 2^63 is written
        // as 9223372036854776000.
        #[expect(clippy::cast_possible_truncation, reason = "it has at most 21 digits")]
        let exact = self.as_f64() as i128;
        Some(exact)
    }

    /// The value.
    #[must_use]
    pub fn as_f64(&self) -> f64 {
        // INVARIANT: the reader has parsed every number as a double before.
        self.text.parse().unwrap_or(f64::NAN)
    }

    /// True for `3` and `1e30`, false for `0.5`.
    #[must_use]
    pub fn is_integer(&self) -> bool {
        // A canonical number has at most 17 digits, and `e+` stands only before 21 and above.
        self.text.contains("e+") || !self.text.contains(['.', 'e'])
    }
}

/// The grammatical parts of a number literal.
pub(crate) struct Literal {
    pub(crate) digits: usize,
    pub(crate) negative: bool,
    pub(crate) integer: bool,
    pub(crate) leading_zero: bool,
}

impl Literal {
    /// Returns `true` if the literal is canonical whatever its value.
    pub(crate) fn is_canonical(&self) -> bool {
        let minus_zero = self.negative && self.leading_zero;
        self.integer && self.digits <= ALWAYS_EXACT_DIGITS && !minus_zero
    }
}

/// Appends the canonical form of `literal` to `out`.
pub(crate) fn write_canonical(
    literal: &str,
    integer: bool,
    out: &mut String,
) -> Result<(), ReadErrorKind> {
    let value: f64 = literal.parse().map_err(|_| ReadErrorKind::Expected("a number"))?;
    if !value.is_finite() {
        return Err(ReadErrorKind::NumberOutOfRange);
    }
    let mut buffer = ryu_js::Buffer::new();
    let canonical = buffer.format_finite(value);
    // 2^53 + 1 would silently become 2^53, and two different documents one hash.
    if integer && canonical != literal && value != 0.0 && format!("{value:.0}") != literal {
        return Err(ReadErrorKind::IntegerNotExact);
    }
    out.push_str(canonical);
    Ok(())
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use crate::Json;

    fn read(text: &str) -> Json {
        Json::read(text).unwrap()
    }

    #[test]
    fn large_integers_are_the_doubles_that_they_stand_for() {
        for (text, value) in [
            ("9007199254740992", 1 << 53),
            ("9223372036854775808", 1 << 63),
            ("18446744073709549568", u64::MAX - 2047),
        ] {
            let json = read(text);
            let number = json.root().as_number().unwrap();
            assert_eq!(number.as_u64(), Some(value), "{text}");
            assert_eq!(number.to_value(), serde_json::Value::from(value), "{text}");
        }
        let json = read("-9223372036854775808");
        assert_eq!(json.root().as_number().unwrap().as_i64(), Some(i64::MIN));
        for beyond in ["18446744073709551616", "1e21", "0.5", "-1"] {
            assert_eq!(read(beyond).root().as_number().unwrap().as_u64(), None, "{beyond}");
        }
    }

    proptest! {
        #[test]
        fn an_integer_means_the_same_as_text_as_double_and_as_integer(
            mantissa in 0_u64..1 << 53,
            shift in 0_u32..11,
            negative: bool,
        ) {
            let integer = i128::from(mantissa) << shift;
            let integer = if negative { -integer } else { integer };
            let json = read(&integer.to_string());
            let number = json.root().as_number().unwrap();
            prop_assert_eq!(number.as_u64(), u64::try_from(integer).ok());
            prop_assert_eq!(number.as_i64(), i64::try_from(integer).ok());
            prop_assert_eq!(number.as_f64(), integer as f64);
            prop_assert_eq!(Json::from_value(&json.to_value()).unwrap(), json);
        }
    }
}
