//! Scripted hooks.

use std::time::Duration;

use assent_json::Json;
use assent_policy::{Decision, GlobError};
use assent_protocol::wire::Percent;
use assent_runtime::{
    Effects, HookEffects, HookError, HookMoment, Progress, Registration, ToolPattern,
};
use serde_json::Value;

use crate::{Effect, Hook, OnFailure, Verdict};

/// A hook that does what the file says, every time.
#[derive(Debug)]
struct ScriptedHook(Vec<Effect>);

/// The registration of a scripted hook.
///
/// # Errors
/// If its pattern is none: a guard that is left out would let everything pass.
pub(super) fn registration(hook: &Hook) -> Result<Registration, GlobError> {
    Ok(Registration {
        id: hook.id.clone(),
        event: hook.event,
        tools: ToolPattern::parse(hook.tool.as_deref().unwrap_or("*"))?,
        timeout: hook
            .timeout
            .map_or(assent_runtime::HOOK_TIMEOUT, |timeout| Duration::from_millis(timeout.0)),
        on_failure: match hook.on_failure {
            OnFailure::Closed => assent_runtime::OnFailure::Closed,
            OnFailure::Open => assent_runtime::OnFailure::Open,
        },
        authoritative: false,
        hook: std::sync::Arc::new(ScriptedHook(hook.effects.clone())),
    })
}

impl assent_runtime::Hook for ScriptedHook {
    fn run<'a>(&'a self, moment: &'a HookMoment) -> Effects<'a> {
        Box::pin(async move {
            let mut effects = HookEffects::default();
            for effect in &self.0 {
                take(effect, moment, &mut effects).await?;
            }
            Ok(effects)
        })
    }
}

async fn take(
    effect: &Effect,
    moment: &HookMoment,
    effects: &mut HookEffects,
) -> Result<(), HookError> {
    match effect {
        Effect::UpdateInput(fields) => {
            let before = effects.update_input.as_ref().unwrap_or(&moment.input).to_value();
            let Value::Object(mut merged) = before else {
                return Err(HookError("the input is no object".to_owned()));
            };
            merged.extend(fields.clone());
            effects.update_input = Some(json(&Value::Object(merged))?);
        }
        Effect::Decide { verdict, reason } => {
            let decision = match verdict {
                Verdict::Allow => Decision::Allow,
                Verdict::Ask => Decision::Ask,
                Verdict::Deny => Decision::Deny,
            };
            // A hook that decides twice means the stricter.
            let stricter = effects.decide.as_ref().is_none_or(|(before, _)| *before <= decision);
            if stricter {
                effects.decide = Some((decision, reason.clone()));
            }
        }
        Effect::AddContext(text) => effects.context.push(text.clone()),
        Effect::Message(text) => effects.messages.push(text.clone()),
        Effect::Progress(progress) => effects.progress.push(Progress {
            message: progress.message.clone(),
            percent: progress.percent.as_ref().map(Percent::get),
            ..Progress::default()
        }),
        Effect::Stop(reason) => effects.stop = Some(reason.clone()),
        Effect::UpdateOutput(output) => effects.update_output = Some(json(output)?),
        Effect::Fail(message) => return Err(HookError(message.clone())),
        Effect::Sleep(time) => tokio::time::sleep(Duration::from_millis(time.0)).await,
    }
    Ok(())
}

fn json(value: &Value) -> Result<Json, HookError> {
    Json::from_value(value).map_err(|error| HookError(error.to_string()))
}
