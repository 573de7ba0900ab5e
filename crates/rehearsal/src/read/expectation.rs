//! `expect`.

use std::collections::BTreeMap;

use assent_ids::CallId;

use super::{
    at::At,
    fields::Fields,
    leaf::{any, boolean, whole, word},
    names,
    tree::Data,
};
use crate::{CallExpectation, Expectation, vocabulary::vocabulary};

vocabulary! {
    /// What an expectation is about.
    Subject {
        Call = "call",
        Executed = "executed",
        Delivered = "delivered",
    }
}

pub(super) fn expectation(at: &At<'_>) -> Option<Expectation> {
    let mut fields = Fields::of(at)?;
    // Beside a call, `executed` is about that call.
    let subject = if fields.has("call") { Subject::Call } else { fields.choice()? };
    match subject {
        Subject::Call => of_call(at, &mut fields).map(Expectation::Call),
        Subject::Executed => fields.required("executed", executed).map(Expectation::Executed),
        Subject::Delivered => fields.required("delivered", delivered).map(Expectation::Delivered),
    }
}

fn of_call(at: &At<'_>, fields: &mut Fields<'_, '_>) -> Option<CallExpectation> {
    let call = fields.required("call", names::call);
    let status = fields.optional("status", word);
    let error_class = fields.optional("error_class", word);
    let executed = fields.optional("executed", boolean);
    let result_contains = fields.optional("result_contains", any);
    let says_something = ["status", "error_class", "executed", "result_contains"];
    if !says_something.iter().any(|key| fields.has(key)) {
        at.problem("nothing is expected of the call: add `status`, `error_class`, `executed` or `result_contains`");
    }
    Some(CallExpectation { call: call?, status, error_class, executed, result_contains })
}

fn executed(at: &At<'_>) -> Option<BTreeMap<String, u64>> {
    let Data::Map(members) = &at.node.data else {
        at.expected("an object with a number for each tool");
        return None;
    };
    let mut counts = BTreeMap::new();
    for member in members {
        let Some(count) = at.member(&member.key) else { continue };
        names::mention_tool(&count, &member.key);
        counts.extend(
            whole(&count, 0..=u64::from(u32::MAX)).map(|count| (member.key.clone(), count)),
        );
    }
    Some(counts)
}

fn delivered(at: &At<'_>) -> Option<Vec<CallId>> {
    let mut calls = Vec::new();
    for item in at.items()? {
        let Some(call) = names::call(&item) else { continue };
        if calls.contains(&call) {
            item.problem(format!("`{call}` is named twice"));
        }
        calls.push(call);
    }
    Some(calls)
}
