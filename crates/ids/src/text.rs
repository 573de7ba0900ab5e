//! Short texts that are copied often.

use std::{
    fmt::{self, Write as _},
    sync::Arc,
};

use serde::{Deserialize, Deserializer, Serialize, Serializer};

/// An id that we make has 30 characters, a time 24: most texts fit.
const ROOM: usize = 30;

/// A text that never changes. Up to 30 bytes need no memory of their own; longer ones are shared by
/// their copies.
#[derive(Clone)]
pub struct Text(Form);

#[derive(Clone)]
enum Form {
    /// INVARIANT: the first `length` bytes are UTF-8.
    Short {
        length: u8,
        bytes: [u8; ROOM],
    },
    Long(Arc<str>),
}

impl Text {
    /// The text.
    #[must_use]
    pub fn as_str(&self) -> &str {
        match &self.0 {
            Form::Short { length, bytes } => {
                let bytes = bytes.get(..usize::from(*length)).unwrap_or_default();
                std::str::from_utf8(bytes).unwrap_or_default()
            }
            Form::Long(text) => text,
        }
    }

    /// The texts one after the other.
    pub(crate) fn joined(first: &str, second: &str) -> Self {
        let mut short = Short { length: 0, bytes: [0; ROOM] };
        match short.write_str(first).and_then(|()| short.write_str(second)) {
            Ok(()) => Self(Form::Short { length: short.length, bytes: short.bytes }),
            Err(fmt::Error) => Self(Form::Long([first, second].concat().into())),
        }
    }

    /// What something displays as, written down without a detour if it is short.
    #[must_use]
    pub fn of(displayed: &impl fmt::Display) -> Self {
        let mut short = Short { length: 0, bytes: [0; ROOM] };
        match fmt::write(&mut short, format_args!("{displayed}")) {
            Ok(()) => Self(Form::Short { length: short.length, bytes: short.bytes }),
            Err(fmt::Error) => Self(Form::Long(displayed.to_string().into())),
        }
    }
}

/// A text on its way; too much of it is an error.
struct Short {
    length: u8,
    bytes: [u8; ROOM],
}

impl fmt::Write for Short {
    fn write_str(&mut self, part: &str) -> fmt::Result {
        let from = usize::from(self.length);
        let to = from + part.len();
        self.bytes.get_mut(from..to).ok_or(fmt::Error)?.copy_from_slice(part.as_bytes());
        self.length = u8::try_from(to).map_err(|_| fmt::Error)?;
        Ok(())
    }
}

impl From<&str> for Text {
    fn from(text: &str) -> Self {
        Self::joined(text, "")
    }
}

impl From<&Arc<str>> for Text {
    fn from(text: &Arc<str>) -> Self {
        if text.len() <= ROOM { (&**text).into() } else { Self(Form::Long(Arc::clone(text))) }
    }
}

impl From<String> for Text {
    fn from(text: String) -> Self {
        if text.len() <= ROOM { text.as_str().into() } else { Self(Form::Long(text.into())) }
    }
}

impl PartialEq for Text {
    fn eq(&self, other: &Self) -> bool {
        self.as_str() == other.as_str()
    }
}

impl Eq for Text {}

impl PartialOrd for Text {
    fn partial_cmp(&self, other: &Self) -> Option<std::cmp::Ordering> {
        Some(self.cmp(other))
    }
}

impl Ord for Text {
    fn cmp(&self, other: &Self) -> std::cmp::Ordering {
        self.as_str().cmp(other.as_str())
    }
}

impl std::hash::Hash for Text {
    fn hash<H: std::hash::Hasher>(&self, state: &mut H) {
        self.as_str().hash(state);
    }
}

impl fmt::Display for Text {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.as_str())
    }
}

impl fmt::Debug for Text {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Debug::fmt(self.as_str(), f)
    }
}

impl Serialize for Text {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(self.as_str())
    }
}

impl<'de> Deserialize<'de> for Text {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        String::deserialize(deserializer).map(Self::from)
    }
}

#[cfg(test)]
mod tests {
    use super::{ROOM, Text};

    #[test]
    fn texts_of_every_length_come_back_as_they_were() {
        for length in 0..2 * ROOM {
            for letter in ["x", "é", "字", "🙂"] {
                let text = letter.repeat(length);
                assert_eq!(Text::from(text.as_str()).as_str(), text);
                assert_eq!(Text::from(text.clone()).as_str(), text);
                assert_eq!(Text::of(&text), Text::from(text));
            }
        }
    }

    #[test]
    fn a_text_takes_no_more_room_than_four_words() {
        assert_eq!(size_of::<Text>(), 32);
        assert_eq!(size_of::<Option<Text>>(), 32);
    }
}
