//! Rules that would have spared a question, the narrowest first.

use assent_json::{Digest, Kind, Node, Pointer};
use assent_protocol::{
    agent_tool::{Behavior, RuleSource, RulesUpdate, SuggestedUpdate},
    wire::{Object, Open},
};
use serde_json::Value;

use crate::{ArgumentSpec, CommandSpec, Glob, Question, RuleSpec, command, directory, host, shape};

/// The most arguments that a suggestion says something about.
const MAX_ARGUMENTS: usize = 16;

/// Offers rules for a call that is to be asked about: one for these very arguments; one for arguments
/// of the same shape in the same directory, at the same host, or with the same command; and, unless
/// the call can destroy something, one for the tool. All are bound to the definition of the tool and
/// to who calls, and belong to the session.
///
/// Nothing comes of a suggestion until somebody applies it. Whole arguments appear only as digests,
/// but directories, hosts and commands are written out: for inputs with sensitive fields there is
/// [`suggest_tool`].
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

/// The one suggestion of [`suggest`] that says nothing of arguments; none for a call that can destroy
/// something.
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

/// Conditions for arguments like these; none, if no argument names a place or a command.
fn alike(input: Node<'_>) -> Option<Vec<ArgumentSpec>> {
    let mut conditions =
        vec![ArgumentSpec { shape: Some(shape(input).to_string()), ..ArgumentSpec::default() }];
    let mut says_where = false;
    for (key, value) in input.members() {
        let path = Pointer::root().key(key).to_string();
        let condition = match value.kind() {
            Kind::String => place(&path, key, value.as_str().unwrap_or_default()),
            // A flag can change everything that a call does.
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

/// The directory, host or command that a text names.
fn place(path: &str, key: &str, text: &str) -> Option<ArgumentSpec> {
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
