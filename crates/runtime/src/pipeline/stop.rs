//! The end of a call before its tool has finished.

use std::borrow::Cow;

use assent_journal::JournalError;
use assent_protocol::agent_tool::{
    Abort, AbortOutcome, AbortReason, ErrorClass, ExclusionReason, TerminalStatus,
};
use serde_json::Value;

use super::Stage;

/// Why a stage ended the call. The result is made from this, in one place.
#[derive(Clone, Debug)]
pub(crate) struct Stop {
    /// The stage.
    pub(crate) stage: Stage,
    /// The status in which the call ends.
    pub(crate) status: TerminalStatus,
    /// The class of the failure.
    pub(crate) class: ErrorClass,
    /// A stable, more specific code.
    pub(crate) code: Option<Cow<'static, str>>,
    /// What happened and what to do, for people, without values of arguments.
    pub(crate) message: String,
    /// Set if the runtime aborted the call.
    pub(crate) abort: Option<Abort>,
    /// Why the tool is excluded from the surface.
    pub(crate) barred_by: Option<ExclusionReason>,
    /// The policies behind it.
    pub(crate) policies: Vec<String>,
    /// Details for programs.
    pub(crate) details: Option<Box<Value>>,
}

impl Stop {
    pub(crate) fn new(
        stage: Stage,
        status: TerminalStatus,
        class: ErrorClass,
        message: impl Into<String>,
    ) -> Self {
        Self {
            stage,
            status,
            class,
            code: None,
            message: message.into(),
            abort: None,
            barred_by: None,
            policies: Vec::new(),
            details: None,
        }
    }

    pub(crate) fn coded(mut self, code: impl Into<Cow<'static, str>>) -> Self {
        self.code = Some(code.into());
        self
    }

    pub(crate) fn detailed(mut self, details: Value) -> Self {
        self.details = Some(Box::new(details));
        self
    }

    /// The journal does not know whether a call whose sender chose its id has run before.
    pub(crate) fn unknown_whether_new(error: &JournalError) -> Self {
        let (class, code) = match error {
            JournalError::Forgotten { .. } => (ErrorClass::PolicyBlocked, "call_forgotten"),
            _ => (ErrorClass::DependencyUnavailable, "journal_unavailable"),
        };
        let message = format!(
            "it may have run before, so it does not run: {error}; if it has not, ask under a new id"
        );
        Self::new(Stage::Resolve, TerminalStatus::Blocked, class, message).coded(code)
    }

    /// The journal could not record the call, so `stage` did not let it go on.
    pub(crate) fn unrecorded(stage: Stage, error: &JournalError) -> Self {
        let message = format!("the journal cannot record the call, so it does not run: {error}");
        Self::new(stage, TerminalStatus::Blocked, ErrorClass::DependencyUnavailable, message)
            .coded("journal_unavailable")
    }

    /// The runtime ended a call before its tool began to run.
    pub(crate) fn never_started(stage: Stage, reason: AbortReason) -> Self {
        let abort = Abort { reason, outcome: AbortOutcome::NeverStarted };
        let (class, message) = match reason {
            AbortReason::SiblingError => {
                (ErrorClass::SiblingCanceled, "a call that this one depends on did not succeed")
            }
            AbortReason::Fallback => (
                ErrorClass::StreamingFallbackDiscarded,
                "the model's answer was replaced, so its calls are void",
            ),
            AbortReason::Timeout => (ErrorClass::Timeout, "its time was over before it began"),
            AbortReason::UserInterruption => {
                (ErrorClass::Canceled, "it was canceled before it began")
            }
            AbortReason::RuntimeShutdown => {
                (ErrorClass::Canceled, "the runtime went down before it began")
            }
        };
        Self { abort: Some(abort), ..Self::new(stage, TerminalStatus::Canceled, class, message) }
    }
}
