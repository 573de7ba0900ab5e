//! Scripted hooks.

use std::time::Duration;

use assent_json::Json;
use assent_policy::GlobError;
use assent_protocol::wire::Percent;
use assent_runtime::{
    Effects, HookEffects, HookError, HookMoment, HookStop, Progress, Registration, ToolPattern,
};
use serde_json::Value;

use crate::{Effect, Hook, OnFailure};

/// A hook with the effects of the file.
#[derive(Debug)]
struct ScriptedHook(Vec<Effect>);

/// Creates the registration of a scripted hook.
///
/// # Errors
/// If the pattern is not valid. Leaving out a hook would allow what it guards.
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
        Effect::Decide { decision, reason } => {
            // The stricter of two decisions counts.
            let stricter = effects.decide.as_ref().is_none_or(|(before, _)| before <= decision);
            if stricter {
                effects.decide = Some((*decision, reason.clone()));
            }
        }
        Effect::AddContext(text) => effects.context.push(text.clone()),
        Effect::Message(text) => effects.messages.push(text.clone()),
        Effect::Progress(progress) => effects.progress.push(Progress {
            message: progress.message.clone(),
            percent: progress.percent.as_ref().map(Percent::get),
            ..Progress::default()
        }),
        Effect::Stop(reason) => effects.stop = Some(HookStop::new(reason.as_str())),
        Effect::UpdateOutput(output) => effects.update_output = Some(json(output)?),
        Effect::Fail(message) => return Err(HookError(message.clone())),
        Effect::Sleep(time) => tokio::time::sleep(Duration::from_millis(time.0)).await,
    }
    Ok(())
}

fn json(value: &Value) -> Result<Json, HookError> {
    Json::from_value(value).map_err(|error| HookError(error.to_string()))
}
