//! Suggests rules that would have made a question unnecessary, the narrowest first.

use assent_json::{Digest, Kind, Node, Pointer};
use assent_protocol::{
    agent_tool::{Behavior, RuleSource, RulesUpdate, SuggestedUpdate},
    wire::{Object, Open},
};
use serde_json::Value;

use crate::{ArgumentSpec, CommandSpec, Glob, Question, RuleSpec, command, directory, host, shape};

/// The most arguments that a suggestion has conditions on.
const MAX_ARGUMENTS: usize = 16;

/// Suggests rules for a call that a person is asked about: one for exactly these arguments; one for
/// arguments of the same shape in the same directory, at the same host, or with the same command; and,
/// unless the call is destructive, one for the tool. All are bound to the definition of the tool and to
/// the caller, and belong to the session.
///
/// A suggestion has no effect until it is applied. Whole arguments appear only as digests, but
/// directories, hosts and commands appear as text: use [`suggest_tool`] for inputs with sensitive fields.
#[must_use]
pub fn suggest(question: &Question<'_>) -> Vec<SuggestedUpdate> {
    let exact = vec![ArgumentSpec {
        digest: Some(Digest::of(&question.input.canonical()).to_string()),
        ..ArgumentSpec::default()
    }];
    let about_arguments = [Some(exact), alike(question.input)].into_iter().flatten();
    let about_arguments = about_arguments.map(|arguments| update(question, arguments));
    about_arguments.chain(suggest_tool(question)).collect()
}

/// Returns the suggestion of [`suggest`] that has no conditions on arguments; `None` for a destructive
/// call.
#[must_use]
pub fn suggest_tool(question: &Question<'_>) -> Option<SuggestedUpdate> {
    (!question.safety.destructive).then(|| update(question, Vec::new()))
}

fn update(question: &Question<'_>, arguments: Vec<ArgumentSpec>) -> SuggestedUpdate {
    let mut rule = RuleSpec {
        source: Some(RuleSource::Session),
        tool: Some(Glob::escape(question.tool_id)),
        definition: Some(question.definition.to_string()),
        operation: question.operation.map(Glob::escape),
        actor: question.actor.map(Glob::escape),
        arguments,
        ..RuleSpec::new("", Behavior::Allow)
    };
    let text = serde_json::to_vec(&rule).unwrap_or_default();
    let digest = assent_json::digest(&text).unwrap_or_else(|_| Digest::of(&text)).to_string();
    rule.id = format!("suggested-{}", digest.get(..16).unwrap_or_default());
    SuggestedUpdate::AddRules(RulesUpdate {
        behavior: Behavior::Allow,
        destination: Open::Known(RuleSource::Session),
        rules: vec![serde_json::to_value(&rule).unwrap_or(Value::Null)],
        extra: Object::new(),
    })
}

/// Returns conditions for similar arguments; `None` if no argument names a directory, host or command.
fn alike(input: Node<'_>) -> Option<Vec<ArgumentSpec>> {
    let mut conditions =
        vec![ArgumentSpec { shape: Some(shape(input).to_string()), ..ArgumentSpec::default() }];
    let mut says_where = false;
    for (key, value) in input.members() {
        let path = Pointer::root().key(key).to_string();
        let condition = match value.kind() {
            Kind::String => location(&path, key, value.as_str().unwrap_or_default()),
            // A flag can change the whole effect of a call.
            Kind::Boolean => None,
            _ => continue,
        };
        says_where |= condition.is_some();
        let flag = value.as_bool().map(|flag| equal(&path, flag));
        conditions.extend(condition.or(flag));
    }
    (says_where && conditions.len() <= MAX_ARGUMENTS).then_some(conditions)
}

fn equal(path: &str, flag: bool) -> ArgumentSpec {
    let equals = Some(Value::Bool(flag));
    ArgumentSpec { path: path.to_owned(), equals, ..ArgumentSpec::default() }
}

/// Returns a condition for the directory, host or command in a text.
fn location(path: &str, key: &str, text: &str) -> Option<ArgumentSpec> {
    let condition = ArgumentSpec { path: path.to_owned(), ..ArgumentSpec::default() };
    if let Some(directory) = directory::parent(text) {
        Some(ArgumentSpec { under: Some(directory), ..condition })
    } else if let Some(host) = host::shown(text) {
        Some(ArgumentSpec { host: Some(host), ..condition })
    } else if matches!(key, "command" | "cmd") {
        let command = Some(CommandSpec::One(command::beginning(text)?));
        Some(ArgumentSpec { command, ..condition })
    } else {
        None
    }
}
