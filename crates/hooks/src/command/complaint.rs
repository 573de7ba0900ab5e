//! What a process says on its standard error, as a part of a sentence.

use std::fmt;

use assent_json::visible;

/// So much of it is kept.
pub(super) const MAX_BYTES: usize = 4096;

/// The beginning of what a process said, on one line and without anything that a terminal acts upon.
#[derive(Debug, Default, PartialEq, Eq)]
pub(super) struct Complaint(String);

impl Complaint {
    /// From the first bytes; `goes_on` if there were more.
    pub(super) fn new(bytes: &[u8], goes_on: bool) -> Self {
        let text = String::from_utf8_lossy(bytes);
        let words: Vec<&str> = text.split_ascii_whitespace().collect();
        let ellipsis = if goes_on { " …" } else { "" };
        Self(format!("{}{ellipsis}", visible(&words.join(" "))))
    }

    /// The text, if there is any.
    pub(super) fn into_text(self) -> Option<String> {
        (!self.0.is_empty()).then_some(self.0)
    }
}

impl fmt::Display for Complaint {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.0.is_empty() { Ok(()) } else { write!(f, ": {}", self.0) }
    }
}

#[cfg(test)]
mod tests {
    use super::Complaint;

    #[test]
    fn a_complaint_is_one_harmless_line() {
        let complaint = Complaint::new(b"  Traceback:\n\tline 1\r\n\x1b[31mred\xff\0\n", false);
        assert_eq!(complaint.to_string(), ": Traceback: line 1 \\u{1b}[31mred\u{fffd}\\u{0}");
        assert_eq!(Complaint::new(b"a", true).into_text().as_deref(), Some("a …"));
    }

    #[test]
    fn silence_is_no_complaint() {
        let complaint = Complaint::new(b" \n", false);
        assert_eq!(complaint.to_string(), "");
        assert_eq!(complaint.into_text(), None);
    }
}
