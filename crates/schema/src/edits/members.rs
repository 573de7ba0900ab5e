//! Edits of maps and lists whose entries are reported one by one.

use std::collections::{BTreeMap, BTreeSet};

use serde_json::{Map, Value};

use super::{Action, Edit, EditKind, Place, Walk, edit, text};

impl<'s> Walk<'s> {
    /// `properties`, `$defs` and the other maps of schemas.
    pub(super) fn members(
        &mut self,
        keyword: &str,
        old: Option<&'s Value>,
        new: Option<&'s Value>,
        here: &Place,
    ) {
        let members = |value: Option<&'s Value>| value.and_then(Value::as_object);
        let first = self.edits.len();
        let (before, after) = (members(old), members(new));
        let in_old = |name: &str| before.and_then(|before| before.get(name));
        let in_new = |name: &str| after.and_then(|after| after.get(name));
        let names = |map: Option<&'s Map<String, Value>>| map.into_iter().flat_map(Map::keys);
        let gone: Vec<_> = names(before).filter(|name| in_new(name).is_none()).collect();
        let fresh: Vec<_> = names(after).filter(|name| in_old(name).is_none()).collect();
        let is_property = keyword == "properties";
        let (by_old, by_new) = (by_schema(&gone, &in_old), by_schema(&fresh, &in_new));
        // A property has a new name if exactly one other has just its schema.
        let new_name = |name: &str| {
            let schema = text(in_old(name).filter(|_| is_property)?);
            match (by_old.get(&schema)?.as_slice(), by_new.get(&schema)?.as_slice()) {
                ([_], [only]) => Some(*only),
                _ => None,
            }
        };
        let mut renamed = BTreeSet::new();
        for name in &gone {
            match new_name(name) {
                Some(now) => {
                    renamed.insert(now);
                    self.record(rename(name, now, here));
                }
                None => self.one_member(keyword, name, in_old(name), None, before, here),
            }
        }
        for name in names(after) {
            match in_old(name) {
                Some(old) => {
                    let place = here.key(name);
                    let place = if is_property { place.inside(name) } else { place };
                    if let Some(new) = in_new(name) {
                        self.schema(old, new, &place);
                    }
                }
                None if renamed.contains(name.as_str()) => {}
                None => self.one_member(keyword, name, None, in_new(name), before, here),
            }
        }
        // An empty map came or went.
        if self.edits.len() == first && old.is_some() != new.is_some() {
            let kind =
                if new.is_some() { EditKind::KeywordAdded } else { EditKind::KeywordRemoved };
            self.push(keyword, edit(kind, here, old, new));
        }
        for edit in self.edits.iter_mut().skip(first).filter(|edit| edit.keyword.is_empty()) {
            keyword.clone_into(&mut edit.keyword);
        }
    }

    /// A member that came or went.
    fn one_member(
        &mut self,
        keyword: &str,
        name: &str,
        old: Option<&Value>,
        new: Option<&Value>,
        before: Option<&Map<String, Value>>,
        here: &Place,
    ) {
        let kind = match (keyword, new.is_some()) {
            ("properties", true) => EditKind::PropertyAdded,
            ("properties", false) => EditKind::PropertyRemoved,
            (_, true) => EditKind::KeywordAdded,
            (_, false) => EditKind::KeywordRemoved,
        };
        let place = here.key(name);
        let place = if keyword == "properties" { place.inside(name) } else { place };
        let edit = edit(kind, &place, old, new);
        // If the whole map is new, it has to come with the member.
        let edit = match (before, new) {
            (None, Some(_)) => Edit { at: here.old.clone(), action: Action::PutMap, ..edit },
            _ => edit,
        };
        // Definitions say nothing by themselves.
        self.record(Edit { is_annotation: keyword == "$defs" && old.is_none(), ..edit });
    }

    pub(super) fn required(
        &mut self,
        old: Option<&'s Value>,
        new: Option<&'s Value>,
        here: &Place,
    ) {
        let kinds = (EditKind::RequiredAdded, EditKind::RequiredRemoved);
        self.values(old, new, kinds, here);
    }

    pub(super) fn enumeration(&mut self, old: &'s Value, new: &'s Value, here: &Place) {
        let kinds = (EditKind::EnumValueAdded, EditKind::EnumValueRemoved);
        self.values(Some(old), Some(new), kinds, here);
    }

    /// A list that is a set: what was added, what was removed, or only the order.
    fn values(
        &mut self,
        old: Option<&'s Value>,
        new: Option<&'s Value>,
        (added, removed): (EditKind, EditKind),
        here: &Place,
    ) {
        let list = |value: Option<&'s Value>| -> &'s [Value] {
            value.and_then(Value::as_array).map_or(&[], Vec::as_slice)
        };
        let (before, after) = (list(old), list(new));
        let first = self.edits.len();
        let texts = |list: &[Value]| -> BTreeSet<String> { list.iter().map(text).collect() };
        let (in_old, in_new) = (texts(before), texts(after));
        let gone = before.iter().enumerate().filter(|(_, value)| !in_new.contains(&text(value)));
        let fresh = after.iter().enumerate().filter(|(_, value)| !in_old.contains(&text(value)));
        let gone = gone.map(|(index, value)| (index, value, removed));
        for (index, value, kind) in gone.chain(fresh.map(|(index, value)| (index, value, added))) {
            let (was, is) = if kind == removed { (Some(value), None) } else { (None, Some(value)) };
            let edit = edit(kind, &here.index(index), was, is);
            let edit = Edit { at: here.old.clone(), action: Action::List, ..edit };
            self.record(about_name(edit, value));
            if self.left.is_none() {
                return;
            }
        }
        if self.edits.len() == first {
            self.record(edit(EditKind::Reordered, here, old, new));
        }
        for edit in self.edits.iter_mut().skip(first) {
            let keyword = if added == EditKind::EnumValueAdded { "enum" } else { "required" };
            keyword.clone_into(&mut edit.keyword);
        }
    }
}

/// An edit of `required` is about the field that it names.
fn about_name(edit: Edit, value: &Value) -> Edit {
    match (edit.kind, value) {
        (EditKind::RequiredAdded | EditKind::RequiredRemoved, Value::String(name)) => {
            let separator = if edit.field.is_empty() { "" } else { "." };
            Edit { field: format!("{}{separator}{name}", edit.field), ..edit }
        }
        _ => edit,
    }
}

/// The names of members, grouped by their schemas.
fn by_schema<'s>(
    names: &[&'s String],
    schema: &dyn Fn(&str) -> Option<&'s Value>,
) -> BTreeMap<String, Vec<&'s str>> {
    let mut groups: BTreeMap<_, Vec<_>> = BTreeMap::new();
    for name in names {
        if let Some(schema) = schema(name) {
            groups.entry(text(schema)).or_default().push(name.as_str());
        }
    }
    groups
}

fn rename(from: &str, to: &str, here: &Place) -> Edit {
    let edit = edit(EditKind::PropertyRenamed, &here.key(to).inside(to), None, None);
    Edit {
        path: here.new.key(to),
        old: Some(Value::from(from)),
        new: Some(Value::from(to)),
        at: here.old.clone(),
        action: Action::Rename,
        ..edit
    }
}
