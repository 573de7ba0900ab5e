//! `expect`.

use std::collections::BTreeMap;

use assent_document::{
    Fields, Kind, Node,
    readers::{any, boolean, whole, word},
};
use assent_ids::CallId;

use super::{context::Context, names};
use crate::{CallExpectation, Expectation, vocabulary::vocabulary};

vocabulary! {
    /// The subject of an expectation.
    Subject {
        Call = "call",
        Executed = "executed",
        Delivered = "delivered",
    }
}

pub(super) fn expectation(node: &Node<'_>, context: &Context) -> Option<Expectation> {
    let mut fields = Fields::of(node)?;
    // With a `call`, `executed` refers to that call.
    let subject = if fields.has("call") { Subject::Call } else { fields.choice()? };
    match subject {
        Subject::Call => of_call(node, context, &mut fields).map(Expectation::Call),
        Subject::Executed => {
            fields.required("executed", |node| executed(node, context)).map(Expectation::Executed)
        }
        Subject::Delivered => fields
            .required("delivered", |node| delivered(node, context))
            .map(Expectation::Delivered),
    }
}

fn of_call(
    node: &Node<'_>,
    context: &Context,
    fields: &mut Fields<'_, '_>,
) -> Option<CallExpectation> {
    let call = fields.required("call", |node| names::call(node, context));
    let status = fields.optional("status", word);
    let error_class = fields.optional("error_class", word);
    let executed = fields.optional("executed", boolean);
    let result_contains = fields.optional("result_contains", any);
    let says_something = ["status", "error_class", "executed", "result_contains"];
    if !says_something.iter().any(|key| fields.has(key)) {
        node.problem("nothing is expected of the call: add `status`, `error_class`, `executed` or `result_contains`");
    }
    Some(CallExpectation { call: call?, status, error_class, executed, result_contains })
}

fn executed(node: &Node<'_>, context: &Context) -> Option<BTreeMap<String, u64>> {
    if node.kind() != Kind::Object {
        node.expected("an object with a number for each tool");
        return None;
    }
    let mut counts = BTreeMap::new();
    for (tool, count) in node.members()? {
        names::refer_to_tool(&count, context, tool);
        let count = whole(&count, 0..=u64::from(u32::MAX));
        counts.extend(count.map(|count| (tool.to_owned(), count)));
    }
    Some(counts)
}

fn delivered(node: &Node<'_>, context: &Context) -> Option<Vec<CallId>> {
    let mut calls = Vec::new();
    for item in node.items()? {
        let Some(call) = names::call(&item, context) else { continue };
        if calls.contains(&call) {
            item.problem(format!("`{call}` is named twice"));
        }
        calls.push(call);
    }
    Some(calls)
}
