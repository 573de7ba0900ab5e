//! The file as a whole.

use super::{
    action, approval,
    at::At,
    call, expectation,
    fields::Fields,
    hook, input_answer,
    leaf::{list, some_millis, text, word},
    load, names, rule, scheduler, search, surface, tool,
    tree::Data,
};
use crate::{ClockKind, DEFAULT_APPROVAL_TIMEOUT, Mode, Scenario};

pub(super) fn scenario(at: &At<'_>) -> Option<Scenario> {
    let mut fields = Fields::of(at)?;
    let scenario = Scenario {
        clock: fields.optional("clock", word).unwrap_or(ClockKind::Virtual),
        mode: fields.optional("mode", word).unwrap_or(Mode::Interactive),
        tools: fields.or_default("tools", |at| list(at, tool::tool)),
        surface: fields.or_default("surface", surface::surface),
        rules: fields.or_default("rules", |at| list(at, rule::rule)),
        policies: fields.optional("policies", text),
        hooks: fields.or_default("hooks", |at| list(at, hook::hook)),
        approvals: fields.or_default("approvals", |at| list(at, approval::approval)),
        inputs: fields.or_default("inputs", |at| list(at, input_answer::input_answer)),
        approval_timeout: fields
            .optional("approval_timeout_ms", some_millis)
            .unwrap_or(DEFAULT_APPROVAL_TIMEOUT),
        scheduler: fields.or_default("scheduler", scheduler::scheduler),
        searches: fields.or_default("search", |at| list(at, search::search)),
        calls: fields.or_default("calls", |at| list(at, call::call)),
        actions: fields.or_default("actions", |at| list(at, action::action)),
        expectations: fields.or_default("expect", |at| list(at, expectation::expectation)),
    };
    let written = at.member("tools").map_or(0, |tools| match &tools.node.data {
        Data::List(items) => items.len(),
        _ => usize::MAX,
    });
    let all_tools = scenario.tools.len() == written;
    names::check(at.reading, &scenario, all_tools);
    load::policies(at, &scenario, all_tools);
    Some(scenario)
}
