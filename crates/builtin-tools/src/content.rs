//! Bytes as JSON strings.

use base64::{Engine, engine::general_purpose::STANDARD};
use serde::{Deserialize, Serialize};

/// The most bytes that a tool reads for one result.
pub(crate) const MAX_READ: usize = 512 * 1024;

/// The longest string of a result as it is written in JSON, in bytes. A result has at most 700 KiB, and
/// [`MAX_READ`] bytes fit as base64.
const MAX_WRITTEN: usize = 700_000;

/// How bytes are written.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) enum Encoding {
    #[default]
    #[serde(rename = "utf-8")]
    Utf8,
    #[serde(rename = "latin-1")]
    Latin1,
    #[serde(rename = "base64")]
    Base64,
}

/// Written bytes.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Content {
    pub(crate) text: String,
    pub(crate) encoding: Encoding,
    /// Whether there are more bytes than the text has.
    pub(crate) truncated: bool,
}

impl Content {
    /// Writes at most [`MAX_READ`] bytes. Bytes that are not UTF-8 are written as base64. If more bytes follow,
    /// a character that is cut at the end is left out.
    pub(crate) fn write(bytes: &[u8], encoding: Encoding, more: bool) -> Self {
        match encoding {
            Encoding::Utf8 => match utf8(bytes, more) {
                Some(text) => Self::text(text.chars(), encoding, more || text.len() < bytes.len()),
                None => Self::base64(bytes, more),
            },
            Encoding::Latin1 => Self::text(bytes.iter().map(|&byte| byte.into()), encoding, more),
            Encoding::Base64 => Self::base64(bytes, more),
        }
    }

    fn text(characters: impl Iterator<Item = char>, encoding: Encoding, more: bool) -> Self {
        let (mut text, mut written) = (String::new(), 0);
        for character in characters {
            written += written_length(character);
            if written > MAX_WRITTEN {
                return Self { text, encoding, truncated: true };
            }
            text.push(character);
        }
        Self { text, encoding, truncated: more }
    }

    fn base64(bytes: &[u8], more: bool) -> Self {
        Self { text: STANDARD.encode(bytes), encoding: Encoding::Base64, truncated: more }
    }
}

fn utf8(bytes: &[u8], more: bool) -> Option<&str> {
    match std::str::from_utf8(bytes) {
        Ok(text) => Some(text),
        Err(error) if more && error.error_len().is_none() && error.valid_up_to() > 0 => {
            std::str::from_utf8(bytes.get(..error.valid_up_to())?).ok()
        }
        Err(_) => None,
    }
}

/// The length of a character in a JSON string.
fn written_length(character: char) -> usize {
    match character {
        '"' | '\\' | '\n' | '\r' | '\t' | '\u{8}' | '\u{c}' => 2,
        '\0'..='\u{1f}' => 6,
        _ => character.len_utf8(),
    }
}

#[cfg(test)]
mod tests {
    use super::{Content, Encoding, MAX_READ, MAX_WRITTEN};

    fn written(bytes: &[u8], encoding: Encoding, more: bool) -> (String, Encoding, bool) {
        let content = Content::write(bytes, encoding, more);
        (content.text, content.encoding, content.truncated)
    }

    #[test]
    fn bytes_are_written_as_asked_and_as_base64_if_they_are_not_utf_8() {
        use Encoding::{Base64, Latin1, Utf8};
        for (bytes, asked, more, text, encoding) in [
            ("é".as_bytes(), Utf8, false, "é", Utf8),
            ("é".as_bytes(), Latin1, false, "Ã©", Latin1),
            ("é".as_bytes(), Base64, true, "w6k=", Base64),
            (b"\xff", Utf8, false, "/w==", Base64),
            (b"", Utf8, false, "", Utf8),
            // The rest of a character comes with the bytes that follow.
            (b"a\xc3", Utf8, true, "a", Utf8),
            (b"a\xc3", Utf8, false, "YcM=", Base64),
            // Otherwise a reader of single bytes would get nothing, again and again.
            (b"\xc3", Utf8, true, "ww==", Base64),
        ] {
            assert_eq!(written(bytes, asked, more), (text.to_owned(), encoding, more), "{bytes:?}");
        }
    }

    #[test]
    fn a_text_is_cut_where_its_json_becomes_too_long() {
        let limit = |bytes: &[u8], encoding| written(bytes, encoding, false);
        for (byte, length) in [(b'a', 1), (b'\n', 2), (0, 6)] {
            let fits = MAX_WRITTEN / length;
            let (text, _, truncated) = limit(&vec![byte; fits], Encoding::Utf8);
            assert_eq!((text.len(), truncated), (fits, false));
            let (text, _, truncated) = limit(&vec![byte; fits + 1], Encoding::Utf8);
            assert_eq!((text.len(), truncated), (fits, true));
        }
        let (text, _, truncated) = limit(&vec![0xff; MAX_READ], Encoding::Latin1);
        assert_eq!((text.chars().count(), truncated), (MAX_WRITTEN / 2, true));
        let (text, _, truncated) = limit(&vec![0xff; MAX_READ], Encoding::Base64);
        assert!(text.len() <= MAX_WRITTEN && !truncated);
    }
}
