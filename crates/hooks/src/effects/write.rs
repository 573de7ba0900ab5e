//! Writes effects, for hooks that are written in Rust.

use assent_json::Json;
use assent_protocol::agent_tool::{Behavior, PersistenceStrategy};
use assent_runtime::{HookEffects, HookStop, Progress};
use serde::Serialize;

/// Writes effects as a document that [`read`](super::read) reads. The `extra` fields of progress reports
/// are left out.
///
/// # Errors
/// If they cannot be written as JSON.
pub fn write(effects: &HookEffects) -> Result<String, serde_json::Error> {
    serde_json::to_string(&Document::of(effects))
}

#[derive(Serialize)]
struct Document<'e> {
    #[serde(skip_serializing_if = "Option::is_none")]
    update_input: Option<&'e Json>,
    #[serde(skip_serializing_if = "Option::is_none")]
    decide: Option<Opinion<'e>>,
    #[serde(skip_serializing_if = "<[String]>::is_empty")]
    context: &'e [String],
    #[serde(skip_serializing_if = "<[String]>::is_empty")]
    messages: &'e [String],
    #[serde(skip_serializing_if = "Vec::is_empty")]
    progress: Vec<Report<'e>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    stop: Option<Stop<'e>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    update_output: Option<&'e Json>,
    #[serde(skip_serializing_if = "Option::is_none")]
    persistence: Option<PersistenceStrategy>,
}

#[derive(Serialize)]
struct Opinion<'e> {
    behavior: Behavior,
    #[serde(skip_serializing_if = "Option::is_none")]
    reason: Option<&'e str>,
}

#[derive(Serialize)]
#[serde(untagged)]
enum Stop<'e> {
    Reason(&'e str),
    Coded { reason: &'e str, code: &'e str },
}

#[derive(Serialize)]
struct Report<'e> {
    #[serde(skip_serializing_if = "Option::is_none")]
    message: Option<&'e str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    percent: Option<f64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    current_step: Option<&'e str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    total_steps: Option<u64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    bytes_read: Option<u64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    bytes_written: Option<u64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    line_count: Option<u64>,
}

impl<'e> Document<'e> {
    fn of(effects: &'e HookEffects) -> Self {
        let opinion = |(decision, reason): &'e (assent_policy::Decision, Option<String>)| Opinion {
            behavior: decision.behavior(),
            reason: reason.as_deref(),
        };
        Self {
            update_input: effects.update_input.as_ref(),
            decide: effects.decide.as_ref().map(opinion),
            context: &effects.context,
            messages: &effects.messages,
            progress: effects.progress.iter().map(Report::of).collect(),
            stop: effects.stop.as_ref().map(Stop::of),
            update_output: effects.update_output.as_ref(),
            persistence: effects.persistence,
        }
    }
}

impl<'e> Stop<'e> {
    fn of(stop: &'e HookStop) -> Self {
        match &stop.code {
            Some(code) => Self::Coded { reason: &stop.reason, code },
            None => Self::Reason(&stop.reason),
        }
    }
}

impl<'e> Report<'e> {
    fn of(progress: &'e Progress) -> Self {
        Self {
            message: progress.message.as_deref(),
            percent: progress.percent,
            current_step: progress.current_step.as_deref(),
            total_steps: progress.total_steps,
            bytes_read: progress.bytes_read,
            bytes_written: progress.bytes_written,
            line_count: progress.line_count,
        }
    }
}
