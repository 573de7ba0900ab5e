//! Fields whose values are never shown: passwords, tokens, personal data.

mod key;

use assent_json::{Json, Kind, Node, Pointer};
use serde_json::Value;

pub use key::{MASK, RedactionKey};

use crate::results::REDACTED;

/// The pattern for every member or element.
const ANY: &str = "*";

/// The fields of a tool's input whose values are never shown.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct SensitiveFields(Box<[Path]>);

/// The way from the root to a field.
type Path = Box<[String]>;

impl SensitiveFields {
    /// From JSON Pointers or bare top-level names. A `*` in a pointer stands for every member or
    /// element; a name that meets an array is looked for in every element, because a field that is
    /// replaced once too often does no harm.
    pub fn new<'a>(fields: impl IntoIterator<Item = &'a str>) -> Self {
        let path = |field: &str| match field.strip_prefix('/') {
            Some(_) => Pointer::tokens(field).collect(),
            None if field.is_empty() => Path::default(),
            None => Path::from([field.to_owned()]),
        };
        Self(fields.into_iter().map(path).collect())
    }

    /// Returns `true` if there are no sensitive fields.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// The fields as JSON Pointers.
    pub fn pointers(&self) -> impl Iterator<Item = Pointer> {
        self.0.iter().map(|path| Pointer::from_tokens(path.iter().cloned()))
    }

    /// The input with each sensitive value replaced by [`MASK`] and a digest that only the
    /// holder of the key can compute. Equal values get equal digests.
    #[must_use]
    pub fn redact(&self, input: &Json, key: &RedactionKey) -> Json {
        if !self.0.iter().any(|path| reaches(input.root(), path)) {
            return input.clone();
        }
        let mut value = input.to_value();
        for path in &self.0 {
            replace(&mut value, path, &mut |found| *found = Value::String(key.stand_in(found)));
        }
        // The input was read before, so its copy is readable; if not, nothing of it is shown.
        Json::from_value(&value).unwrap_or_else(|_| Json::null())
    }

    /// The same for examples in the description of a tool: the values are removed without a digest.
    pub(super) fn hide(&self, value: &mut Value) {
        for path in &self.0 {
            replace(value, path, &mut |found| *found = Value::from(REDACTED));
        }
    }

    /// The texts of all sensitive values, to be found wherever else they turn up: strings and numbers,
    /// also inside of sensitive objects and lists. Booleans are no secrets.
    #[must_use]
    pub fn values(&self, input: &Json) -> Vec<String> {
        let mut found = Vec::new();
        for path in &self.0 {
            visit(input.root(), path, &mut |node| collect(node, &mut found));
        }
        found.sort_unstable();
        found.dedup();
        found
    }
}

fn reaches(root: Node<'_>, path: &[String]) -> bool {
    let mut is_there = false;
    visit(root, path, &mut |_| is_there = true);
    is_there
}

/// Calls `found` with every value that the path leads to.
fn visit<'d>(node: Node<'d>, path: &[String], found: &mut impl FnMut(Node<'d>)) {
    let Some((step, rest)) = path.split_first() else { return found(node) };
    match node.kind() {
        Kind::Object if step == ANY => {
            node.members().for_each(|(_, member)| visit(member, rest, found));
        }
        Kind::Object => node.get(step).into_iter().for_each(|member| visit(member, rest, found)),
        Kind::Array => match index(step) {
            Some(index) => {
                node.elements().nth(index).into_iter().for_each(|item| visit(item, rest, found));
            }
            None => {
                let rest = if step == ANY { rest } else { path };
                node.elements().for_each(|item| visit(item, rest, found));
            }
        },
        Kind::Null | Kind::Boolean | Kind::Number | Kind::String => {}
    }
}

/// The same on a tree.
fn replace(value: &mut Value, path: &[String], with: &mut impl FnMut(&mut Value)) {
    let Some((step, rest)) = path.split_first() else { return with(value) };
    match value {
        Value::Object(members) if step == ANY => {
            members.values_mut().for_each(|member| replace(member, rest, with));
        }
        Value::Object(members) => {
            members.get_mut(step).into_iter().for_each(|member| replace(member, rest, with));
        }
        Value::Array(items) => match index(step) {
            Some(index) => {
                items.get_mut(index).into_iter().for_each(|item| replace(item, rest, with));
            }
            None => {
                let rest = if step == ANY { rest } else { path };
                items.iter_mut().for_each(|item| replace(item, rest, with));
            }
        },
        Value::Null | Value::Bool(_) | Value::Number(_) | Value::String(_) => {}
    }
}

fn index(step: &str) -> Option<usize> {
    step.parse().ok()
}

fn collect(node: Node<'_>, found: &mut Vec<String>) {
    match node.kind() {
        Kind::String => found.extend(node.as_str().filter(|text| !text.is_empty()).map(Into::into)),
        Kind::Number => found.push(String::from_utf8_lossy(&node.canonical()).into_owned()),
        Kind::Array => node.elements().for_each(|item| collect(item, found)),
        Kind::Object => node.members().for_each(|(_, member)| collect(member, found)),
        Kind::Null | Kind::Boolean => {}
    }
}
