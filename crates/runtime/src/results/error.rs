//! An error that says what a caller can do about it.

use std::time::Duration;

use assent_ids::UnixMillis;
use assent_protocol::{
    agent_tool::{
        Abort, AbortOutcome, ErrorClass, Recoverability, RetryAfter, RetryGuidance, ToolError,
    },
    wire::Timestamp,
};
use serde_json::Value;

use super::advice::{Advice, Repeat, advice, advice_on_code};
use crate::executor::Failure;

/// The default delay before a retry, for failures that ask for one without stating it.
const DEFAULT_RETRY_DELAY: Duration = Duration::from_secs(5);

/// Everything that is known about a failure.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct ErrorDraft {
    /// The class of the failure.
    pub(crate) class: ErrorClass,
    /// A stable, more specific code; by default the class.
    pub(crate) code: Option<String>,
    /// What happened, for people, without sensitive values; by default what the class means.
    pub(crate) message: String,
    /// When to try again.
    pub(crate) retry_after: Option<RetryAfter>,
    /// The native error.
    pub(crate) native: Option<Value>,
    /// The policies behind it.
    pub(crate) policy_refs: Vec<String>,
    /// Evidence of it.
    pub(crate) evidence_refs: Vec<String>,
    /// Set if the runtime aborted the call.
    pub(crate) abort: Option<Abort>,
    /// Whether the tool was started.
    pub(crate) executed: bool,
    /// Whether the tool only reads or can be repeated without harm.
    pub(crate) repeatable: bool,
    /// Whether the call needed an approval, which was for that call only.
    pub(crate) needed_approval: bool,
}

impl ErrorDraft {
    /// A failure of a class, with a message for people.
    #[must_use]
    pub(crate) fn new(class: ErrorClass, message: impl Into<String>) -> Self {
        Self {
            class,
            code: None,
            message: message.into(),
            retry_after: None,
            native: None,
            policy_refs: Vec::new(),
            evidence_refs: Vec::new(),
            abort: None,
            executed: false,
            repeatable: false,
            needed_approval: false,
        }
    }

    /// The record.
    #[must_use]
    pub(crate) fn build(self, now: UnixMillis) -> ToolError {
        let advice = self.advice();
        let is_safe = self.is_safe(advice);
        let retry_after = self.retry_after(advice, now);
        let mut error = ToolError::new(self.class);
        error.recoverability = Some(recoverability(advice, is_safe, retry_after.is_some()).into());
        error.retry = Some(self.guidance(advice, is_safe));
        error.retry_after = retry_after;
        error.error_code = Some(
            self.code.filter(|code| !code.is_empty()).unwrap_or_else(|| self.class.to_string()),
        );
        error.message =
            Some(if self.message.is_empty() { advice.message.to_owned() } else { self.message });
        error.native_error_ref = self.native;
        error.policy_refs = filled(self.policy_refs);
        error.evidence_refs = filled(self.evidence_refs);
        error.abort_reason = self.abort.map(|abort| abort.reason.into());
        let is_lost = self.abort.is_some_and(|abort| abort.outcome == AbortOutcome::Unacknowledged);
        error.side_effects_unknown = is_lost.then_some(true);
        error
    }

    /// What it means for the caller. Codes of tools are not interpreted.
    pub(super) fn advice(&self) -> Advice {
        let code = self.code.as_deref().filter(|_| !self.executed);
        code.and_then(advice_on_code).unwrap_or_else(|| advice(self.class))
    }

    fn is_safe(&self, advice: Advice) -> bool {
        match advice.repeat {
            Repeat::Harmless => true,
            Repeat::IfRepeatable => !self.executed || self.repeatable,
            Repeat::Harmful => false,
        }
    }

    fn guidance(&self, advice: Advice, is_safe: bool) -> RetryGuidance {
        let mut guidance = RetryGuidance::default();
        guidance.safe = Some(is_safe);
        guidance.arguments_must_change = Some(advice.arguments_must_change);
        guidance.discover_first = Some(advice.discover_first);
        guidance.approval_again = Some(advice.approval_again || self.needed_approval);
        guidance.sibling_caused = Some(advice.sibling_caused);
        guidance
    }

    /// The delay in whole seconds from now, if it can be understood.
    fn retry_after(&self, advice: Advice, now: UnixMillis) -> Option<RetryAfter> {
        let now = Timestamp::from(now).instant().ok();
        let stated = self.retry_after.as_ref().zip(now).and_then(|(after, now)| after.wait(now));
        let is_asked_to_wait = advice.recoverability == Recoverability::RetryAfterDelay;
        stated.or(is_asked_to_wait.then_some(DEFAULT_RETRY_DELAY)).map(RetryAfter::from)
    }
}

/// What can be done about the failure of this call. Repeating is never advised if it could do harm.
fn recoverability(advice: Advice, is_safe: bool, says_when: bool) -> Recoverability {
    match advice.recoverability {
        Recoverability::RetrySame | Recoverability::RetryAfterDelay if !is_safe => {
            Recoverability::None
        }
        Recoverability::RetrySame if says_when => Recoverability::RetryAfterDelay,
        other => other,
    }
}

fn filled(refs: Vec<String>) -> Option<Vec<String>> {
    let refs: Vec<String> = refs.into_iter().filter(|text| !text.is_empty()).collect();
    (!refs.is_empty()).then_some(refs)
}

impl From<Failure> for ErrorDraft {
    /// The failure of a tool that was started.
    fn from(failure: Failure) -> Self {
        Self {
            code: failure.code,
            retry_after: failure.retry_after,
            native: failure.native.map(|native| *native),
            executed: true,
            ..Self::new(failure.class, failure.message)
        }
    }
}
