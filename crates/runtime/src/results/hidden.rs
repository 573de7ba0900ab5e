//! Invisible characters in what a model is sent. They could carry instructions that no person sees, so each
//! is replaced by its JSON escape: `\u200b`, or a surrogate pair such as `\udb40\udc41`. In a text that is
//! JSON the escape means the same character.

use std::fmt::Write as _;

use assent_json::is_invisible;
use assent_protocol::agent_tool::ContentBlock;
use serde_json::Value;

/// Escapes the invisible characters in all texts of the blocks. Returns how many there were.
pub(super) fn escape(blocks: &mut [ContentBlock]) -> usize {
    let mut count = 0;
    for block in blocks {
        if let Some(text) = &mut block.text {
            count += escape_text(text);
        }
        count += block.extra.values_mut().map(escape_value).sum::<usize>();
    }
    count
}

fn escape_value(value: &mut Value) -> usize {
    match value {
        Value::String(text) => escape_text(text),
        Value::Array(items) => items.iter_mut().map(escape_value).sum(),
        Value::Object(members) => members.values_mut().map(escape_value).sum(),
        Value::Null | Value::Bool(_) | Value::Number(_) => 0,
    }
}

fn escape_text(text: &mut String) -> usize {
    let count = text.chars().filter(|character| is_invisible(*character)).count();
    if count > 0 {
        *text = escaped(text);
    }
    count
}

fn escaped(text: &str) -> String {
    let mut escaped = String::with_capacity(text.len());
    for character in text.chars() {
        if !is_invisible(character) {
            escaped.push(character);
            continue;
        }
        for unit in character.encode_utf16(&mut [0; 2]) {
            // Writing to a string cannot fail.
            let _ = write!(escaped, "\\u{unit:04x}");
        }
    }
    escaped
}

#[cfg(test)]
mod tests {
    use assent_protocol::agent_tool::ContentBlock;
    use serde_json::json;

    use super::escape;

    #[test]
    fn every_text_of_a_block_is_escaped_and_ordinary_text_stays() {
        let mut resource = ContentBlock::text("né 读取 👍 a\u{200b}b");
        resource.extra.insert("resource".to_owned(), json!({"text": ["\u{e0041}", "\u{202e}", 1]}));
        let mut blocks = [resource, ContentBlock::text("line\nfeed\ttab\u{1b}[0m")];
        assert_eq!(escape(&mut blocks), 3);
        assert_eq!(blocks[0].text.as_deref(), Some("né 读取 👍 a\\u200bb"));
        assert_eq!(blocks[0].extra["resource"], json!({"text": ["\\udb40\\udc41", "\\u202e", 1]}));
        assert_eq!(blocks[1], ContentBlock::text("line\nfeed\ttab\u{1b}[0m"));
    }
}
