//! Names that the parts of a file refer to each other by: each is declared once, and every reference
//! leads somewhere.

use std::collections::{BTreeMap, btree_map::Entry};

use assent_document::{
    Location, Node, nearest, quoted,
    readers::{parsed, some_text},
};
use assent_ids::CallId;

use super::{context::Context, dependencies::Dependencies, leaf};
use crate::Scenario;

/// What a name belongs to.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum NameKind {
    Tool,
    Hook,
    Call,
}

impl NameKind {
    fn word(self) -> &'static str {
        match self {
            Self::Tool => "tool",
            Self::Hook => "hook",
            Self::Call => "call",
        }
    }
}

/// The names that were declared, with their lines, and the references to them.
#[derive(Debug, Default)]
pub(super) struct Names {
    declared: BTreeMap<(NameKind, String), usize>,
    referenced_calls: Vec<(CallId, Location)>,
    referenced_tools: Vec<(String, Location)>,
    /// Patterns without wildcards, which must not fit more than one tool.
    bare_patterns: Vec<(String, Location)>,
    pub(super) dependencies: Dependencies,
}

/// Declares a name. Reports it if it is taken.
pub(super) fn declare(node: &Node<'_>, context: &Context, kind: NameKind, name: &str) {
    declare_as(node, context, kind, name, name.to_owned());
}

/// Like [`declare`], for a name that is unique only in its long form.
pub(super) fn declare_as(
    node: &Node<'_>,
    context: &Context,
    kind: NameKind,
    name: &str,
    long: String,
) {
    match context.names.borrow_mut().declared.entry((kind, long)) {
        Entry::Vacant(entry) => {
            entry.insert(node.position().line);
        }
        Entry::Occupied(entry) => {
            let (kind, name, line) = (kind.word(), quoted(name), entry.get());
            node.problem(format!("another {kind} is called `{name}`, in line {line}"));
        }
    }
}

/// Reads a reference to a call of the file.
pub(super) fn call(node: &Node<'_>, context: &Context) -> Option<CallId> {
    let call: CallId = parsed(node)?;
    context.names.borrow_mut().referenced_calls.push((call.clone(), node.location()));
    Some(call)
}

/// Reads a reference to a tool of the catalog.
pub(super) fn tool(node: &Node<'_>, context: &Context) -> Option<String> {
    let tool = some_text(node)?;
    refer_to_tool(node, context, &tool);
    Some(tool)
}

/// Notes a reference to a tool of the catalog.
pub(super) fn refer_to_tool(node: &Node<'_>, context: &Context, tool: &str) {
    context.names.borrow_mut().referenced_tools.push((tool.to_owned(), node.location()));
}

/// Reads a glob for tools. Without wildcards it must not fit more than one tool.
pub(super) fn tools(node: &Node<'_>, context: &Context) -> Option<String> {
    let glob = leaf::glob(node)?;
    if !glob.contains(['*', '?', '\\']) {
        context.names.borrow_mut().bare_patterns.push((glob.clone(), node.location()));
    }
    Some(glob)
}

/// Reports references that lead nowhere. `all_tools` is `false` if a tool was left out because of a
/// mistake in it; references to tools are not checked then.
pub(super) fn check(node: &Node<'_>, context: &Context, scenario: &Scenario, all_tools: bool) {
    let names = context.names.take();
    for (call, location) in &names.referenced_calls {
        if !names.declared.contains_key(&(NameKind::Call, call.to_string())) {
            let hint = hint(call.as_str(), names.calls());
            let message = format!("no call has the id `{}`{hint}", quoted(call.as_str()));
            node.problem_at_location(location, message);
        }
    }
    if all_tools {
        for (tool, location) in &names.referenced_tools {
            check_tool(node, scenario, tool, location);
        }
        for (tool, location) in &names.bare_patterns {
            check_unambiguous(node, scenario, tool, location);
        }
    }
    names.dependencies.check(node);
}

impl Names {
    fn calls(&self) -> impl Iterator<Item = &str> {
        let is_call = |(kind, _): &&(NameKind, String)| *kind == NameKind::Call;
        self.declared.keys().filter(is_call).map(|(_, name)| name.as_str())
    }
}

fn check_tool(node: &Node<'_>, scenario: &Scenario, written: &str, location: &Location) {
    if check_unambiguous(node, scenario, written, location) && scenario.tool(written).is_none() {
        let hint = hint(written, scenario.tools.iter().map(|tool| tool.name.as_str()));
        let message = format!("no tool is called `{}`{hint}", quoted(written));
        node.problem_at_location(location, message);
    }
}

/// Returns `true` if at most one tool has the name, and reports it otherwise.
fn check_unambiguous(
    node: &Node<'_>,
    scenario: &Scenario,
    written: &str,
    location: &Location,
) -> bool {
    let has_name = |tool: &crate::Tool| tool.is_named(written) || tool.has_alias(written);
    let is_unambiguous = scenario.tool(written).is_some() || !scenario.tools.iter().any(has_name);
    if !is_unambiguous {
        let name = quoted(written);
        let message = format!("more than one tool is called `{name}`; write `namespace/name`");
        node.problem_at_location(location, message);
    }
    is_unambiguous
}

fn hint<'c>(text: &str, candidates: impl Iterator<Item = &'c str>) -> String {
    nearest(text, candidates).map_or_else(String::new, |meant| format!("; did you mean `{meant}`?"))
}
