//! Compiled regular expressions.

use regex::Regex;

/// A regular expression, matched in linear time. Patterns with the same text are equal.
#[derive(Clone, Debug)]
pub struct Pattern(Regex);

/// The most memory of one compiled pattern, as for the patterns of schemas.
const PATTERN_BYTES: usize = 1 << 20;

impl Pattern {
    /// Compiles a pattern; `None` if it is not valid or needs too much memory.
    pub(crate) fn compile(text: &str) -> Option<Self> {
        let mut builder = regex::RegexBuilder::new(text);
        builder.size_limit(PATTERN_BYTES).dfa_size_limit(PATTERN_BYTES).build().ok().map(Self)
    }

    /// Returns the pattern as it was written.
    #[must_use]
    pub fn as_str(&self) -> &str {
        self.0.as_str()
    }

    /// Returns `true` if it matches somewhere in `text`.
    #[must_use]
    pub fn matches(&self, text: &str) -> bool {
        self.0.is_match(text)
    }
}

impl PartialEq for Pattern {
    fn eq(&self, other: &Self) -> bool {
        self.as_str() == other.as_str()
    }
}
