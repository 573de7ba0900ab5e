//! What the runtime and the policy would refuse when a scenario is loaded, told with its place like
//! everything else that is wrong with a file.
//!
//! Each thing is tried by itself, and only if nothing else is wrong with it: whatever is left out for
//! a mistake would make others look wrong.

use assent_json::Position;
use assent_policy::{Place, Policy, PolicyProblem, ProblemKind};

use super::at::At;
use crate::{Rule, Scenario, Scheduler, Tool, run};

/// Where the records of a tool and a file have the same thing; the first beginning that fits counts.
const KEYS: [(&str, &str); 7] = [
    ("/declaration/input_contract/model_input_schema", "/input_schema"),
    ("/declaration/output_contract/structured_schema", "/output_schema"),
    ("/declaration/input_contract", ""),
    ("/declaration/tool_id", "/name"),
    ("/declaration", ""),
    ("/interface/classifier_input", "/safety"),
    ("/interface/is_", "/safety/"),
];

pub(super) fn tool(at: &At<'_>, tool: &Tool) {
    let tried = run::try_out(&mut at.reading.catalog.borrow_mut(), tool);
    for (field, message) in tried.err().unwrap_or_default() {
        let key = KEYS.iter().find_map(|(record, key)| {
            let rest = field.strip_prefix(record)?;
            Some(format!("{key}{rest}"))
        });
        at.nearest(&key.unwrap_or(field)).problem(message);
    }
}

pub(super) fn rule(at: &At<'_>, rule: &Rule) {
    let spec = match run::rule_spec(rule) {
        Ok(spec) => spec,
        Err(error) => return at.problem(error.to_string()),
    };
    let loaded = Policy::load([spec], None, std::iter::empty());
    for PolicyProblem { place, kind, .. } in loaded.err().unwrap_or_default() {
        match place {
            Place::Rule { pointer, .. } => at.nearest(pointer.as_str()).problem(kind.to_string()),
            Place::Grant(_) | Place::Cedar(_) => at.problem(kind.to_string()),
        }
    }
}

pub(super) fn scheduler(at: &At<'_>, scheduler: &Scheduler) {
    if let Err(error) = run::scheduler_policy(scheduler) {
        at.nearest("/yield_policy").problem(error.to_string());
    }
}

/// The policies, with all rules and tools. `all_tools` says that no tool was left out.
pub(super) fn policies(at: &At<'_>, scenario: &Scenario, all_tools: bool) {
    let rules: Vec<_> =
        scenario.rules.iter().filter_map(|rule| run::rule_spec(rule).ok()).collect();
    let loaded = run::load_policy(scenario, &rules);
    for PolicyProblem { place, kind, .. } in loaded.err().unwrap_or_default() {
        match (place, kind) {
            // Without all tools, a policy may speak of one that is there in truth.
            (Place::Cedar(position), kind @ ProblemKind::CedarSyntax(_)) => {
                policy_problem(at, position, &kind);
            }
            (Place::Cedar(position), kind) if all_tools => policy_problem(at, position, &kind),
            (Place::Rule { .. }, kind @ ProblemKind::TooManyRules(_)) => {
                at.nearest("/rules").problem(kind.to_string());
            }
            // Every rule was told of where it stands.
            (Place::Cedar(_) | Place::Rule { .. } | Place::Grant(_), _) => {}
        }
    }
}

fn policy_problem(at: &At<'_>, position: Position, kind: &ProblemKind) {
    let at = at.nearest("/policies");
    let super::tree::Data::Text(text) = &at.node.data else { return at.problem(kind.to_string()) };
    match offset_of(&at, text, position) {
        Some(offset) => at.reading.problem(offset, &at.path, kind.to_string()),
        None => at.problem(format!("{position} of the policies: {kind}")),
    }
}

/// The byte of the file that a place in a text of several lines is written at. Only a text that stands
/// there line by line, all lines indented alike, has one.
fn offset_of(at: &At<'_>, text: &str, position: Position) -> Option<usize> {
    let start = at.node.offset;
    let indent = at.reading.position(start).column.checked_sub(1)?;
    let down = position.line.checked_sub(1)?;
    let line = text.split('\n').nth(down)?;
    let written = at.reading.text_from(start);
    let mut begin = 0;
    for _ in 0..down {
        let rest = written.get(begin..)?;
        begin += rest.iter().position(|byte| *byte == b'\n')? + 1;
    }
    if down > 0 {
        begin += indent;
    }
    let stands_there = written.get(begin..)?.starts_with(line.as_bytes());
    let before: usize =
        line.chars().take(position.column.checked_sub(1)?).map(char::len_utf8).sum();
    stands_there.then_some(start + begin + before)
}
