//! Reads scripts, and reports every mistake with its line.

use std::{collections::BTreeMap, path::PathBuf, time::Duration};

use assent_document::{
    Fields, Format, Kind, Node, Problems,
    readers::{boolean, list, parsed, some_text, text, word},
};
use assent_ids::ToolName;
use assent_protocol::a2h::RelayEventType;
use assent_service::settings;
use serde_json::{Map, Value};

use super::{
    ArtifactStep, CallStep, Expectation, Script, ScriptAgent, Step, StepKind, WaitFor,
    template::{Part, parts},
};

/// The names that texts may refer to, in the order of the steps.
type Names = Vec<String>;

/// Reads a script.
pub(in crate::command::agent) fn read(bytes: &[u8], format: Format) -> Result<Script, Problems> {
    assent_document::read(bytes, format, script)
}

fn script(node: &Node<'_>) -> Option<Script> {
    let mut fields = Fields::of(node)?;
    let agent = fields.optional("agent", agent);
    let vars = fields.or_default("vars", vars);
    let mut names: Names = vars.keys().cloned().collect();
    let steps = fields.required("steps", |node| {
        let steps = list(node, |node| step(node, &mut names))?;
        if steps.is_empty() {
            node.problem("a script has at least one step");
        }
        Some(steps)
    });
    Some(Script { agent, vars, steps: steps? })
}

fn agent(node: &Node<'_>) -> Option<ScriptAgent> {
    let mut fields = Fields::of(node)?;
    let name = fields.optional("name", some_text);
    let manifest = fields.optional("manifest", file);
    fields.optional("mode", |node| {
        let mode = text(node)?;
        if mode != "websocket" {
            node.problem("agents of scripts connect by `websocket`");
        }
        Some(())
    });
    Some(ScriptAgent { name, manifest })
}

fn vars(node: &Node<'_>) -> Option<BTreeMap<String, Value>> {
    let vars = node.members()?.filter_map(|(key, node)| {
        check_name(&node, key)?;
        Some((key.to_owned(), node.to_value()))
    });
    Some(vars.collect())
}

fn step(node: &Node<'_>, names: &mut Names) -> Option<Step> {
    let mut fields = Fields::of(node)?;
    Some(match fields.choice::<StepKind>()? {
        StepKind::Wait => Step::Wait(fields.required("wait", wait_for)?),
        StepKind::Say => Step::Say(fields.required("say", |node| template_text(node, names))?),
        StepKind::Call => Step::Call(call(&mut fields, names)?),
        StepKind::Artifact => Step::Artifact(artifact(&mut fields, names)?),
        StepKind::Parallel => {
            Step::Parallel(fields.required("parallel", |node| {
                list(node, |node| call(&mut Fields::of(node)?, names))
            })?)
        }
        StepKind::Publish => {
            let file = fields.required("publish", file);
            let breaking =
                fields.optional("expect", |node| Fields::of(node)?.required("breaking", boolean));
            Step::Publish { file: file?, breaking }
        }
        StepKind::ExpectEvent => Step::ExpectEvent(fields.required("expect_event", event_type)?),
    })
}

fn wait_for(node: &Node<'_>) -> Option<WaitFor> {
    match text(node)?.as_str() {
        "relation" => Some(WaitFor::Relation),
        "message" => Some(WaitFor::Message),
        "reauth" => Some(WaitFor::Reauth),
        text => match settings::duration(text) {
            Ok(time) => Some(WaitFor::Time(time)),
            Err(_) => {
                node.problem("expected `relation`, `message`, `reauth`, or a time such as `5s`");
                None
            }
        },
    }
}

fn call(fields: &mut Fields<'_, '_>, names: &mut Names) -> Option<CallStep> {
    let tool = fields.required("call", parsed::<ToolName>);
    let arguments = fields.or_default("with", |node| template_object(node, names));
    let reason = fields.optional("reason", |node| template_text(node, names));
    let timeout = fields.optional("timeout", duration);
    let expect = fields.optional("expect", |node| expectation(node, names));
    let save = fields.optional("save", |node| save(node, names));
    Some(CallStep { tool: tool?, arguments, reason, timeout, save, expect })
}

fn artifact(fields: &mut Fields<'_, '_>, names: &mut Names) -> Option<ArtifactStep> {
    let artifact = fields.required("artifact", |node| template_object(node, names));
    let timeout = fields.optional("timeout", duration);
    let expect = fields.optional("expect", |node| expectation(node, names));
    let save = fields.optional("save", |node| save(node, names));
    Some(ArtifactStep { artifact: artifact?, timeout, save, expect })
}

fn expectation(node: &Node<'_>, names: &Names) -> Option<Expectation> {
    let mut fields = Fields::of(node)?;
    let status = fields.optional("status", word);
    let reason = fields.optional("reason", some_text);
    let error_code = fields.optional("error_code", some_text);
    let result_contains = fields.optional("result_contains", |node| template_object(node, names));
    let keys = ["status", "reason", "error_code", "result_contains"];
    if !keys.iter().any(|key| fields.has(key)) {
        node.problem(
            "nothing is expected: add `status`, `reason`, `error_code` or `result_contains`",
        );
    }
    Some(Expectation { status, reason, error_code, result_contains })
}

fn save(node: &Node<'_>, names: &mut Names) -> Option<String> {
    let name = some_text(node)?;
    check_name(node, &name)?;
    names.push(name.clone());
    Some(name)
}

/// A name that `${…}` can hold.
fn check_name(node: &Node<'_>, name: &str) -> Option<()> {
    let is_letter = |character: char| character.is_alphanumeric() || "_-".contains(character);
    if !name.is_empty() && name.chars().all(is_letter) {
        return Some(());
    }
    node.problem("a name has letters, digits, `_` and `-`");
    None
}

fn event_type(node: &Node<'_>) -> Option<RelayEventType> {
    let event_type = word(node)?;
    if event_type == RelayEventType::MessageNew {
        node.problem("wait for messages with `wait: message`");
        return None;
    }
    Some(event_type)
}

fn duration(node: &Node<'_>) -> Option<Duration> {
    settings::duration(&text(node)?).map_err(|error| node.problem(error.to_string())).ok()
}

fn file(node: &Node<'_>) -> Option<PathBuf> {
    some_text(node).map(PathBuf::from)
}

fn template_text(node: &Node<'_>, names: &Names) -> Option<String> {
    let text = some_text(node)?;
    check_references(node, &text, names);
    Some(text)
}

/// An object whose texts may refer to values.
fn template_object(node: &Node<'_>, names: &Names) -> Option<Map<String, Value>> {
    match node.to_value() {
        Value::Object(members) => {
            check_values(node, names);
            Some(members)
        }
        _ => {
            node.expected("an object");
            None
        }
    }
}

fn check_values(node: &Node<'_>, names: &Names) {
    match node.kind() {
        Kind::Text => check_references(node, node.as_text().unwrap_or_default(), names),
        Kind::List => {
            node.items().into_iter().flatten().for_each(|item| check_values(&item, names))
        }
        Kind::Object => {
            let members = node.members().into_iter().flatten();
            members.for_each(|(_, member)| check_values(&member, names));
        }
        _ => {}
    }
}

fn check_references(node: &Node<'_>, text: &str, names: &Names) {
    let parts = match parts(text) {
        Ok(parts) => parts,
        Err(message) => return node.problem(message),
    };
    for part in parts {
        let Part::Reference { name, .. } = part else { continue };
        if !names.iter().any(|known| known == name) {
            let name = assent_document::quoted(name);
            node.problem(format!("`{name}` is neither in `vars` nor saved by a step before"));
        }
    }
}
