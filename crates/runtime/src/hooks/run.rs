//! Runs one hook and records the run.

use std::{future::ready, pin::pin};

use assent_ids::HookRunId;
use assent_journal::{Fact, HookFailed, HookRan, HookStarted};
use assent_protocol::{
    agent_tool::{HookOutput, HookOutputKind, HookVerdict, ToolHook},
    wire::{Loose, Object},
};
use serde_json::Value;

use super::{HookEffects, HookError, HookMoment, OnFailure, Registration};
use crate::{panics::caught, pipeline::Trail};

/// The outcome of running a hook.
pub(crate) enum HookOutcome {
    /// It has effects on the call.
    Effects(Box<HookEffects>),
    /// It ran and has no effects.
    NoEffect,
    /// It failed, and its registration says that the call continues.
    Ignored,
    /// It failed, and its registration says that the call ends.
    Failed(String),
}

/// Runs a hook within its timeout, and records that it began and how it ended.
pub(crate) async fn run(
    trail: &mut Trail,
    hook: &Registration,
    moment: &HookMoment,
) -> HookOutcome {
    let run = moment.run;
    let started = HookStarted { run, hook: hook.id.clone(), event: hook.event };
    trail.record(Fact::HookStarted(started));
    trail.hooks.runs.push(run);
    let outcome = answer(trail, hook, moment).await;
    let effects = match outcome {
        Ok(effects) => effects,
        Err(error) => return failed(trail, hook, moment, run, &error),
    };
    let said = effects.as_deref().map(|effects| Box::new(record_of(trail, hook, effects)));
    trail.record(Fact::HookRan(HookRan { run, hook: hook.id.clone(), event: hook.event, said }));
    effects.map_or(HookOutcome::NoEffect, HookOutcome::Effects)
}

/// The effects of the hook, if it has any and answers within its timeout.
async fn answer(
    trail: &mut Trail,
    hook: &Registration,
    moment: &HookMoment,
) -> Result<Option<Box<HookEffects>>, HookError> {
    let mut saying = pin!(effects(hook, moment));
    // An outcome has to be durable before a hook is waited for. A hook that answers immediately needs no
    // batch of its own.
    let immediate = tokio::select! {
        biased;
        said = saying.as_mut() => Some(said),
        () = ready(()) => None,
    };
    let said = match immediate {
        Some(said) => Ok(said),
        None => {
            trail.flush_outcome().await;
            let said = tokio::time::timeout(hook.timeout, saying).await;
            trail.update_time();
            said
        }
    };
    let too_late = || format!("it took longer than {} ms", hook.timeout.as_millis());
    said.unwrap_or_else(|_| Err(HookError(too_late())))
}

/// The effects of the hook, without a timeout.
async fn effects(
    hook: &Registration,
    moment: &HookMoment,
) -> Result<Option<Box<HookEffects>>, HookError> {
    let effects = caught(|| hook.hook.run(moment)).await.map_err(HookError)??;
    Ok((!effects.are_none()).then(|| Box::new(effects)))
}

fn failed(
    trail: &mut Trail,
    hook: &Registration,
    moment: &HookMoment,
    run: HookRunId,
    error: &HookError,
) -> HookOutcome {
    let message = trail.scrub(&error.0);
    let closed = hook.on_failure == OnFailure::Closed;
    trail.record(Fact::HookFailed(Box::new(HookFailed {
        run,
        hook: hook.id.clone(),
        event: moment.event,
        message: message.clone(),
        closed,
    })));
    if closed { HookOutcome::Failed(message) } else { HookOutcome::Ignored }
}

/// The record of a hook's effects, without sensitive values.
fn record_of(trail: &Trail, hook: &Registration, effects: &HookEffects) -> ToolHook {
    let mut record = ToolHook::new(hook.id.clone(), hook.event);
    record.updated_input = effects.update_input.as_ref().map(|input| trail.shown(input).to_value());
    record.permission_result = effects.decide.as_ref().map(|(decision, reason)| {
        let mut verdict = HookVerdict::new(decision.behavior());
        verdict.reason = reason.as_ref().map(|reason| trail.scrub(reason));
        Loose::Typed(verdict)
    });
    let texts = |texts: &[String]| -> Vec<Object> {
        texts.iter().map(|text| text_object(trail, text)).collect()
    };
    record.additional_context = Some(texts(&effects.context)).filter(|context| !context.is_empty());
    record.stop = effects.stop.as_ref().map(|stop| {
        let reason = ("reason".to_owned(), Value::from(trail.scrub(&stop.reason)));
        let code = stop.code.as_deref().map(|code| ("code".to_owned(), Value::from(code)));
        std::iter::once(reason).chain(code).collect()
    });
    record.updated_output =
        effects.update_output.as_ref().map(|output| trail.scrub_json(output).to_value());
    record.outputs = Some(outputs(trail, effects)).filter(|outputs| !outputs.is_empty());
    record
}

fn text_object(trail: &Trail, text: &str) -> Object {
    [("text".to_owned(), Value::from(trail.scrub(text)))].into_iter().collect()
}

/// The list of all effects. Messages and progress have no field of their own in the standard's record.
fn outputs(trail: &Trail, effects: &HookEffects) -> Vec<Loose<HookOutput>> {
    let mut outputs = Vec::new();
    let mut add = |kind, extra: Object| {
        let mut output = HookOutput::new(kind);
        output.extra = extra;
        outputs.push(Loose::Typed(output));
    };
    for message in &effects.messages {
        add(HookOutputKind::Message, text_object(trail, message));
    }
    for progress in &effects.progress {
        let text = progress.message.as_deref().unwrap_or_default();
        let mut extra = text_object(trail, text);
        if let Some(percent) = progress.percent {
            extra.insert("percent".to_owned(), Value::from(percent));
        }
        add(HookOutputKind::Progress, extra);
    }
    let named = [
        (HookOutputKind::UpdatedInput, effects.update_input.is_some()),
        (HookOutputKind::PermissionResult, effects.decide.is_some()),
        (HookOutputKind::AdditionalContext, !effects.context.is_empty()),
        (HookOutputKind::Stop, effects.stop.is_some()),
        (HookOutputKind::UpdatedOutput, effects.update_output.is_some()),
    ];
    for (kind, happened) in named {
        if happened {
            add(kind, Object::new());
        }
    }
    outputs
}
