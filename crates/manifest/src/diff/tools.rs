//! Changes of tools.

use assent_json::Pointer;
use serde_json::{Map, Value};

use super::{
    Change, ChangeKind, Changes, Rule,
    change::becomes,
    compare_order, compare_unknown, input_schema,
    rename::renames,
    scopes::{Scope, scopes},
};

/// A tool of a manifest and its place in the list.
#[derive(Clone, Copy)]
pub(super) struct Tool<'m> {
    pub(super) name: &'m str,
    index: usize,
    entry: &'m Map<String, Value>,
}

impl<'m> Tool<'m> {
    pub(super) fn path(&self) -> Pointer {
        Pointer::root().key("tools").index(self.index)
    }

    pub(super) fn scope(&self) -> Option<&'m str> {
        self.entry.get("permission_scope")?.as_str()
    }

    pub(super) fn input_schema(&self) -> Option<&'m Value> {
        self.entry.get("input_schema")
    }
}

fn tools(manifest: &Map<String, Value>) -> Vec<Tool<'_>> {
    let list = manifest.get("tools").and_then(Value::as_array).into_iter().flatten();
    list.enumerate()
        .filter_map(|(index, entry)| {
            let entry = entry.as_object()?;
            Some(Tool { name: entry.get("name")?.as_str()?, index, entry })
        })
        .collect()
}

pub(super) fn compare(old: &Map<String, Value>, new: &Map<String, Value>, changes: &mut Changes) {
    let (before, after) = (tools(old), tools(new));
    let gone: Vec<_> = before
        .iter()
        .filter(|old| !after.iter().any(|new| new.name == old.name))
        .copied()
        .collect();
    let fresh: Vec<_> = after
        .iter()
        .filter(|new| !before.iter().any(|old| old.name == new.name))
        .copied()
        .collect();
    let renamed = renames(&gone, &fresh, likeness);
    let mut judge = input_schema::Judge::default();
    let context = Context { old_scopes: scopes(old), new_scopes: scopes(new) };
    for tool in &after {
        let same_name = before.iter().find(|old| old.name == tool.name);
        let position = fresh.iter().position(|fresh| fresh.name == tool.name);
        let partner = renamed.iter().find(|(_, fresh)| Some(**fresh) == position);
        let partner = partner.and_then(|(index, _)| gone.get(*index));
        match (same_name, partner) {
            (Some(old), _) => compare_tool(old, tool, &context, &mut judge, changes),
            (None, Some(old)) => {
                rename(old, tool, changes);
                compare_tool(old, tool, &context, &mut judge, changes);
            }
            (None, None) => add(tool, changes),
        }
    }
    for (index, tool) in gone.iter().enumerate() {
        if !renamed.contains_key(&index) {
            remove(tool, &context, changes);
        }
    }
    compare_order(&names(&before), &names(&after), &Pointer::root().key("tools"), "tools", changes);
}

fn names<'m>(tools: &[Tool<'m>]) -> Vec<&'m str> {
    tools.iter().map(|tool| tool.name).collect()
}

/// What a tool's fields refer to.
struct Context<'m> {
    old_scopes: Vec<Scope<'m>>,
    new_scopes: Vec<Scope<'m>>,
}

/// Tools that take the same input under the same scope are the same tool under another name.
fn likeness(old: &Tool<'_>, new: &Tool<'_>) -> u32 {
    let same = |field: &str| {
        old.entry.get(field).is_some() && old.entry.get(field) == new.entry.get(field)
    };
    let described_alike = same("description_i18n_key") || same("description_fallback");
    if !same("permission_scope") || !(same("input_schema") || described_alike) {
        return 0;
    }
    let weights = [
        ("input_schema", 4),
        ("description_i18n_key", 4),
        ("description_fallback", 2),
        ("timeout_ms", 1),
        ("required", 1),
    ];
    weights.iter().filter(|(field, _)| same(field)).map(|(_, weight)| weight).sum()
}

fn add(tool: &Tool<'_>, changes: &mut Changes) {
    let change = Change::new(
        ChangeKind::ToolAdded,
        Rule::ToolAdded,
        &tool.path(),
        format!(
            "there is a new tool, `{}`, under `{}`",
            tool.name,
            tool.scope().unwrap_or_default()
        ),
    );
    changes.add(change.to(Some(&Value::Object(tool.entry.clone()))), tool.scope());
}

fn remove(tool: &Tool<'_>, context: &Context<'_>, changes: &mut Changes) {
    let change = Change::new(
        ChangeKind::ToolRemoved,
        Rule::ToolRemoved,
        &tool.path(),
        format!("the tool `{}` is gone", tool.name),
    );
    // A scope that no longer exists cannot be agreed to.
    let scope = tool.scope().filter(|id| context.new_scopes.iter().any(|scope| scope.id == *id));
    changes.add(change.from(Some(&Value::Object(tool.entry.clone()))), scope);
}

fn rename(old: &Tool<'_>, new: &Tool<'_>, changes: &mut Changes) {
    let change = Change::new(
        ChangeKind::ToolRenamed,
        Rule::ToolRenamed,
        &new.path().key("name"),
        format!("the tool `{}` is now called `{}`", old.name, new.name),
    );
    let (before, after) = (Value::from(old.name), Value::from(new.name));
    changes.add(change.from(Some(&before)).to(Some(&after)), new.scope());
}

fn compare_tool(
    old: &Tool<'_>,
    new: &Tool<'_>,
    context: &Context<'_>,
    judge: &mut input_schema::Judge,
    changes: &mut Changes,
) {
    compare_scope(old, new, context, changes);
    let fields = [
        ("description_i18n_key", Rule::ToolTextChanged),
        ("description_fallback", Rule::ToolTextChanged),
        ("required", Rule::ToolRequiredChanged),
        ("timeout_ms", Rule::ToolTimeoutChanged),
    ];
    for (field, rule) in fields {
        let (before, after) = (old.entry.get(field), new.entry.get(field));
        if before != after {
            let path = if after.is_some() { new.path() } else { old.path() };
            let change = Change::new(
                ChangeKind::ToolChanged,
                rule,
                &path.key(field),
                format!("`{field}` of `{}` {}", new.name, becomes(before, after)),
            );
            changes.add(change.from(before).to(after), new.scope());
        }
    }
    judge.compare(old, new, changes);
    let known: Vec<&str> = fields
        .iter()
        .map(|(field, _)| *field)
        .chain(["name", "permission_scope", "input_schema"])
        .collect();
    let owner = format!("`{}`", new.name);
    compare_unknown(old.entry, new.entry, &known, &old.path(), &new.path(), &owner, changes);
}

fn compare_scope(old: &Tool<'_>, new: &Tool<'_>, context: &Context<'_>, changes: &mut Changes) {
    if old.scope() == new.scope() {
        return;
    }
    let level = |scopes: &[Scope<'_>], id: Option<&str>| {
        scopes.iter().find(|scope| Some(scope.id) == id).and_then(Scope::sensitivity)
    };
    let before = level(&context.old_scopes, old.scope());
    let after = level(&context.new_scopes, new.scope());
    let rule = match after.cmp(&before) {
        std::cmp::Ordering::Greater => Rule::SensitivityRaised,
        std::cmp::Ordering::Less => Rule::SensitivityLowered,
        std::cmp::Ordering::Equal => Rule::ToolScopeChanged,
    };
    let (was, is) = (old.scope().unwrap_or_default(), new.scope().unwrap_or_default());
    let change = Change::new(
        ChangeKind::ToolChanged,
        rule,
        &new.path().key("permission_scope"),
        format!("`{}` asks for the scope `{is}` instead of `{was}`", new.name),
    );
    let (was, is) = (old.entry.get("permission_scope"), new.entry.get("permission_scope"));
    changes.add(change.from(was).to(is), new.scope());
}
