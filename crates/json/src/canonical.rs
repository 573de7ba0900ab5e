//! The canonical form of RFC 8785.

use crate::{
    Digest, Node, ReadError, Tape, read, read_into,
    tape::{EntryKind, VERBATIM},
};

/// The canonical form of a document.
///
/// # Errors
///
/// As for [`read`].
pub fn canonicalize(source: &[u8]) -> Result<Vec<u8>, ReadError> {
    Ok(read(source)?.canonical())
}

/// The SHA-256 of the canonical form of a document.
///
/// # Errors
///
/// As for [`read`].
pub fn digest(source: &[u8]) -> Result<Digest, ReadError> {
    canonicalize(source).map(|canonical| Digest::of(&canonical))
}

/// Canonicalises one document after another in the same memory.
#[derive(Debug, Default)]
pub struct Canonicalizer {
    tape: Tape,
    out: Vec<u8>,
}

impl Canonicalizer {
    /// The canonical form of a document, until the next call.
    ///
    /// # Errors
    ///
    /// As for [`read`].
    pub fn canonicalize(&mut self, source: &[u8]) -> Result<&[u8], ReadError> {
        let document = read_into(source, std::mem::take(&mut self.tape))?;
        self.out.clear();
        write_node(document.root(), &mut self.out);
        self.tape = document.into_tape();
        Ok(&self.out)
    }

    /// The SHA-256 of the canonical form of a document.
    ///
    /// # Errors
    ///
    /// As for [`read`].
    pub fn digest(&mut self, source: &[u8]) -> Result<Digest, ReadError> {
        self.canonicalize(source).map(Digest::of)
    }
}

pub(crate) fn write_node(node: Node<'_>, out: &mut Vec<u8>) {
    let entry = node.entry();
    match entry.kind {
        EntryKind::Null => out.extend_from_slice(b"null"),
        EntryKind::False => out.extend_from_slice(b"false"),
        EntryKind::True => out.extend_from_slice(b"true"),
        EntryKind::Number => out.extend_from_slice(node.text(entry).as_bytes()),
        EntryKind::String => write_string(node, out),
        EntryKind::Array => write_array(node, out),
        EntryKind::Object => write_object(node, out),
    }
}

fn write_array(node: Node<'_>, out: &mut Vec<u8>) {
    out.push(b'[');
    for (position, element) in node.elements().enumerate() {
        if position > 0 {
            out.push(b',');
        }
        write_node(element, out);
    }
    out.push(b']');
}

fn write_object(node: Node<'_>, out: &mut Vec<u8>) {
    out.push(b'{');
    for (position, &key) in node.keys_in_order().iter().enumerate() {
        if position > 0 {
            out.push(b',');
        }
        write_string(node.at(key), out);
        out.push(b':');
        write_node(node.at(key + 1), out);
    }
    out.push(b'}');
}

fn write_string(node: Node<'_>, out: &mut Vec<u8>) {
    let entry = node.entry();
    let text = node.text(entry);
    out.push(b'"');
    if entry.link == VERBATIM {
        // A string without escapes in the source needs none in canonical form.
        out.extend_from_slice(text.as_bytes());
    } else {
        write_escaped(text, out);
    }
    out.push(b'"');
}

fn write_escaped(text: &str, out: &mut Vec<u8>) {
    const HEX: &[u8; 16] = b"0123456789abcdef";
    for byte in text.bytes() {
        match byte {
            b'"' | b'\\' => out.extend_from_slice(&[b'\\', byte]),
            0x08 => out.extend_from_slice(b"\\b"),
            b'\t' => out.extend_from_slice(b"\\t"),
            b'\n' => out.extend_from_slice(b"\\n"),
            0x0C => out.extend_from_slice(b"\\f"),
            b'\r' => out.extend_from_slice(b"\\r"),
            0..0x20 => {
                out.extend_from_slice(b"\\u00");
                let digits = [byte >> 4, byte & 0xF].map(|digit| HEX.get(usize::from(digit)));
                out.extend(digits.into_iter().flatten());
            }
            _ => out.push(byte),
        }
    }
}
