//! `rules`.

use assent_ids::RuleId;
use serde_json::Value;

use super::{
    at::At,
    fields::Fields,
    leaf::{any, boolean, glob, id, list, number, pattern, pointer, some_text, word},
    load,
    names::{self, Kind},
    tree::Data,
};
use crate::{Condition, Rule, RuleExample, Test};

/// What an argument can be tested for.
const TESTS: [&str; 12] = [
    "equals", "matches", "under", "host", "url", "command", "in", "above", "below", "absent",
    "digest", "shape",
];

pub(super) fn rule(at: &At<'_>) -> Option<Rule> {
    let before = at.reading.count();
    let rule = written(at)?;
    if at.reading.count() == before {
        load::rule(at, &rule);
    }
    Some(rule)
}

fn written(at: &At<'_>) -> Option<Rule> {
    let mut fields = Fields::of(at)?;
    let id = fields.required("id", own_id);
    let verdict = fields.required("behavior", word);
    let source = fields.optional("source", word);
    let tool = fields.optional("tool", glob);
    let definition = fields.optional("definition", some_text);
    let operation = fields.optional("operation", some_text);
    let actor = fields.optional("actor", some_text);
    let arguments = fields.or_default("arguments", |at| list(at, condition));
    let bypass_immune = fields.or_default("bypass_immune", boolean);
    let matching = fields.or_default("match", |at| list(at, example));
    let not_matching = fields.or_default("not_match", |at| list(at, example));
    let written = at.node.to_value();
    Some(Rule {
        id: id?,
        verdict: verdict?,
        source,
        tool,
        definition,
        operation,
        actor,
        arguments,
        bypass_immune,
        matching,
        not_matching,
        written,
    })
}

/// A call that a rule is tried with when it is loaded.
fn example(at: &At<'_>) -> Option<RuleExample> {
    let mut fields = Fields::of(at)?;
    let tool = fields.optional("tool", some_text);
    let operation = fields.optional("operation", some_text);
    let actor = fields.optional("actor", some_text);
    let input = fields.required("input", any);
    Some(RuleExample { tool, operation, actor, input: input? })
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
        fields.optional("host", some_text).map(Test::Host),
        fields.optional("url", some_text).map(Test::Url),
        fields.optional("command", beginnings).map(Test::Command),
        fields.optional("in", some_values).map(Test::In),
        fields.optional("above", number).map(Test::Above),
        fields.optional("below", number).map(Test::Below),
        fields.optional("absent", boolean).map(Test::Absent),
        fields.optional("digest", some_text).map(Test::Digest),
        fields.optional("shape", some_text).map(Test::Shape),
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

/// One beginning of a command, or several.
fn beginnings(at: &At<'_>) -> Option<Vec<String>> {
    match at.node.data {
        Data::List(_) => list(at, some_text),
        _ => some_text(at).map(|one| vec![one]),
    }
}
