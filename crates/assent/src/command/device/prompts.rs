//! `assent device prompts`, `answer`

use std::fmt::Write as _;

use serde_json::{Value, json};

use super::control::{Control, Outcome, items, text};
use crate::cli::Decision;

pub(super) fn list(control: &Control) -> Outcome {
    let data = control.get("/prompts")?;
    Ok(control.print(&data, |data| {
        let prompts: Vec<String> = items(data).map(one).collect();
        if prompts.is_empty() {
            "nothing waits for an answer\n".to_owned()
        } else {
            prompts.join("\n")
        }
    }))
}

fn one(prompt: &Value) -> String {
    let mut out = String::new();
    let line = |name: &str| text(prompt, name);
    // Writing into a string cannot fail.
    let _ = writeln!(
        out,
        "{}  {} wants to use {} ({}, {})",
        line("/prompt_id"),
        line("/agent/name"),
        line("/tool/name"),
        line("/scope/id"),
        line("/scope/sensitivity"),
    );
    for row in prompt.pointer("/view/lines").and_then(Value::as_array).into_iter().flatten() {
        let _ = writeln!(out, "    {}  {}", text(row, "/path"), text(row, "/text"));
    }
    let said = line("/agent_reason");
    for said in said.lines() {
        let _ = writeln!(out, "    ┆ {said}");
    }
    let _ = writeln!(out, "    view {}", line("/view/digest"));
    out
}

pub(super) fn answer(
    control: &Control,
    prompt: &str,
    decision: Decision,
    view: &str,
    shown: Option<&str>,
) -> Outcome {
    let (word, done) = match decision {
        Decision::AllowOnce => ("allow_once", "allowed once"),
        Decision::Allow24h => ("allow_24h", "allowed for 24 hours"),
        Decision::Deny => ("deny", "denied"),
        Decision::AlwaysDeny => ("always_deny", "denied, now and later"),
    };
    let mut body = json!({ "decision": word, "view_digest": view });
    if let (Some(shown), Some(body)) = (shown, body.as_object_mut()) {
        body.insert("shown".to_owned(), shown.into());
    }
    let data = control.post(&format!("/prompts/{prompt}/answer"), &body)?;
    Ok(control.print(&data, |_| format!("{done}\n")))
}
