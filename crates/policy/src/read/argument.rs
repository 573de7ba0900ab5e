//! Conditions on arguments.

use assent_document::{
    Fields, Kind, Node,
    readers::{any, boolean, list, number, some_text, text},
};
use serde_json::Value;

use crate::{ArgumentSpec, CommandSpec};

/// The keys of the tests.
const TESTS: [&str; 12] = [
    "equals", "matches", "under", "host", "url", "command", "in", "above", "below", "absent",
    "digest", "shape",
];

/// Reads a condition. Whether its patterns compile is checked with the rule.
pub(super) fn argument(node: &Node<'_>) -> Option<ArgumentSpec> {
    let mut fields = Fields::of(node)?;
    let path = fields.required("path", text);
    let argument = ArgumentSpec {
        path: String::new(),
        equals: fields.optional("equals", any),
        matches: fields.optional("matches", text),
        under: fields.optional("under", some_text),
        host: fields.optional("host", some_text),
        url: fields.optional("url", some_text),
        command: fields.optional("command", command),
        one_of: fields.optional("in", some_values),
        above: fields.optional("above", number),
        below: fields.optional("below", number),
        absent: fields.optional("absent", boolean),
        digest: fields.optional("digest", some_text),
        shape: fields.optional("shape", some_text),
    };
    if !TESTS.iter().any(|test| fields.has(test)) {
        node.problem(format!("nothing is tested: add one of `{}`", TESTS.join("`, `")));
    }
    Some(ArgumentSpec { path: path?, ..argument })
}

/// Reads a list that is not empty: no value is one of none.
fn some_values(node: &Node<'_>) -> Option<Vec<Value>> {
    let values = list(node, any)?;
    if values.is_empty() {
        node.problem("the list must not be empty");
        return None;
    }
    Some(values)
}

fn command(node: &Node<'_>) -> Option<CommandSpec> {
    match node.kind() {
        Kind::List => list(node, some_text).map(CommandSpec::Any),
        _ => some_text(node).map(CommandSpec::One),
    }
}
