//! The parts of a terminal result that are the same for every end.

use assent_ids::ResultId;
use std::sync::Arc;

use assent_journal::JournalError;
use assent_protocol::{
    agent_tool::{
        Abort, AbortOutcome, AbortReason, Cause, ErrorClass, TerminalStatus, ToolError, ToolResult,
    },
    wire::Loose,
};
use serde_json::{Value, json};

use super::{Stage, Stop, Trail};
use crate::results::{ErrorDraft, ResultDraft};

/// A result with everything that the trail knows.
pub(super) fn draft(trail: &mut Trail, id: ResultId, end: TerminalStatus) -> ResultDraft {
    let mut draft = ResultDraft::new(id, trail.invocation, trail.now(), end);
    draft.mutations.clone_from(&trail.inputs.mutations);
    draft.output_hooks = trail.hooks.output_runs.iter().map(ToString::to_string).collect();
    draft.policy_refs.clone_from(&trail.policies);
    if let Some(tool) = &trail.tool {
        draft.hidden_characters = tool.definition.persistence.hidden_characters;
    }
    draft.title = trail.title().to_owned();
    draft
}

/// The result of a call that a stage ended.
pub(super) fn of_stop(
    trail: &mut Trail,
    id: ResultId,
    status: TerminalStatus,
    stop: Stop,
) -> ToolResult {
    let mut draft = draft(trail, id, status);
    draft.cause = Cause { class: Some(stop.class), abort: stop.abort, ..Cause::default() };
    let mut error = ErrorDraft::new(stop.class, trail.scrub(&stop.message));
    error.code = stop.code.map(std::borrow::Cow::into_owned);
    error.policy_refs = stop.policies;
    error.abort = stop.abort;
    error.executed = trail.executed;
    error.needed_approval = trail.approved.is_some();
    draft.error = Some(error);
    draft.warnings =
        std::mem::take(&mut trail.warnings).into_iter().map(ErrorDraft::from).collect();
    let mut result = draft.assemble();
    if let Some(Loose::Typed(error)) = result.error.as_deref_mut() {
        error.extra.insert("stage".to_owned(), stop.stage.as_str().into());
        if let Some(details) = stop.details {
            error.extra.insert("details".to_owned(), *details);
        }
        if let Some(reason) = stop.barred_by {
            error.extra.insert("barred_by".to_owned(), reason.as_str().into());
        }
    }
    annotate(trail, &mut result);
    result
}

/// Adds the context of hooks for the model, and their request to stop.
pub(super) fn annotate(trail: &Trail, result: &mut ToolResult) {
    if !trail.hooks.context.is_empty() {
        let texts = trail.hooks.context.iter().map(|text| json!({"text": text})).collect();
        result.extra.insert("additional_context".to_owned(), Value::Array(texts));
    }
    if let Some(reason) = &trail.hooks.stop {
        result.extra.insert("stop".to_owned(), json!({"reason": reason}));
    }
}

/// Adds a warning to the result of a call whose end the journal could not record.
pub(super) fn unrecorded(result: &ToolResult, error: &JournalError) -> Arc<ToolResult> {
    let mut result = result.clone();
    let mut warning = ToolError::new(ErrorClass::DependencyUnavailable);
    warning.error_code = Some("journal_unavailable".to_owned());
    warning.message = Some(format!("the journal could not record how the call ended: {error}"));
    let mut warnings = match result.warnings.take() {
        Some(Loose::Typed(warnings)) => warnings,
        _ => Vec::new(),
    };
    warnings.push(warning);
    result.warnings = Some(Loose::Typed(warnings));
    Arc::new(result)
}

/// The end of a call whose future was dropped.
pub(super) fn abandoned(trail: &Trail, reason: AbortReason) -> Stop {
    if !trail.executed {
        return Stop::never_started(Stage::Emit, reason);
    }
    let abort = Abort { reason, outcome: AbortOutcome::Unacknowledged };
    let stop = Stop::new(
        Stage::Emit,
        TerminalStatus::Canceled,
        ErrorClass::Canceled,
        "the caller went away while the tool was running: it is unknown what the tool had done by then",
    );
    Stop { abort: Some(abort), ..stop.coded("abandoned") }
}
