//! Names that point across the file: each is given once, and what is referred to is there.

use std::collections::{BTreeMap, btree_map::Entry};

use assent_ids::CallId;
use assent_json::Pointer;

use super::{
    at::At,
    dependencies::Dependencies,
    leaf,
    nearest::{nearest, shown},
    reading::Reading,
};
use crate::Scenario;

/// What has a name of its own.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Kind {
    Tool,
    Rule,
    Hook,
    Call,
}

impl Kind {
    fn word(self) -> &'static str {
        match self {
            Self::Tool => "tool",
            Self::Rule => "rule",
            Self::Hook => "hook",
            Self::Call => "call",
        }
    }
}

/// A place that is remembered until the whole file is read.
#[derive(Debug, Clone)]
pub(super) struct Place {
    pub(super) offset: usize,
    pub(super) path: Pointer,
}

impl Place {
    pub(super) fn of(at: &At<'_>) -> Self {
        Self { offset: at.node.offset, path: at.path.clone() }
    }

    pub(super) fn problem(&self, reading: &Reading<'_>, message: impl Into<String>) {
        reading.problem(self.offset, &self.path, message);
    }
}

/// The names that were given, and those that were only mentioned.
#[derive(Debug, Default)]
pub(super) struct Names {
    given: BTreeMap<(Kind, String), usize>,
    mentioned_calls: Vec<(CallId, Place)>,
    mentioned_tools: Vec<(String, Place)>,
    /// Of which there may be none, but not several.
    bare_patterns: Vec<(String, Place)>,
    pub(super) dependencies: Dependencies,
}

/// Notes that a thing has this name; reports it if another one has it already.
pub(super) fn give(at: &At<'_>, kind: Kind, name: &str) {
    give_as(at, kind, name, name.to_owned());
}

/// As [`give`], for a name that is unique only in its long form.
pub(super) fn give_as(at: &At<'_>, kind: Kind, name: &str, long: String) {
    let given = &mut at.reading.names.borrow_mut().given;
    match given.entry((kind, long)) {
        Entry::Vacant(entry) => {
            entry.insert(at.node.offset);
        }
        Entry::Occupied(entry) => {
            let line = at.reading.position(*entry.get()).line;
            let (kind, name) = (kind.word(), shown(name));
            at.problem(format!("another {kind} is called `{name}`, in line {line}"));
        }
    }
}

/// The id of a call that must be somewhere in the file.
pub(super) fn call(at: &At<'_>) -> Option<CallId> {
    let call: CallId = leaf::id(at)?;
    at.reading.names.borrow_mut().mentioned_calls.push((call.clone(), Place::of(at)));
    Some(call)
}

/// The name of a tool that must be in the catalog.
pub(super) fn tool(at: &At<'_>) -> Option<String> {
    let tool = leaf::some_text(at)?;
    mention_tool(at, &tool);
    Some(tool)
}

/// Notes that this tool must be in the catalog.
pub(super) fn mention_tool(at: &At<'_>, tool: &str) {
    at.reading.names.borrow_mut().mentioned_tools.push((tool.to_owned(), Place::of(at)));
}

/// A glob for tools. If it has no wildcards it means one tool, and must not fit several.
pub(super) fn tools(at: &At<'_>) -> Option<String> {
    let glob = leaf::glob(at)?;
    if !glob.contains(['*', '?', '\\']) {
        at.reading.names.borrow_mut().bare_patterns.push((glob.clone(), Place::of(at)));
    }
    Some(glob)
}

/// Checks all that was mentioned. `all_tools` says that no tool was left out for a mistake in it.
pub(super) fn check(reading: &Reading<'_>, scenario: &Scenario, all_tools: bool) {
    let names = reading.names.take();
    for (call, place) in &names.mentioned_calls {
        if !names.given.contains_key(&(Kind::Call, call.to_string())) {
            let hint = hint(call.as_str(), names.calls());
            place.problem(reading, format!("no call has the id `{}`{hint}", shown(call.as_str())));
        }
    }
    if all_tools {
        for (tool, place) in &names.mentioned_tools {
            check_tool(reading, scenario, tool, place);
        }
        for (tool, place) in &names.bare_patterns {
            check_clear(reading, scenario, tool, place);
        }
    }
    names.dependencies.check(reading);
}

impl Names {
    fn calls(&self) -> impl Iterator<Item = &str> {
        self.given.keys().filter(|(kind, _)| *kind == Kind::Call).map(|(_, name)| name.as_str())
    }
}

fn check_tool(reading: &Reading<'_>, scenario: &Scenario, written: &str, place: &Place) {
    if check_clear(reading, scenario, written, place) && scenario.tool(written).is_none() {
        let hint = hint(written, scenario.tools.iter().map(|tool| tool.name.as_str()));
        place.problem(reading, format!("no tool is called `{}`{hint}", shown(written)));
    }
}

/// Whether at most one tool is meant; reports it if not.
fn check_clear(reading: &Reading<'_>, scenario: &Scenario, written: &str, place: &Place) -> bool {
    let known = |tool: &crate::Tool| tool.is_named(written) || tool.has_alias(written);
    let is_clear = scenario.tool(written).is_some() || !scenario.tools.iter().any(known);
    if !is_clear {
        let name = shown(written);
        let message = format!("more than one tool is called `{name}`; write `namespace/name`");
        place.problem(reading, message);
    }
    is_clear
}

fn hint<'c>(text: &str, candidates: impl Iterator<Item = &'c str>) -> String {
    nearest(text, candidates).map_or_else(String::new, |meant| format!("; did you mean `{meant}`?"))
}
