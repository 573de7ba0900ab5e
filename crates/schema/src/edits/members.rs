//! Edits of maps and lists whose entries are told one by one.

use serde_json::{Map, Value};

use super::{Edit, EditKind, Place, Walk, edit};

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
        let mut renamed = Vec::new();
        for name in &gone {
            match same_schema(name, &gone, &fresh, &in_old, &in_new).filter(|_| is_property) {
                Some(now) => {
                    renamed.push(now);
                    self.edits.push(rename(name, now, before, here));
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
                None if renamed.contains(&name.as_str()) => {}
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
            (None, Some(new)) => {
                let map = Map::from_iter([(name.to_owned(), new.clone())]);
                Edit { at: here.old.clone(), value: Some(Value::Object(map)), ..edit }
            }
            _ => edit,
        };
        // Definitions say nothing by themselves.
        self.edits.push(Edit { is_annotation: keyword == "$defs" && old.is_none(), ..edit });
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
        for (index, value) in before.iter().enumerate().filter(|(_, value)| !after.contains(value))
        {
            let without = before.iter().filter(|other| *other != value).cloned().collect();
            let edit = edit(removed, &here.index(index), Some(value), None);
            let edit = Edit { at: here.old.clone(), value: Some(Value::Array(without)), ..edit };
            self.edits.push(about_name(edit, value));
        }
        for (index, value) in after.iter().enumerate().filter(|(_, value)| !before.contains(value))
        {
            let with = before.iter().chain([value]).cloned().collect();
            let edit = edit(added, &here.index(index), None, Some(value));
            let edit = Edit { at: here.old.clone(), value: Some(Value::Array(with)), ..edit };
            self.edits.push(about_name(edit, value));
        }
        if self.edits.len() == first {
            self.edits.push(edit(EditKind::Reordered, here, old, new));
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

/// The new name of a property, if exactly one new property has just its schema.
fn same_schema<'s>(
    name: &str,
    gone: &[&'s String],
    fresh: &[&'s String],
    in_old: &dyn Fn(&str) -> Option<&'s Value>,
    in_new: &dyn Fn(&str) -> Option<&'s Value>,
) -> Option<&'s str> {
    let schema = in_old(name)?;
    let others = gone.iter().filter(|other| in_old(other) == Some(schema)).count();
    let mut candidates = fresh.iter().filter(|fresh| in_new(fresh) == Some(schema));
    match (candidates.next(), candidates.next()) {
        (Some(only), None) if others == 1 => Some(only.as_str()),
        _ => None,
    }
}

fn rename(from: &str, to: &str, before: Option<&Map<String, Value>>, here: &Place) -> Edit {
    let renamed: Map<String, Value> = before
        .into_iter()
        .flatten()
        .map(|(name, schema)| {
            (if name == from { to.to_owned() } else { name.clone() }, schema.clone())
        })
        .collect();
    let edit = edit(EditKind::PropertyRenamed, &here.key(to).inside(to), None, None);
    Edit {
        path: here.new.key(to),
        old: Some(Value::from(from)),
        new: Some(Value::from(to)),
        at: here.old.clone(),
        value: Some(Value::Object(renamed)),
        ..edit
    }
}
