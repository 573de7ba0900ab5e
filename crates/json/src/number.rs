//! Numbers: which ones are accepted, and how they are written in canonical form.

use crate::ReadErrorKind;

/// Integers of up to this many digits are doubles, and are written as they stand.
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
        self.text.parse().ok()
    }

    /// The value, if it is an integer in this range.
    #[must_use]
    pub fn as_i64(&self) -> Option<i64> {
        self.text.parse().ok()
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
    /// True if the literal needs no look at its value: it is canonical as it stands.
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
