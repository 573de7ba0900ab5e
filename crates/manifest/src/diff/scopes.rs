//! Changes of permission scopes.

use std::collections::BTreeMap;

use assent_json::Pointer;
use assent_protocol::a2h::Sensitivity;
use serde_json::{Map, Value};

use super::{
    Change, ChangeKind, Changes, Rule, change::becomes, compare_order, compare_unknown,
    rename::renames,
};

/// A scope of a manifest and its place in the list.
#[derive(Clone, Copy)]
pub(super) struct Scope<'m> {
    pub(super) id: &'m str,
    index: usize,
    entry: &'m Map<String, Value>,
}

impl Scope<'_> {
    pub(super) fn sensitivity(&self) -> Option<Sensitivity> {
        self.entry.get("sensitivity")?.as_str()?.parse().ok()
    }

    fn path(&self) -> Pointer {
        Pointer::root().key("permission_scopes").index(self.index)
    }
}

/// The scopes of a manifest, in order.
pub(super) fn scopes(manifest: &Map<String, Value>) -> Vec<Scope<'_>> {
    let list = manifest.get("permission_scopes").and_then(Value::as_array).into_iter().flatten();
    list.enumerate()
        .filter_map(|(index, entry)| {
            let entry = entry.as_object()?;
            Some(Scope { id: entry.get("id")?.as_str()?, index, entry })
        })
        .collect()
}

pub(super) fn compare(old: &Map<String, Value>, new: &Map<String, Value>, changes: &mut Changes) {
    let (before, after) = (scopes(old), scopes(new));
    let by_id: BTreeMap<&str, Scope<'_>> = before.iter().map(|scope| (scope.id, *scope)).collect();
    let gone: Vec<_> =
        before.iter().filter(|old| !after.iter().any(|new| new.id == old.id)).copied().collect();
    let fresh: Vec<_> = after.iter().filter(|new| !by_id.contains_key(new.id)).copied().collect();
    let renamed = renames(&gone, &fresh, likeness);
    for scope in &after {
        if let Some(old) = by_id.get(scope.id) {
            compare_scope(old, scope, changes);
        } else {
            let position = fresh.iter().position(|fresh| fresh.id == scope.id);
            let partner = renamed.iter().find(|(_, fresh)| Some(**fresh) == position);
            match partner.and_then(|(gone_at, _)| gone.get(*gone_at)) {
                Some(old) => rename(old, scope, changes),
                None => add(scope, changes),
            }
        }
    }
    for (index, scope) in gone.iter().enumerate() {
        if !renamed.contains_key(&index) {
            remove(scope, changes);
        }
    }
    compare_order(
        &ids(&before),
        &ids(&after),
        &Pointer::root().key("permission_scopes"),
        "scopes",
        changes,
    );
}

fn ids<'m>(scopes: &[Scope<'m>]) -> Vec<&'m str> {
    scopes.iter().map(|scope| scope.id).collect()
}

/// Scopes with the same texts and sensitivity are the same scope under another id.
fn likeness(old: &Scope<'_>, new: &Scope<'_>) -> u32 {
    let same = |field: &str| {
        old.entry.get(field).is_some() && old.entry.get(field) == new.entry.get(field)
    };
    let texts =
        ["label_i18n_key", "description_i18n_key", "label_fallback", "description_fallback"];
    let same_texts = texts.iter().filter(|field| same(field)).count();
    if same("sensitivity") { u32::try_from(same_texts).unwrap_or(u32::MAX) } else { 0 }
}

fn add(scope: &Scope<'_>, changes: &mut Changes) {
    let level = scope.sensitivity().map_or("", |sensitivity| sensitivity.as_str());
    let change = Change::new(
        ChangeKind::ScopeAdded,
        Rule::ScopeAdded,
        &scope.path(),
        format!("the agent asks for a new scope, `{}` ({level} sensitivity)", scope.id),
    );
    changes.add(change.to(Some(&Value::Object(scope.entry.clone()))), Some(scope.id));
}

fn remove(scope: &Scope<'_>, changes: &mut Changes) {
    let change = Change::new(
        ChangeKind::ScopeRemoved,
        Rule::ScopeRemoved,
        &scope.path(),
        format!("the agent no longer asks for the scope `{}`", scope.id),
    );
    changes.add(change.from(Some(&Value::Object(scope.entry.clone()))), None);
}

fn rename(old: &Scope<'_>, new: &Scope<'_>, changes: &mut Changes) {
    let change = Change::new(
        ChangeKind::ScopeRenamed,
        Rule::ScopeRenamed,
        &new.path().key("id"),
        format!("the scope `{}` is now called `{}`", old.id, new.id),
    );
    let (before, after) = (Value::from(old.id), Value::from(new.id));
    changes.add(change.from(Some(&before)).to(Some(&after)), Some(new.id));
    compare_scope(old, new, changes);
}

fn compare_scope(old: &Scope<'_>, new: &Scope<'_>, changes: &mut Changes) {
    if let (Some(before), Some(after)) = (old.sensitivity(), new.sensitivity())
        && before != after
    {
        let (rule, verb) = if after > before {
            (Rule::SensitivityRaised, "rose")
        } else {
            (Rule::SensitivityLowered, "fell")
        };
        let change = Change::new(
            ChangeKind::ScopeChanged,
            rule,
            &new.path().key("sensitivity"),
            format!(
                "the sensitivity of `{}` {verb} from {} to {}",
                new.id,
                before.as_str(),
                after.as_str()
            ),
        );
        let change = change.from(old.entry.get("sensitivity")).to(new.entry.get("sensitivity"));
        changes.add(change, Some(new.id));
    }
    let texts =
        ["label_i18n_key", "description_i18n_key", "label_fallback", "description_fallback"];
    for field in texts {
        let (before, after) = (old.entry.get(field), new.entry.get(field));
        if before != after {
            let path = if after.is_some() { new.path() } else { old.path() };
            let change = Change::new(
                ChangeKind::ScopeChanged,
                Rule::ScopeTextChanged,
                &path.key(field),
                format!("`{field}` of the scope `{}` {}", new.id, becomes(before, after)),
            );
            changes.add(change.from(before).to(after), None);
        }
    }
    let known: Vec<&str> = texts.into_iter().chain(["id", "sensitivity"]).collect();
    let owner = format!("the scope `{}`", new.id);
    compare_unknown(old.entry, new.entry, &known, &old.path(), &new.path(), &owner, changes);
}
