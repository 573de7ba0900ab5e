//! Where `$ref` and `$dynamicRef` lead inside one schema document.
//!
//! A schema here is one document without embedded ones ([`crate::SchemaProblemKind::RemoteRef`]),
//! so a dynamic reference has a single scope to look in and means the same as a plain one.

use std::collections::{BTreeMap, BTreeSet};

use assent_json::Pointer;
use serde_json::Value;

use crate::keywords::subschemas;

/// The anchors of a schema document, and the way to find what a reference means.
#[derive(Debug)]
pub(crate) struct References<'s> {
    root: &'s Value,
    anchors: BTreeMap<&'s str, Pointer>,
    /// Anchors that are given to more than one schema.
    ambiguous: BTreeSet<&'s str>,
    /// The places of all schemas in the document.
    schemas: BTreeSet<Pointer>,
}

impl<'s> References<'s> {
    pub(crate) fn of(root: &'s Value) -> Self {
        let mut anchors = BTreeMap::new();
        let mut ambiguous = BTreeSet::new();
        let mut schemas = BTreeSet::new();
        let mut open = vec![(Pointer::root(), root)];
        while let Some((pointer, schema)) = open.pop() {
            schemas.insert(pointer.clone());
            let Value::Object(members) = schema else { continue };
            for keyword in ["$anchor", "$dynamicAnchor"] {
                if let Some(Value::String(name)) = members.get(keyword) {
                    let earlier = anchors.insert(name.as_str(), pointer.clone());
                    if earlier.is_some_and(|earlier| earlier != pointer) {
                        ambiguous.insert(name.as_str());
                    }
                }
            }
            open.extend(
                subschemas(members, &pointer).into_iter().map(|sub| (sub.pointer, sub.schema)),
            );
        }
        Self { root, anchors, ambiguous, schemas }
    }

    /// True if `reference` names a schema, and not some value that happens to look like one: only
    /// schemas were inspected.
    pub(crate) fn leads_to_schema(&self, reference: &str) -> bool {
        self.resolve(reference).is_some_and(|(pointer, _)| self.schemas.contains(&pointer))
    }

    /// As [`Self::resolve`], but nothing if readers may disagree about what is meant.
    pub(crate) fn resolve_surely(&self, reference: &str) -> Option<(Pointer, &'s Value)> {
        let fragment = percent_decode(reference.strip_prefix('#')?)?;
        let (pointer, schema) = self.resolve(reference)?;
        let is_sure =
            !self.ambiguous.contains(fragment.as_str()) && self.schemas.contains(&pointer);
        is_sure.then_some((pointer, schema))
    }

    /// The place and the schema that `reference` names, if it is local and exists.
    pub(crate) fn resolve(&self, reference: &str) -> Option<(Pointer, &'s Value)> {
        let fragment = percent_decode(reference.strip_prefix('#')?)?;
        let pointer = if fragment.is_empty() {
            Pointer::root()
        } else if fragment.starts_with('/') {
            Pointer::from_tokens(Pointer::tokens(&fragment))
        } else {
            self.anchors.get(fragment.as_str())?.clone()
        };
        let schema = self.root.pointer(pointer.as_str())?;
        Some((pointer, schema))
    }
}

/// Turns `%25` into `%`; nothing if the result is not UTF-8 or an escape is cut short.
fn percent_decode(text: &str) -> Option<String> {
    let mut bytes = Vec::with_capacity(text.len());
    let mut rest = text.as_bytes();
    while let Some((&first, tail)) = rest.split_first() {
        if first == b'%' {
            let (digits, tail) = tail.split_at_checked(2)?;
            bytes.push(u8::from_str_radix(std::str::from_utf8(digits).ok()?, 16).ok()?);
            rest = tail;
        } else {
            bytes.push(first);
            rest = tail;
        }
    }
    String::from_utf8(bytes).ok()
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::References;

    #[test]
    fn references_find_pointers_anchors_and_escaped_names() {
        let schema = json!({
            "$defs": {"a/b%": {"$anchor": "here", "type": "string"}, "c": {"$dynamicAnchor": "there"}}
        });
        let references = References::of(&schema);
        let found = |text: &str| references.resolve(text).map(|(pointer, _)| pointer.to_string());
        assert_eq!(found("#"), Some(String::new()));
        assert_eq!(found("#/$defs/a~1b%25"), Some("/$defs/a~1b%".into()));
        assert_eq!(found("#here"), Some("/$defs/a~1b%".into()));
        assert_eq!(found("#there"), Some("/$defs/c".into()));
        for nothing in ["", "other.json", "#nowhere", "#/$defs/none", "#/%f", "#%ff"] {
            assert_eq!(found(nothing), None, "{nothing}");
        }
    }
}
