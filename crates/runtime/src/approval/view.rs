//! What a person sees of a call. It is made from the canonical arguments by a total function: every leaf has a
//! line, no character in a line can hide or reorder text, and the digest of the lines is part of what is approved.
//! Long texts are shortened, with their length and digest, and never left out.

use assent_json::{Digest, Json, Kind, Node, Pointer};

/// The maximum length of a leaf that is shown in full, in characters.
const MAX_LEAF: usize = 400;
/// The maximum number of leaves with a line of their own.
const MAX_LINES: usize = 200;

/// The lines that a person sees.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct View {
    /// One per leaf, in canonical order.
    pub lines: Vec<ViewLine>,
    /// SHA-256 over all of them.
    pub digest: Digest,
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
        let mut beyond = Vec::new();
        walk(shown.root(), &Pointer::root(), &mut |path, node| {
            if lines.len() > MAX_LINES {
                beyond.extend_from_slice(&node.canonical());
                return;
            }
            lines.push(ViewLine { path: visible(path.as_str()), text: leaf(node) });
        });
        if !beyond.is_empty() {
            let text = format!("… {} more bytes, sha256:{}", beyond.len(), Digest::of(&beyond));
            lines.push(ViewLine { path: "…".to_owned(), text });
        }
        let digest = digest_of(&lines, arguments);
        Self { lines, digest }
    }
}

/// The digest covers the arguments as well: two inputs never share a view, even where a shortened
/// leaf looks the same.
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
    let Some(text) = node.as_str() else {
        return String::from_utf8_lossy(&node.canonical()).into_owned();
    };
    let length = text.chars().count();
    if length <= MAX_LEAF {
        return format!("\"{}\"", visible(text));
    }
    let beginning: String = text.chars().take(MAX_LEAF).collect();
    let digest = Digest::of(text.as_bytes());
    format!("\"{}\"… ({length} characters, sha256:{digest})", visible(&beginning))
}

/// A text in which nothing is invisible. Backslashes and quotes are escaped as well, so that a text
/// cannot pretend to be an escape or to have ended.
fn visible(text: &str) -> String {
    assent_json::visible(&text.replace('\\', "\\\\").replace('"', "\\\""))
}
