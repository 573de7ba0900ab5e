//! Finds the text of a JSON Pointer.

use std::ops::Range;

use crate::{Document, Kind, Node, Pointer};

impl Document<'_> {
    /// Returns the range of the source to show for `pointer`: a scalar, or the key of an array or object. If
    /// the pointer leads nowhere, the nearest value around it counts.
    #[must_use]
    pub fn locate(&self, pointer: &str) -> Range<usize> {
        let mut node = self.root();
        let mut span = span_of(node);
        for token in Pointer::tokens(pointer) {
            let Some((key, value)) = step(node, &token) else { break };
            span = match (value.kind(), key) {
                (Kind::Array | Kind::Object, Some(key)) => span_of(key),
                _ => span_of(value),
            };
            node = value;
        }
        span
    }
}

fn span_of(node: Node<'_>) -> Range<usize> {
    node.offset()..node.offset() + node.source_len()
}

/// Returns the value of one token of a pointer, and its key if it has one.
fn step<'d>(node: Node<'d>, token: &str) -> Option<(Option<Node<'d>>, Node<'d>)> {
    match node.kind() {
        Kind::Array => {
            let index = token.parse().ok()?;
            node.elements().nth(index).map(|element| (None, element))
        }
        _ => node
            .members()
            .with_key_nodes()
            .find(|(key, _)| key.as_str() == Some(token))
            .map(|(key, value)| (Some(key), value)),
    }
}

#[cfg(test)]
mod tests {
    use crate::read;

    #[test]
    fn a_pointer_leads_to_the_text_that_it_is_about() {
        let text = r#"{"a": [1, {"b/c": "x"}], "d": {}}"#;
        let document = read(text.as_bytes()).unwrap();
        for (pointer, expected) in [
            ("", "{"),
            ("/a", r#""a""#),
            ("/a/0", "1"),
            ("/a/1", "{"),
            ("/a/1/b~1c", r#""x""#),
            ("/a/1/missing/more", "{"),
            ("/a/7", r#""a""#),
            ("/d", r#""d""#),
            ("/nothing", "{"),
        ] {
            assert_eq!(text.get(document.locate(pointer)), Some(expected), "{pointer}");
        }
    }
}
