//! Reports what the runtime and the policy would refuse when a scenario is loaded.
//!
//! Each part is tried on its own, and only if no other mistake was found in it: a part that is left
//! out because of a mistake would make others look wrong.

use assent_cedar::{CedarProblem, CedarProblemKind, LoadError};
use assent_document::Node;
use assent_json::Pointer;

use super::context::Context;
use crate::{Scenario, Scheduler, Tool, run};

/// Maps fields of a tool's records to keys of the file. The first prefix that fits counts.
const KEYS: [(&str, &str); 7] = [
    ("/declaration/input_contract/model_input_schema", "/input_schema"),
    ("/declaration/output_contract/structured_schema", "/output_schema"),
    ("/declaration/input_contract", ""),
    ("/declaration/tool_id", "/name"),
    ("/declaration", ""),
    ("/interface/classifier_input", "/safety"),
    ("/interface/is_", "/safety/"),
];

/// Reports why a tool cannot be registered.
pub(super) fn tool(node: &Node<'_>, context: &Context, tool: &Tool) {
    let tried = run::try_out(&mut context.catalog.borrow_mut(), tool);
    for (field, message) in tried.err().unwrap_or_default() {
        let key = KEYS.iter().find_map(|(record, key)| {
            let rest = field.strip_prefix(record)?;
            Some(format!("{key}{rest}"))
        });
        node.nearest(&pointer(&key.unwrap_or(field))).problem(message);
    }
}

/// Reports why the scheduler's policy cannot be used.
pub(super) fn scheduler(node: &Node<'_>, scheduler: &Scheduler) {
    if let Err(error) = run::scheduler_policy(scheduler) {
        node.nearest(&pointer("/yield_policy")).problem(error.to_string());
    }
}

/// Reports the problems of the Cedar policies. `all_tools` is `false` if a tool was left out because of
/// a mistake in it; only the syntax is checked then.
pub(super) fn policies(node: &Node<'_>, scenario: &Scenario, all_tools: bool) {
    let Some(node) = node.member("policies") else { return };
    let Err(LoadError { policies, .. }) = run::load_policy(scenario) else { return };
    for CedarProblem { position, kind, .. } in policies {
        if all_tools || matches!(kind, CedarProblemKind::Syntax(_)) {
            node.problem_in_text(position, &kind.to_string());
        }
    }
}

fn pointer(text: &str) -> Pointer {
    Pointer::from_tokens(Pointer::tokens(text))
}
