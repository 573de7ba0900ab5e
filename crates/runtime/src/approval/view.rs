//! What a person sees of a call. It is made from the canonical arguments by a total function: every leaf has a
//! line that holds it in full, no character in a line can hide or reorder text, and the digest of the lines is part
//! of what is approved.

use assent_json::{Digest, Json, Kind, Node, Pointer};

/// The length beyond which a text is long, in characters.
const LONG_TEXT: usize = 256;

/// The lines that a person sees.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct View {
    /// One per leaf, in canonical order.
    pub lines: Vec<ViewLine>,
    /// SHA-256 over all of them and over the arguments.
    pub digest: Digest,
    /// Whether a text is longer than 256 characters. A page may show such a text folded, and has to unfold it
    /// before the person can agree.
    pub shortened: bool,
}

/// One leaf of the arguments.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ViewLine {
    /// Its location as a JSON Pointer.
    pub path: String,
    /// Its value, with hidden characters made visible.
    pub text: String,
}

impl View {
    /// The view of arguments. `shown` is what they are with the values of sensitive fields replaced, and
    /// `arguments` a digest of what they really are.
    #[must_use]
    pub fn of(tool: &str, arguments: Digest, shown: &Json) -> Self {
        let mut lines = vec![ViewLine { path: String::new(), text: visible(tool) }];
        walk(shown.root(), &Pointer::root(), &mut |path, node| {
            lines.push(ViewLine { path: visible(path.as_str()), text: leaf(node) });
        });
        let digest = digest_of(&lines, arguments);
        let shortened = lines.iter().any(|line| line.text.chars().count() > LONG_TEXT);
        Self { lines, digest, shortened }
    }
}

/// The digest covers the arguments as well: two inputs never share a view, even if they differ only in sensitive
/// values.
fn digest_of(lines: &[ViewLine], arguments: Digest) -> Digest {
    let mut bytes = Vec::new();
    for line in lines {
        for part in [&line.path, &line.text] {
            bytes.extend_from_slice(part.as_bytes());
            bytes.push(0);
        }
    }
    bytes.extend_from_slice(arguments.as_bytes());
    Digest::of(&bytes)
}

/// Visits every leaf: scalars, and arrays and objects that are empty.
fn walk(node: Node<'_>, path: &Pointer, visit: &mut impl FnMut(&Pointer, Node<'_>)) {
    match node.kind() {
        Kind::Object if !node.is_empty() => {
            for (key, value) in node.members() {
                walk(value, &path.key(key), visit);
            }
        }
        Kind::Array if !node.is_empty() => {
            for (index, value) in node.elements().enumerate() {
                walk(value, &path.index(index), visit);
            }
        }
        _ => visit(path, node),
    }
}

fn leaf(node: Node<'_>) -> String {
    match node.as_str() {
        Some(text) => format!("\"{}\"", visible(text)),
        None => String::from_utf8_lossy(&node.canonical()).into_owned(),
    }
}

/// A text in which nothing is invisible. Backslashes and quotes are escaped as well, so that a text
/// cannot pretend to be an escape or to have ended.
fn visible(text: &str) -> String {
    assent_json::visible(&text.replace('\\', "\\\\").replace('"', "\\\""))
}

#[cfg(test)]
mod tests;
