//! The file as a whole.

use assent_document::{
    Fields, Kind, Node,
    readers::{list, text, word},
};

use super::{
    action, approval, call, context::Context, expectation, hook, input_answer, leaf::some_millis,
    load, names, scheduler, search, surface, tool,
};
use crate::{ClockKind, DEFAULT_APPROVAL_TIMEOUT, Mode, Scenario};

pub(super) fn scenario(node: &Node<'_>, context: &Context) -> Option<Scenario> {
    let mut fields = Fields::of(node)?;
    let scenario = Scenario {
        clock: fields.optional("clock", word).unwrap_or(ClockKind::Virtual),
        mode: fields.optional("mode", word).unwrap_or(Mode::Interactive),
        tools: fields.or_default("tools", |node| list(node, |node| tool::tool(node, context))),
        surface: fields.or_default("surface", |node| surface::surface(node, context)),
        rules: fields.or_default("rules", |node| context.rules(node)),
        policies: fields.optional("policies", text),
        hooks: fields.or_default("hooks", |node| list(node, |node| hook::hook(node, context))),
        approvals: fields
            .or_default("approvals", |node| list(node, |node| approval::approval(node, context))),
        inputs: fields.or_default("inputs", |node| {
            list(node, |node| input_answer::input_answer(node, context))
        }),
        approval_timeout: fields
            .optional("approval_timeout_ms", some_millis)
            .unwrap_or(DEFAULT_APPROVAL_TIMEOUT),
        scheduler: fields.or_default("scheduler", scheduler::scheduler),
        searches: fields.or_default("search", |node| list(node, search::search)),
        calls: fields.or_default("calls", |node| list(node, |node| call::call(node, context))),
        actions: fields
            .or_default("actions", |node| list(node, |node| action::action(node, context))),
        expectations: fields.or_default("expect", |node| {
            list(node, |node| expectation::expectation(node, context))
        }),
    };
    let written = node.member("tools").map_or(0, |tools| match tools.kind() {
        Kind::List => tools.items().map_or(0, Iterator::count),
        _ => usize::MAX,
    });
    let all_tools = scenario.tools.len() == written;
    names::check(node, context, &scenario, all_tools);
    load::policies(node, &scenario, all_tools);
    Some(scenario)
}
