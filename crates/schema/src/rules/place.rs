//! The way to a value.

use std::fmt::Write as _;

use assent_json::{Kind, Node};

/// The value with this index inside `root`.
pub(super) fn find(root: Node<'_>, index: u32) -> Node<'_> {
    descend(root, index, |_| {})
}

/// The name of the member of `object` whose value has this index.
pub(super) fn name_of_member(object: Node<'_>, index: u32) -> Option<&[u8]> {
    let mut members = object.members().with_key_nodes();
    let (key, value) = members.find(|(_, value)| value.index() >= index)?;
    key.as_bytes().filter(|_| value.index() == index)
}

/// The way to the value with this index inside `root`, as a JSON Pointer.
///
/// A walk that finds nothing wrong, as most do, does not have to note its way.
pub(super) fn path(root: Node<'_>, index: u32) -> String {
    let mut path = String::new();
    descend(root, index, |step| {
        if path.capacity() == 0 {
            // Most paths are short: one allocation is enough for them.
            path = String::with_capacity(step.len().max(SHORT_PATH));
        }
        step.write(&mut path);
    });
    path
}

const SHORT_PATH: usize = 32;

/// From a value to one that it holds.
enum Step<'d> {
    Name(&'d str),
    Position(usize),
}

impl Step<'_> {
    fn len(&self) -> usize {
        match self {
            Self::Name(name) => name.len() + 1,
            Self::Position(_) => 0,
        }
    }

    fn write(&self, path: &mut String) {
        path.push('/');
        match self {
            Self::Name(name) if name.bytes().any(|byte| matches!(byte, b'~' | b'/')) => {
                path.push_str(&name.replace('~', "~0").replace('/', "~1"));
            }
            Self::Name(name) => path.push_str(name),
            Self::Position(position) => match u32::try_from(*position) {
                Ok(digit @ 0..=9) => path.extend(char::from_digit(digit, 10)),
                // Writing to a text cannot fail.
                _ => _ = write!(path, "{position}"),
            },
        }
    }
}

/// Goes from `root` to the value with this index, step by step.
///
/// The tape lists values in the order of the text, so the next step always leads to the last child
/// that does not come after the value.
fn descend<'d>(root: Node<'d>, index: u32, mut take: impl FnMut(Step<'d>)) -> Node<'d> {
    let mut node = root;
    while node.index() < index {
        let next = match node.kind() {
            Kind::Object => {
                let members = node.members().with_key_nodes();
                let last = members.take_while(|(_, value)| value.index() <= index).last();
                last.map(|(key, value)| (Step::Name(key.as_str().unwrap_or_default()), value))
            }
            _ => {
                let items = node.elements().enumerate();
                let last = items.take_while(|(_, item)| item.index() <= index).last();
                last.map(|(position, item)| (Step::Position(position), item))
            }
        };
        let Some((step, next)) = next else { break };
        take(step);
        node = next;
    }
    node
}

#[cfg(test)]
mod tests {
    use assent_json::Pointer;

    use super::{find, name_of_member, path};

    #[test]
    fn every_value_is_found_by_its_index_with_the_way_to_it() {
        let text = br#"{"a/~b": [1, {"": [], "\u00e9": [[2], 3]}], "d": {"e": null},
            "long": [0, 0, 0, 0, 0, 0, 0, 0, 0, 0, {"a name that is longer than most paths are": 1}]}"#;
        let document = assent_json::read(text).unwrap();
        let mut open = vec![(Pointer::root(), document.root())];
        while let Some((pointer, node)) = open.pop() {
            assert_eq!(find(document.root(), node.index()).offset(), node.offset());
            assert_eq!(path(document.root(), node.index()), pointer.as_str());
            for (name, value) in node.members() {
                assert_eq!(name_of_member(node, value.index()), Some(name.as_bytes()));
                let inside = value.elements().next();
                assert_eq!(inside.and_then(|item| name_of_member(node, item.index())), None);
            }
            let items = node.elements().enumerate();
            open.extend(items.map(|(position, item)| (pointer.index(position), item)));
            open.extend(node.members().map(|(name, value)| (pointer.key(name), value)));
        }
    }
}
