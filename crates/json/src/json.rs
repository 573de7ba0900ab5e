//! Shared immutable JSON values.

use std::{
    fmt,
    sync::{Arc, OnceLock},
};

use serde::{Deserialize, Deserializer, Serialize, Serializer, de, ser};
use serde_json::{Value, value::RawValue};

use crate::{Digest, Document, MAX_DOCUMENT_BYTES, Node, ReadError, Tape, read};

/// A JSON value with its source text. Clones share it; the digest is computed once.
///
/// Two values are equal if they have the same canonical form.
///
/// ```
/// use assent_json::Json;
///
/// let arguments = Json::read(r#"{"path": "notes.txt"}"#)?;
/// let path = arguments.root().get("path").and_then(|node| node.as_str());
/// assert_eq!(path, Some("notes.txt"));
/// assert_eq!(arguments, Json::read("{\"path\":\"notes\\u002etxt\"}")?);
/// # Ok::<(), assent_json::ReadError>(())
/// ```
#[derive(Clone)]
pub struct Json(Arc<Inner>);

struct Inner {
    document: Document<'static>,
    digest: OnceLock<Digest>,
}

impl Json {
    /// Reads a text.
    ///
    /// # Errors
    ///
    /// As for [`read`].
    pub fn read(text: impl Into<String>) -> Result<Self, ReadError> {
        let text = text.into();
        let tape = read(text.as_bytes())?.into_tape();
        let document = Document::owned(text, tape);
        Ok(Self(Arc::new(Inner { document, digest: OnceLock::new() })))
    }

    /// Serializes and reads a value.
    ///
    /// # Errors
    ///
    /// If the value is nested too deep, or contains an integer that no double represents.
    pub fn from_value(value: &Value) -> Result<Self, ReadError> {
        Self::read(value.to_string())
    }

    /// Creates a string.
    ///
    /// # Errors
    ///
    /// If the text is longer than a document may be.
    pub fn string(text: &str) -> Result<Self, ReadError> {
        let is_verbatim = |byte: u8| byte >= b' ' && byte != b'"' && byte != b'\\';
        if text.len() > MAX_DOCUMENT_BYTES - 2 || !text.bytes().all(is_verbatim) {
            return Self::read(Value::from(text).to_string());
        }
        // The only entry is known, so the text is not parsed.
        let document = Document::owned(["\"", text, "\""].concat(), Tape::of_string(text.len()));
        Ok(Self(Arc::new(Inner { document, digest: OnceLock::new() })))
    }

    /// The value `null`.
    #[must_use]
    pub fn null() -> Self {
        let tape = read(b"null").map(Document::into_tape).unwrap_or_default();
        let document = Document::owned("null".to_owned(), tape);
        Self(Arc::new(Inner { document, digest: OnceLock::new() }))
    }

    /// The outermost value.
    #[must_use]
    pub fn root(&self) -> Node<'_> {
        self.0.document.root()
    }

    /// The text that was read.
    #[must_use]
    pub fn text(&self) -> &str {
        self.0.document.source()
    }

    /// The SHA-256 of the canonical form.
    #[must_use]
    pub fn digest(&self) -> Digest {
        *self.0.digest.get_or_init(|| Digest::of(&self.0.document.canonical()))
    }

    /// A copy as a tree.
    #[must_use]
    pub fn to_value(&self) -> Value {
        self.root().to_value()
    }

    /// Returns `true` if both share the same memory. They are equal then; otherwise they may still be equal.
    #[must_use]
    pub fn is_same(&self, other: &Self) -> bool {
        Arc::ptr_eq(&self.0, &other.0)
    }
}

impl PartialEq for Json {
    fn eq(&self, other: &Self) -> bool {
        self.is_same(other) || self.digest() == other.digest()
    }
}

impl Eq for Json {}

/// Shows only the digest, because arguments may contain secrets.
impl fmt::Debug for Json {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Json({})", self.digest())
    }
}

impl Serialize for Json {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        // The text was accepted by the strict reader.
        let raw: &RawValue = serde_json::from_str(self.text()).map_err(ser::Error::custom)?;
        raw.serialize(serializer)
    }
}

impl<'de> Deserialize<'de> for Json {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let raw = Box::<RawValue>::deserialize(deserializer)?;
        Self::read(String::from(Box::<str>::from(raw))).map_err(de::Error::custom)
    }
}

#[cfg(test)]
mod tests {
    use super::Json;

    #[test]
    fn a_value_survives_being_stored_with_its_spelling() {
        let value = Json::read(r#"{"b": 1.50, "a": ["\u20ac"]}"#).unwrap();
        let stored = serde_json::to_string(&value).unwrap();
        let restored: Json = serde_json::from_str(&stored).unwrap();
        assert_eq!(restored.text(), value.text());
        assert_eq!(restored.digest(), value.digest());
    }

    #[test]
    fn a_string_is_what_reading_its_text_gives() {
        for text in
            ["", "plain", "a \"quoted\" word", "two\nlines", "back\\slash", "\u{1}", "é字🦀"]
        {
            let value = Json::string(text).unwrap();
            assert_eq!(value.root().as_str(), Some(text));
            let read = Json::read(serde_json::to_string(text).unwrap()).unwrap();
            assert_eq!((value.text(), value.digest()), (read.text(), read.digest()));
        }
    }

    #[test]
    fn values_are_compared_by_meaning() {
        let value = Json::read(r#"{"a":1,"b":2}"#).unwrap();
        assert_eq!(value, Json::read(r#"{ "b": 2.0, "a": 1 }"#).unwrap());
        assert_ne!(value, Json::read(r#"{"a":1,"b":3}"#).unwrap());
    }

    #[test]
    fn a_debug_print_shows_no_value() {
        let value = Json::read(r#"{"token":"planted"}"#).unwrap();
        assert!(!format!("{value:?}").contains("planted"));
    }
}
