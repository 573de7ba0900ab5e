//! Finds masks of sensitive values in an input.

use assent_json::{Kind, Node, Pointer};
use assent_runtime::catalog::MASK;

/// Returns the path of a mask in `updated` that the real input does not have at the same path. A hook that
/// returns a masked input would otherwise overwrite passwords with digests.
pub(crate) fn smuggled(updated: Node<'_>, real: Node<'_>) -> Option<Pointer> {
    find(updated, Some(real), &Pointer::root())
}

fn find(updated: Node<'_>, real: Option<Node<'_>>, at: &Pointer) -> Option<Pointer> {
    match updated.kind() {
        Kind::Null | Kind::Boolean | Kind::Number => None,
        Kind::String => {
            let text = updated.as_str().unwrap_or_default();
            // An input may contain a text that looks like a mask, and a hook may keep it.
            let is_unchanged = real.is_some_and(|real| real.as_str() == Some(text));
            (text.contains(MASK) && !is_unchanged).then(|| at.clone())
        }
        Kind::Array => {
            let mut originals = real.iter().flat_map(Node::elements);
            updated
                .elements()
                .enumerate()
                .find_map(|(index, item)| find(item, originals.next(), &at.index(index)))
        }
        Kind::Object => updated.members().find_map(|(key, member)| {
            let original = real.and_then(|real| real.get(key));
            if key.contains(MASK) && original.is_none() {
                return Some(at.clone());
            }
            find(member, original, &at.key(key))
        }),
    }
}

#[cfg(test)]
mod tests {
    use assent_json::Json;

    use super::smuggled;

    fn found(updated: &str, real: &str) -> Option<String> {
        let [updated, real] = [updated, real].map(|text| Json::read(text).unwrap());
        smuggled(updated.root(), real.root()).map(|at| at.to_string())
    }

    #[test]
    fn a_mask_is_found_wherever_it_stands() {
        let real = r#"{"a": "secret", "b": ["x", "secret"]}"#;
        for (updated, at) in [
            (r#"{"a": "redacted:sha256:00"}"#, "/a"),
            (r#"{"b": ["x", "redacted:sha256:00"]}"#, "/b/1"),
            (r#"{"c": {"d": "with redacted:sha256:00 inside"}}"#, "/c/d"),
            (r#"{"redacted:sha256:00": 1}"#, ""),
            (r#"["redacted:sha256:00"]"#, "/0"),
            (r#""redacted:sha256:00""#, ""),
        ] {
            assert_eq!(found(updated, real).as_deref(), Some(at), "{updated}");
        }
        assert_eq!(found(r#"{"a": "other", "b": [], "n": 1, "t": true}"#, real), None);
    }

    #[test]
    fn an_input_may_speak_of_masks_by_itself() {
        let real = r#"{"note": "redacted:sha256:00 means a mask", "list": ["redacted:sha256:1"]}"#;
        assert_eq!(found(real, real), None);
        let moved = r#"{"note": "redacted:sha256:1"}"#;
        assert_eq!(found(moved, real).as_deref(), Some("/note"));
    }
}
