//! The fields of an object, with the complaints about those that are missing or wrong.

use assent_json::{Kind, Node, Pointer};

use super::{Findings, with_article};
use crate::Code;

/// An object and its place.
pub(super) struct Fields<'d> {
    node: Node<'d>,
    path: Pointer,
}

impl<'d> Fields<'d> {
    pub(super) fn of(node: Node<'d>, path: Pointer) -> Self {
        Self { node, path }
    }

    /// Warns about fields that are not in the list. They are kept and hashed all the same.
    pub(super) fn known(&self, names: &[&str], findings: &mut Findings) {
        for (name, _) in self.node.members() {
            if !names.contains(&name) {
                let message = "the specification does not know this field; it is kept and hashed, \
                               but nothing will act on it";
                findings.warn(Code::UnknownField, &self.path.key(name), message);
            }
        }
    }

    /// The field `name`, of the wanted kind. Complains if it is missing or of another kind.
    pub(super) fn required(
        &self,
        name: &str,
        kind: Kind,
        findings: &mut Findings,
    ) -> Option<(Node<'d>, Pointer)> {
        if self.node.get(name).is_none() {
            let message = format!("the field `{name}` is missing");
            findings.error(Code::MissingField, &self.path.key(name), message);
        }
        self.optional(name, kind, findings)
    }

    /// The field `name`, if it is there. Complains if it is of another kind.
    pub(super) fn optional(
        &self,
        name: &str,
        kind: Kind,
        findings: &mut Findings,
    ) -> Option<(Node<'d>, Pointer)> {
        let value = self.node.get(name)?;
        let path = self.path.key(name);
        if value.kind() == kind {
            Some((value, path))
        } else {
            findings.wrong_type(&path, with_article(kind), value);
            None
        }
    }

    /// The text in the field `name`. Complains if it is missing, empty or not a string.
    pub(super) fn required_text(
        &self,
        name: &str,
        findings: &mut Findings,
    ) -> Option<(&'d str, Pointer)> {
        let (value, path) = self.required(name, Kind::String, findings)?;
        let text = value.as_str()?;
        if text.trim().is_empty() {
            findings.error(Code::MissingField, &path, format!("the field `{name}` is empty"));
            return None;
        }
        Some((text, path))
    }
}
