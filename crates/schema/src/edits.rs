//! What an author did to a schema, edit by edit.
//!
//! This looks at the text of two schemas, not at their meaning. Each edit can be
//! [applied](Edit::applied_to) to the old schema alone, so that [`crate::Comparer`] can decide what
//! it means by itself.

mod members;
mod types;

use std::collections::BTreeMap;

use assent_json::Pointer;
use serde_json::{Map, Value};

use self::types::Types;
use crate::keywords::{Holds, applicator, is_annotation};

/// What an edit takes besides its place and its field.
const EDIT_BYTES: usize = 256;

/// The memory that the edits of several schemas may take together, in bytes.
///
/// Every edit has its place and its field, so a few long names with many edits below them would
/// otherwise multiply.
#[derive(Debug)]
pub struct EditBudget {
    bytes: usize,
}

impl Default for EditBudget {
    fn default() -> Self {
        Self { bytes: 6 << 20 }
    }
}

/// The edits that lead from one schema to another, in the order of the keywords. Nothing if listing
/// them would cost more than the budget.
#[must_use]
pub fn edits(old: &Value, new: &Value, budget: &mut EditBudget) -> Option<Vec<Edit>> {
    let mut walk = Walk {
        old_types: Types::new(old),
        new_types: Types::new(new),
        edits: Vec::new(),
        left: Some(budget.bytes),
    };
    walk.schema(old, new, &Place::default());
    budget.bytes = walk.left.unwrap_or(0);
    walk.left.map(|_| walk.edits)
}

/// One thing that an author did to a schema.
#[derive(Debug, Clone, PartialEq)]
pub struct Edit {
    /// What was done.
    pub kind: EditKind,
    /// Where: in the new schema, or in the old one for something that is gone.
    pub path: Pointer,
    /// The keyword that was edited; empty if a schema was replaced as a whole.
    pub keyword: String,
    /// The field that it is about, as `options.mode` or `tags[]`; empty for the whole input.
    pub field: String,
    /// What stood there.
    pub old: Option<Value>,
    /// What stands there now.
    pub new: Option<Value>,
    /// True if only what people read is touched.
    pub is_annotation: bool,
    /// True if the field may now have values of other types.
    pub changes_types: bool,
    /// The same edit as seen from the old schema: where to do what.
    at: Pointer,
    action: Action,
}

/// What an edit does to the old schema.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Action {
    /// Puts the new value there, or removes what is there.
    Put,
    /// Puts a map there that has the new value as its only member, named as the end of the path.
    PutMap,
    /// Adds the new value to a list, or removes the old one from it.
    List,
    /// Gives a member of a map another name.
    Rename,
}

impl Edit {
    /// The old schema with this edit and no other.
    #[must_use]
    pub fn applied_to(&self, old: &Value) -> Option<Value> {
        let mut schema = old.clone();
        let Some((parent, _)) = self.at.as_str().rsplit_once('/') else {
            return self.new.clone();
        };
        let last = Pointer::tokens(self.at.as_str()).last()?;
        match schema.pointer_mut(parent)? {
            Value::Object(members) => match self.result(members.get(&last))? {
                Some(value) => {
                    members.insert(last, value);
                }
                None => {
                    members.remove(&last);
                }
            },
            Value::Array(elements) => {
                let element = elements.get_mut(last.parse::<usize>().ok()?)?;
                *element = self.new.clone()?;
            }
            _ => return None,
        }
        Some(schema)
    }

    /// What stands at the place after this edit; the outer `None` if it does not fit there.
    #[expect(clippy::option_option, reason = "the outer one fails, the inner one removes")]
    fn result(&self, now: Option<&Value>) -> Option<Option<Value>> {
        Some(match self.action {
            Action::Put => self.new.clone(),
            Action::PutMap => {
                let name = Pointer::tokens(self.path.as_str()).last()?;
                Some(Value::Object(Map::from_iter([(name, self.new.clone()?)])))
            }
            Action::List => {
                let mut list = now.and_then(Value::as_array).cloned().unwrap_or_default();
                match &self.new {
                    Some(added) => list.push(added.clone()),
                    None => list.retain(|value| Some(value) != self.old.as_ref()),
                }
                Some(Value::Array(list))
            }
            Action::Rename => {
                let (from, to) = (self.old.as_ref()?.as_str()?, self.new.as_ref()?.as_str()?);
                let renamed = now?.as_object()?.iter().map(|(name, schema)| {
                    let name = if name == from { to } else { name };
                    (name.to_owned(), schema.clone())
                });
                Some(Value::Object(renamed.collect()))
            }
        })
    }
}

/// What was done to a schema.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum EditKind {
    /// A property is described that was not.
    PropertyAdded,
    /// A property is not described any more.
    PropertyRemoved,
    /// A property has another name.
    PropertyRenamed,
    /// A property must be given that could be left out.
    RequiredAdded,
    /// A property may be left out that had to be given.
    RequiredRemoved,
    /// A value may be chosen that could not.
    EnumValueAdded,
    /// A value may not be chosen any more.
    EnumValueRemoved,
    /// The same values, names or alternatives stand in another order.
    Reordered,
    /// A keyword is new.
    KeywordAdded,
    /// A keyword is gone.
    KeywordRemoved,
    /// A keyword has another value.
    KeywordChanged,
}

/// A place in both schemas.
#[derive(Debug, Clone, Default)]
struct Place {
    old: Pointer,
    new: Pointer,
    field: String,
}

impl Place {
    fn key(&self, key: &str) -> Self {
        Self { old: self.old.key(key), new: self.new.key(key), field: self.field.clone() }
    }

    fn index(&self, index: usize) -> Self {
        Self { old: self.old.index(index), new: self.new.index(index), field: self.field.clone() }
    }

    fn inside(self, step: &str) -> Self {
        let separator = if self.field.is_empty() || step.starts_with('[') { "" } else { "." };
        Self { field: format!("{}{separator}{step}", self.field), ..self }
    }
}

struct Walk<'s> {
    old_types: Types<'s>,
    new_types: Types<'s>,
    edits: Vec<Edit>,
    /// The bytes that may still be used; nothing if they were not enough.
    left: Option<usize>,
}

impl<'s> Walk<'s> {
    fn schema(&mut self, old: &'s Value, new: &'s Value, place: &Place) {
        if old == new || self.left.is_none() {
            return;
        }
        let (Value::Object(before), Value::Object(after)) = (old, new) else {
            let edit = edit(EditKind::KeywordChanged, place, Some(old), Some(new));
            let changes_types = self.changes_types(old, new);
            self.record(Edit { changes_types, ..edit });
            return;
        };
        let first = self.edits.len();
        for keyword in before.keys().chain(after.keys().filter(|key| !before.contains_key(*key))) {
            self.keyword(keyword, before, after, place);
        }
        if self.changes_types(old, new) {
            self.mark_type_change(first, place);
        }
    }

    fn changes_types(&mut self, old: &'s Value, new: &'s Value) -> bool {
        self.old_types.of(old) != self.new_types.of(new)
    }

    /// The edit that changes the types is the one of `type`, or else of the keyword that stands in
    /// for it.
    fn mark_type_change(&mut self, first: usize, place: &Place) {
        let fresh = self.edits.get_mut(first..).unwrap_or_default();
        for keyword in ["type", "$ref", "anyOf", "oneOf", "allOf"] {
            let paths = [place.old.key(keyword), place.new.key(keyword)];
            if let Some(edit) = fresh.iter_mut().find(|edit| paths.contains(&edit.path)) {
                edit.changes_types = true;
                return;
            }
        }
    }

    fn keyword(
        &mut self,
        keyword: &str,
        old: &'s Map<String, Value>,
        new: &'s Map<String, Value>,
        place: &Place,
    ) {
        let here = place.key(keyword);
        match (old.get(keyword), new.get(keyword)) {
            (Some(before), Some(after)) if before == after => {}
            (Some(before), Some(after)) => self.changed(keyword, before, after, here),
            (before, after) => {
                let kind =
                    if after.is_some() { EditKind::KeywordAdded } else { EditKind::KeywordRemoved };
                match (keyword, before, after) {
                    // Lists and maps that come or go are reported entry by entry.
                    ("properties", _, _) => self.members(keyword, before, after, &here),
                    ("required", _, _) => self.required(before, after, &here),
                    _ => self.push(keyword, edit(kind, &here, before, after)),
                }
            }
        }
    }

    fn changed(&mut self, keyword: &str, old: &'s Value, new: &'s Value, here: Place) {
        match (keyword, applicator(keyword)) {
            ("required", _) => self.required(Some(old), Some(new), &here),
            ("enum", _) => self.enumeration(old, new, &here),
            (_, Some((Holds::Schema, _))) => {
                let inside = match keyword {
                    "items" | "contains" | "unevaluatedItems" => here.inside("[]"),
                    "additionalProperties" | "unevaluatedProperties" => {
                        // `true` to `false` is one edit, however it is written.
                        if !(old.is_object() && new.is_object()) {
                            self.push(
                                keyword,
                                edit(EditKind::KeywordChanged, &here, Some(old), Some(new)),
                            );
                            return;
                        }
                        here.inside("*")
                    }
                    _ => here,
                };
                self.schema(old, new, &inside);
            }
            (_, Some((Holds::Map, _))) => self.members(keyword, Some(old), Some(new), &here),
            (_, Some((Holds::List, _))) => self.list(keyword, old, new, &here),
            (_, None) => {
                self.push(keyword, edit(EditKind::KeywordChanged, &here, Some(old), Some(new)));
            }
        }
    }

    fn list(&mut self, keyword: &str, old: &'s Value, new: &'s Value, here: &Place) {
        match (old, new) {
            (Value::Array(before), Value::Array(after))
                if keyword != "prefixItems" && is_same_set(before, after) =>
            {
                self.push(keyword, edit(EditKind::Reordered, here, Some(old), Some(new)));
            }
            (Value::Array(before), Value::Array(after)) if before.len() == after.len() => {
                for (index, (old, new)) in before.iter().zip(after).enumerate() {
                    let place = here.index(index);
                    let place = match keyword {
                        "prefixItems" => place.inside(&format!("[{index}]")),
                        _ => place,
                    };
                    self.schema(old, new, &place);
                }
            }
            _ => self.push(keyword, edit(EditKind::KeywordChanged, here, Some(old), Some(new))),
        }
    }

    fn push(&mut self, keyword: &str, edit: Edit) {
        let is_annotation = is_annotation(keyword);
        self.record(Edit { is_annotation, keyword: keyword.to_owned(), ..edit });
    }

    /// Keeps an edit if the budget allows it.
    fn record(&mut self, edit: Edit) {
        let bytes =
            EDIT_BYTES + edit.path.as_str().len() + edit.at.as_str().len() + 3 * edit.field.len();
        self.left = self.left.and_then(|left| left.checked_sub(bytes));
        if self.left.is_some() {
            self.edits.push(edit);
        }
    }
}

/// True if two lists have the same entries, each as often.
fn is_same_set(old: &[Value], new: &[Value]) -> bool {
    if old.len() != new.len() {
        return false;
    }
    let mut counts: BTreeMap<String, i64> = BTreeMap::new();
    for value in old {
        *counts.entry(text(value)).or_default() += 1;
    }
    for value in new {
        *counts.entry(text(value)).or_default() -= 1;
    }
    counts.values().all(|count| *count == 0)
}

/// A text that is the same for equal values and for no others.
fn text(value: &Value) -> String {
    let mut sorted = value.clone();
    sorted.sort_all_objects();
    sorted.to_string()
}

/// An edit of the value at `place`.
fn edit(kind: EditKind, place: &Place, old: Option<&Value>, new: Option<&Value>) -> Edit {
    Edit {
        kind,
        path: if new.is_some() { place.new.clone() } else { place.old.clone() },
        keyword: String::new(),
        field: place.field.clone(),
        old: old.cloned(),
        new: new.cloned(),
        is_annotation: false,
        changes_types: false,
        at: place.old.clone(),
        action: Action::Put,
    }
}
