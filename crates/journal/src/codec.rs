//! Facts as JSON, in both directions.

use serde::{Serialize, de::DeserializeOwned};

/// The maximum nesting depth of a line. Documents may be 128 levels deep, and records add a few levels. The limit of
/// the JSON library is lower, so it is turned off and this one applies instead.
const MAX_DEPTH: usize = 192;

/// Where a text could not be read. The message of the JSON library would quote the text, so only the position is
/// reported.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("it cannot be read at character {column}")]
pub(crate) struct Unreadable {
    column: usize,
}

/// Writes `value` as JSON at the end of `text`, unless it could not be read again.
pub(crate) fn write(text: &mut Vec<u8>, value: &impl Serialize) -> Result<(), Unwritable> {
    let begin = text.len();
    serde_json::to_writer(&mut *text, value).map_err(|_| Unwritable)?;
    let written = text.get(begin..).unwrap_or_default();
    if too_deep(written).is_some() { Err(Unwritable) } else { Ok(()) }
}

/// A value that has no JSON form, or one that is nested too deep.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("a fact cannot be written as JSON, or is nested too deep")]
pub(crate) struct Unwritable;

/// Reads what was written as JSON.
pub(crate) fn read<T: DeserializeOwned>(text: &[u8]) -> Result<T, Unreadable> {
    if let Some(column) = too_deep(text) {
        return Err(Unreadable { column });
    }
    let mut reader = serde_json::Deserializer::from_slice(text);
    reader.disable_recursion_limit();
    let value = T::deserialize(&mut reader).and_then(|value| reader.end().map(|()| value));
    value.map_err(|error| Unreadable { column: error.column() })
}

/// The first position that is nested too deep. The answer is arbitrary for a text that is not JSON.
fn too_deep(text: &[u8]) -> Option<usize> {
    // A text with few brackets is not nested too deep, and counting them is fast.
    if text.iter().filter(|byte| matches!(byte, b'[' | b'{')).count() <= MAX_DEPTH {
        return None;
    }
    let (mut depth, mut in_text, mut escaped) = (0_usize, false, false);
    for (at, byte) in text.iter().enumerate() {
        match byte {
            _ if escaped => escaped = false,
            b'\\' if in_text => escaped = true,
            b'"' => in_text = !in_text,
            b'[' | b'{' if !in_text => depth += 1,
            b']' | b'}' if !in_text => depth = depth.saturating_sub(1),
            _ => {}
        }
        if depth > MAX_DEPTH {
            return Some(at);
        }
    }
    None
}

#[cfg(test)]
mod tests {
    use serde_json::Value;

    use super::{MAX_DEPTH, read};

    fn nested(depth: usize) -> Vec<u8> {
        format!("{}{}", "[".repeat(depth), "]".repeat(depth)).into_bytes()
    }

    #[test]
    fn what_is_nested_as_deep_as_records_can_be_is_read() {
        assert!(read::<Value>(&nested(MAX_DEPTH)).is_ok());
        assert!(read::<Value>(&nested(MAX_DEPTH + 1)).is_err());
        assert!(read::<Value>(&nested(1_000_000)).is_err());
    }

    #[test]
    fn brackets_in_texts_are_not_counted() {
        let text = format!(r#"["{}\"{}"]"#, "[".repeat(500), "{".repeat(500));
        assert!(read::<Value>(text.as_bytes()).is_ok());
    }

    #[test]
    fn an_error_quotes_nothing() {
        let error = read::<u32>(br#""planted""#).unwrap_err();
        assert!(!error.to_string().contains("planted"));
    }

    #[test]
    fn nothing_may_follow() {
        assert!(read::<u32>(b"1 2").is_err());
    }
}
