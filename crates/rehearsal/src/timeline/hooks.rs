//! Describes the effects of a hook.

use assent_journal::HookRan;
use assent_protocol::agent_tool::{HookEvent, HookOutputKind, ToolHook};
use assent_runtime::Stage;
use serde_json::Value;

/// Returns the stage in which hooks of an event run.
pub(super) fn stage(event: HookEvent) -> Stage {
    match event {
        HookEvent::PreToolUse => Stage::PreHooks,
        HookEvent::PostToolUse | HookEvent::PostToolUseFailure => Stage::PostHooks,
        HookEvent::PermissionRequest | HookEvent::PermissionDecision => Stage::Permission,
        HookEvent::ResultPersistence => Stage::Persist,
    }
}

/// Describes all effects.
pub(super) fn tell(ran: &HookRan) -> String {
    let said = ran.said.as_deref().map(all).unwrap_or_default();
    match said.is_empty() {
        true => format!("`{}` has nothing to say", ran.hook),
        false => format!("`{}` {}", ran.hook, said.join(", ")),
    }
}

fn all(said: &ToolHook) -> Vec<String> {
    let outputs = said.outputs.iter().flatten().filter_map(|output| output.typed());
    let text = |value: Option<&Value>| value.and_then(Value::as_str).unwrap_or_default().to_owned();
    let tell = |kind: HookOutputKind, words: String| match kind {
        HookOutputKind::Message => format!("says “{words}”"),
        HookOutputKind::Progress => format!("reports “{words}”"),
        HookOutputKind::UpdatedInput => "changes the input".to_owned(),
        HookOutputKind::UpdatedOutput => "changes the output".to_owned(),
        HookOutputKind::AdditionalContext => "adds context for the model".to_owned(),
        HookOutputKind::PermissionResult => verdict(said),
        HookOutputKind::Stop => {
            let stop = said.stop.as_ref();
            format!("stops the call: {}", text(stop.and_then(|stop| stop.get("reason"))))
        }
    };
    outputs
        .filter_map(|output| Some(tell(output.kind.known()?, text(output.extra.get("text")))))
        .collect()
}

fn verdict(said: &ToolHook) -> String {
    let verdict = said.permission_result.as_ref().and_then(|verdict| verdict.typed());
    let Some(verdict) = verdict else { return "has an opinion".to_owned() };
    match &verdict.reason {
        Some(reason) => format!("says {}: {reason}", verdict.behavior),
        None => format!("says {}", verdict.behavior),
    }
}
