//! What an input looks like, without its values.

use assent_json::{Digest, Kind, Node, utf16_order};

/// A digest of the keys and types of a value. Two values with the same one have the same keys, with
/// values of the same types; lists count as sets of the shapes in them.
#[must_use]
pub fn shape(node: Node<'_>) -> Digest {
    let mut text = Vec::new();
    write_shape(node, &mut text);
    Digest::of(&text)
}

fn write_shape(node: Node<'_>, out: &mut Vec<u8>) {
    match node.kind() {
        Kind::Object => write_object(node, out),
        Kind::Array => write_array(node, out),
        scalar => out.extend_from_slice(scalar.name().as_bytes()),
    }
}

fn write_object(node: Node<'_>, out: &mut Vec<u8>) {
    let mut members: Vec<_> = node.members().collect();
    members.sort_unstable_by(|a, b| utf16_order(a.0, b.0));
    out.push(b'{');
    for (key, value) in members {
        // The length keeps a key from looking like the text around it.
        out.extend_from_slice(format!("{}:{key}=", key.len()).as_bytes());
        write_shape(value, out);
        out.push(b',');
    }
    out.push(b'}');
}

fn write_array(node: Node<'_>, out: &mut Vec<u8>) {
    let mut elements: Vec<Vec<u8>> = node
        .elements()
        .map(|element| {
            let mut text = Vec::new();
            write_shape(element, &mut text);
            text
        })
        .collect();
    elements.sort_unstable();
    elements.dedup();
    out.push(b'[');
    for element in elements {
        out.extend_from_slice(&element);
        out.push(b',');
    }
    out.push(b']');
}
