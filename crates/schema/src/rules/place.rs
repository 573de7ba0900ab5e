//! The way to a value, as a JSON Pointer that is written from its end, and back to the value.

use assent_json::{Kind, Node};

/// Puts the name of a member before a pointer.
pub(super) fn prepend_name(path: &mut String, name: &str) {
    if path.capacity() == 0 {
        // Most paths are short: one allocation is enough for them.
        *path = String::with_capacity(name.len().max(31) + 1);
    }
    if name.bytes().any(|byte| matches!(byte, b'~' | b'/')) {
        path.insert_str(0, &name.replace('~', "~0").replace('/', "~1"));
    } else {
        path.insert_str(0, name);
    }
    path.insert(0, '/');
}

/// Puts the position of an item before a pointer.
pub(super) fn prepend_index(path: &mut String, index: usize) {
    if path.capacity() == 0 {
        *path = String::with_capacity(32);
    }
    let mut rest = index;
    loop {
        let digit = u32::try_from(rest % 10).ok().and_then(|digit| char::from_digit(digit, 10));
        path.insert(0, digit.unwrap_or('0'));
        rest /= 10;
        if rest == 0 {
            break;
        }
    }
    path.insert(0, '/');
}

/// The value with this index inside `root`.
///
/// The tape lists values in the order of the text, so the next step always leads to the last child
/// that does not come after the value.
pub(super) fn find(root: Node<'_>, index: u32) -> Node<'_> {
    let mut node = root;
    while node.index() < index {
        let next = match node.kind() {
            Kind::Object => {
                let values = node.members().with_key_nodes().map(|(_, value)| value);
                values.take_while(|value| value.index() <= index).last()
            }
            _ => node.elements().take_while(|item| item.index() <= index).last(),
        };
        let Some(next) = next else { break };
        node = next;
    }
    node
}

#[cfg(test)]
mod tests {
    use super::{find, prepend_index, prepend_name};

    #[test]
    fn a_pointer_is_written_from_its_end_and_escaped() {
        let mut path = String::new();
        for index in [0, 7, 10, 12_345] {
            prepend_index(&mut path, index);
        }
        prepend_name(&mut path, "a/~b");
        prepend_name(&mut path, "");
        prepend_name(&mut path, "é");
        assert_eq!(path, "/é//a~1~0b/12345/10/7/0");
    }

    #[test]
    fn every_value_is_found_by_its_index() {
        let text = br#"{"a": [1, {"b": [], "c": [[2], 3]}], "d": {"e": null}}"#;
        let document = assent_json::read(text).unwrap();
        let mut open = vec![document.root()];
        while let Some(node) = open.pop() {
            assert_eq!(find(document.root(), node.index()).offset(), node.offset());
            open.extend(node.elements().chain(node.members().map(|(_, value)| value)));
        }
    }
}
