//! What changed from one manifest to the next, and whether it is breaking.

mod change;
mod input_schema;
mod rename;
mod rule;
mod scopes;
mod tools;

use std::collections::BTreeSet;

use assent_json::Pointer;
use serde_json::{Map, Value};

pub use self::{
    change::{Change, ChangeKind},
    rule::Rule,
};
use crate::{CheckOptions, Finding, RuleSet, check_document};

/// All that changed from one manifest to another.
#[derive(Debug, Clone, PartialEq, serde::Serialize)]
pub struct Diff {
    /// True if people have to be asked again.
    pub breaking: bool,
    /// Every change, in the order of the manifest.
    pub changes: Vec<Change>,
    /// Those of the changes that are breaking.
    pub breaking_changes: Vec<Change>,
    /// The scopes that people have to agree to again.
    pub scopes_requiring_reauth: BTreeSet<String>,
}

/// One of the two manifests.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Side {
    /// The earlier one.
    Old,
    /// The later one.
    New,
}

/// A manifest that cannot be compared, because it is not valid.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct DiffError {
    /// Which one.
    pub side: Side,
    /// What is wrong with it.
    pub errors: Vec<Finding>,
}

/// Compares two manifests.
///
/// # Errors
///
/// If one of them is not valid by the canonical rules; the old one is looked at first.
pub fn diff(old: &[u8], new: &[u8], rules: RuleSet) -> Result<Diff, DiffError> {
    let old = valid_manifest(old, Side::Old)?;
    let new = valid_manifest(new, Side::New)?;
    Ok(diff_valid(&old, &new, rules))
}

fn valid_manifest(source: &[u8], side: Side) -> Result<Value, DiffError> {
    let document = assent_json::read(source).map_err(|_| DiffError {
        side,
        errors: crate::check(source, CheckOptions::default()).errors,
    })?;
    // Who owns the agent was decided when the manifest was published.
    let options = CheckOptions { platform_owned: true, ..CheckOptions::default() };
    let errors = check_document(&document, options).errors;
    if !errors.is_empty() {
        return Err(DiffError { side, errors });
    }
    // The order of keys means nothing, so changes do not follow it.
    let mut manifest = document.root().to_value();
    manifest.sort_all_objects();
    Ok(manifest)
}

fn diff_valid(old: &Value, new: &Value, rules: RuleSet) -> Diff {
    let mut changes = Changes::new(rules);
    if let (Value::Object(old), Value::Object(new)) = (old, new) {
        compare_top(old, new, &mut changes);
        tools::compare(old, new, &mut changes);
        scopes::compare(old, new, &mut changes);
        compare_flags(old, new, &mut changes);
        compare_unknown(
            old,
            new,
            &["schema_version", "agent_version", "tools", "permission_scopes", "capability_flags"],
            &Pointer::root(),
            &Pointer::root(),
            "the manifest",
            &mut changes,
        );
    }
    changes.into_diff()
}

/// Collects changes and judges them by the rules.
struct Changes {
    rules: RuleSet,
    found: Vec<Change>,
    reauth: BTreeSet<String>,
}

impl Changes {
    fn new(rules: RuleSet) -> Self {
        Self { rules, found: Vec::new(), reauth: BTreeSet::new() }
    }

    /// Adds a change. If it is breaking, people are asked again for `scope`.
    fn add(&mut self, mut change: Change, scope: Option<&str>) {
        change.breaking = change.rule.is_breaking(self.rules);
        if change.breaking {
            self.reauth.extend(scope.map(str::to_owned));
        }
        self.found.push(change);
    }

    fn into_diff(self) -> Diff {
        let breaking_changes: Vec<_> =
            self.found.iter().filter(|change| change.breaking).cloned().collect();
        Diff {
            breaking: !breaking_changes.is_empty(),
            changes: self.found,
            breaking_changes,
            scopes_requiring_reauth: self.reauth,
        }
    }
}

fn compare_top(old: &Map<String, Value>, new: &Map<String, Value>, changes: &mut Changes) {
    let (before, after) = (old.get("agent_version"), new.get("agent_version"));
    if before != after {
        let change = Change::new(
            ChangeKind::VersionChanged,
            Rule::AgentVersionChanged,
            &Pointer::root().key("agent_version"),
            "the agent's own version number changed",
        );
        changes.add(change.from(before).to(after), None);
    }
}

fn compare_flags(old: &Map<String, Value>, new: &Map<String, Value>, changes: &mut Changes) {
    let empty = Map::new();
    let flags = |manifest: &Map<String, Value>| {
        manifest.get("capability_flags").and_then(Value::as_object).cloned()
    };
    let path = Pointer::root().key("capability_flags");
    let (old_flags, new_flags) = (flags(old), flags(new));
    if old_flags.is_some() != new_flags.is_some()
        && old_flags.iter().chain(&new_flags).all(Map::is_empty)
    {
        let change = Change::new(
            ChangeKind::FieldChanged,
            Rule::UnknownFieldChanged,
            &path,
            "an empty list of capability flags came or went",
        );
        changes.add(change.from(old.get("capability_flags")).to(new.get("capability_flags")), None);
    }
    let (before, after) =
        (old_flags.as_ref().unwrap_or(&empty), new_flags.as_ref().unwrap_or(&empty));
    let names: BTreeSet<&String> = before.keys().chain(after.keys()).collect();
    for name in names {
        let (was, is) = (before.get(name), after.get(name));
        if was == is {
            continue;
        }
        let on = |flag: Option<&Value>| flag == Some(&Value::Bool(true));
        let (rule, summary) = match (on(was), on(is)) {
            (true, false) => (Rule::FlagWithdrawn, format!("the agent no longer claims `{name}`")),
            (false, true) => (Rule::FlagAnnounced, format!("the agent now claims `{name}`")),
            _ => (Rule::UnknownFieldChanged, format!("the flag `{name}` is written differently")),
        };
        let change = Change::new(ChangeKind::FlagChanged, rule, &path.key(name), summary);
        changes.add(change.from(was).to(is), None);
    }
}

/// Reports the fields of two objects that are not in `known` and differ.
fn compare_unknown(
    old: &Map<String, Value>,
    new: &Map<String, Value>,
    known: &[&str],
    old_path: &Pointer,
    new_path: &Pointer,
    owner: &str,
    changes: &mut Changes,
) {
    let names: BTreeSet<&String> = old.keys().chain(new.keys()).collect();
    for name in names {
        let (before, after) = (old.get(name), new.get(name));
        if known.contains(&name.as_str()) || before == after {
            continue;
        }
        let path = if after.is_some() { new_path } else { old_path };
        let change = Change::new(
            ChangeKind::FieldChanged,
            Rule::UnknownFieldChanged,
            &path.key(name),
            format!(
                "the field `{name}` of {owner}, which the specification does not know, changed"
            ),
        );
        changes.add(change.from(before).to(after), None);
    }
}

/// Reports that a list has the same entries in another order.
fn compare_order(
    before: &[&str],
    after: &[&str],
    path: &Pointer,
    what: &str,
    changes: &mut Changes,
) {
    let both: BTreeSet<&&str> = before.iter().filter(|name| after.contains(name)).collect();
    let in_order = |list: &[&str]| -> Vec<String> {
        list.iter().filter(|name| both.contains(name)).map(|name| (*name).to_owned()).collect()
    };
    if in_order(before) != in_order(after) {
        let change = Change::new(
            ChangeKind::OrderChanged,
            Rule::OrderChanged,
            path,
            format!("the {what} stand in another order"),
        );
        changes.add(change, None);
    }
}
