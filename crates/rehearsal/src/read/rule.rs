//! `rules`.

use assent_ids::RuleId;
use serde_json::Value;

use super::{
    at::At,
    fields::Fields,
    leaf::{any, glob, id, list, number, pattern, pointer, some_text, word},
    names::{self, Kind},
};
use crate::{Condition, Rule, Test};

/// What an argument can be tested for.
const TESTS: [&str; 6] = ["equals", "matches", "under", "host", "in", "above"];

pub(super) fn rule(at: &At<'_>) -> Option<Rule> {
    let mut fields = Fields::of(at)?;
    let id = fields.required("id", own_id);
    let verdict = fields.required("behavior", word);
    let source = fields.optional("source", word);
    let tool = fields.optional("tool", glob);
    let arguments = fields.or_default("arguments", |at| list(at, condition));
    let written = at.node.to_value();
    Some(Rule { id: id?, verdict: verdict?, source, tool, arguments, written })
}

fn own_id(at: &At<'_>) -> Option<RuleId> {
    let rule: RuleId = id(at)?;
    names::give(at, Kind::Rule, rule.as_str());
    Some(rule)
}

fn condition(at: &At<'_>) -> Option<Condition> {
    let mut fields = Fields::of(at)?;
    let path = fields.required("path", pointer);
    let tests = [
        fields.optional("equals", any).map(Test::Equals),
        fields.optional("matches", pattern).map(Test::Matches),
        fields.optional("under", some_text).map(Test::Under),
        fields.optional("host", glob).map(Test::Host),
        fields.optional("in", some_values).map(Test::In),
        fields.optional("above", number).map(Test::Above),
    ];
    if !TESTS.iter().any(|test| fields.has(test)) {
        at.problem(format!("nothing is tested: add one of `{}`", TESTS.join("`, `")));
    }
    Some(Condition { path: path?, tests: tests.into_iter().flatten().collect() })
}

/// A list of values that is not empty: nothing is one of none.
fn some_values(at: &At<'_>) -> Option<Vec<Value>> {
    let values = list(at, any)?;
    if values.is_empty() {
        at.problem("the list must not be empty");
        return None;
    }
    Some(values)
}
