//! The shape of an input: its keys and types, without its values.

use assent_json::{Digest, Kind, Node, utf16_order};

/// Returns a digest of the keys and types of a value. Values with the same digest have the same keys with
/// values of the same types. A list counts as the set of the shapes of its items.
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
        // The length makes the encoding unambiguous.
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
