//! The steps of `assent demo --script`.

use assent_agent::{CallError, ToolRequest};
use serde::Serialize;
use serde_json::{Value, json};

use super::{
    person::{Reaction, react},
    scene::Scene,
};
use crate::{exit::Exit, output};

/// A call, what the person does, and what should come of it.
struct Step {
    name: &'static str,
    reaction: Reaction,
    status: &'static str,
    reason: Option<&'static str>,
}

const STEPS: &[Step] = &[
    Step { name: "read_allowed", reaction: Reaction::Allow, status: "ok", reason: None },
    Step {
        name: "read_denied",
        reaction: Reaction::Deny,
        status: "denied",
        reason: Some("user_refused"),
    },
    Step {
        name: "read_timeout",
        reaction: Reaction::Ignore,
        status: "denied",
        reason: Some("user_timeout"),
    },
];

/// A line of the output.
#[derive(Serialize)]
struct Line {
    step: &'static str,
    status: &'static str,
    #[serde(skip_serializing_if = "Option::is_none")]
    reason: Option<String>,
    ok: bool,
}

/// Runs all steps and prints a line for each. Returns `true` if every step ended as it should.
pub(super) async fn run(scene: &Scene) -> bool {
    let mut all_ok = true;
    for step in STEPS {
        let request = ToolRequest::new("read_file", json!({ "path": "notes.md" }));
        let call = scene.agent.call_tool(scene.conversation, request);
        let (result, ()) = tokio::join!(call, react(&scene.device, step.reaction));
        let line = line(step, result);
        all_ok &= line.ok;
        output::json(Exit::AsAsked, &line);
    }
    all_ok
}

fn line(step: &Step, result: Result<Value, CallError>) -> Line {
    let (status, reason) = match result {
        Ok(result) => {
            let content = result.get("content").and_then(Value::as_str);
            let has_notes = content.is_some_and(|content| content.contains("Oslo"));
            let reason = (!has_notes).then(|| "the content is not that of the file".to_owned());
            ("ok", reason)
        }
        Err(CallError::Denied { reason, .. }) => ("denied", Some(reason.to_string())),
        Err(CallError::Failed { reason, .. }) => ("error", Some(reason.to_string())),
        Err(error) => ("none", Some(error.to_string())),
    };
    let ok = status == step.status && reason.as_deref() == step.reason;
    Line { step: step.name, status, reason, ok }
}
