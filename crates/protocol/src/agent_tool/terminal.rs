//! What the end of a call means for its result: the bridge between the state of the call, the status
//! of the result and the class of the error, which are three vocabularies.

use super::{AbortReason, ErrorClass, ResultStatus, TerminalStatus};

/// What is known about the end of a call beyond its state.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Cause {
    /// What went wrong, if a stage said so.
    pub class: Option<ErrorClass>,
    /// That the runtime ended the call, and what came of it.
    pub abort: Option<Abort>,
    /// What can be passed on, if the call worked.
    pub delivery: Delivery,
}

/// That the runtime ended a call.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Abort {
    /// Why.
    pub reason: AbortReason,
    /// Whether the executor took part.
    pub outcome: AbortOutcome,
}

/// What came of ending a call.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum AbortOutcome {
    /// It had not begun.
    NeverStarted,
    /// The executor did not answer.
    Unacknowledged,
    /// The executor stopped.
    Acknowledged,
    /// The answer came and was thrown away.
    Discarded,
}

/// What of a good result can be passed on.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Delivery {
    /// All of it.
    #[default]
    Whole,
    /// Some parts failed.
    Partial,
    /// Sensitive parts were removed.
    Redacted,
    /// It is too large.
    TooLarge {
        /// Whether the bytes were stored and can be fetched.
        retrievable: bool,
    },
}

/// What the result of a call says.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Terminal {
    /// The status of the result.
    pub status: ResultStatus,
    /// Whether it is an error.
    pub is_error: bool,
    /// The class of the error; set exactly if it is one.
    pub error_class: Option<ErrorClass>,
}

/// The result that belongs to the end of a call. Total: whatever the cause, there is one.
#[must_use]
pub fn terminal(end: TerminalStatus, cause: Cause) -> Terminal {
    match end {
        TerminalStatus::Succeeded => delivered(cause.delivery),
        TerminalStatus::SchemaParseFailed => {
            error(ResultStatus::Failed, cause.class, ErrorClass::SchemaValidationFailed)
        }
        TerminalStatus::ValidationFailed => {
            error(ResultStatus::Failed, cause.class, ErrorClass::InvalidArguments)
        }
        TerminalStatus::Denied if cause.class == Some(ErrorClass::ApprovalRejected) => {
            error(ResultStatus::Rejected, cause.class, ErrorClass::ApprovalRejected)
        }
        TerminalStatus::Denied => {
            error(ResultStatus::Denied, cause.class, ErrorClass::PermissionDenied)
        }
        TerminalStatus::Blocked => {
            let class = cause.class.unwrap_or(ErrorClass::BlockedTool);
            error(
                if says_no(class) { ResultStatus::Denied } else { ResultStatus::Failed },
                None,
                class,
            )
        }
        TerminalStatus::Failed => {
            // The result of a call that a crash interrupted is not known.
            let status = if cause.abort.is_some() {
                ResultStatus::SyntheticError
            } else {
                ResultStatus::Failed
            };
            error(status, cause.class, ErrorClass::ExecutionFailed)
        }
        TerminalStatus::Canceled => canceled(cause),
        TerminalStatus::TimedOut => error(ResultStatus::TimedOut, cause.class, ErrorClass::Timeout),
    }
}

fn delivered(delivery: Delivery) -> Terminal {
    let fine = |status| Terminal { status, is_error: false, error_class: None };
    match delivery {
        Delivery::Whole => fine(ResultStatus::Succeeded),
        Delivery::Partial => fine(ResultStatus::PartialSucceeded),
        Delivery::Redacted => fine(ResultStatus::Redacted),
        Delivery::TooLarge { retrievable: true } => fine(ResultStatus::TooLarge),
        Delivery::TooLarge { retrievable: false } => {
            error(ResultStatus::TooLarge, None, ErrorClass::ResultTooLarge)
        }
    }
}

fn canceled(cause: Cause) -> Terminal {
    let status = match cause.abort.map(|abort| abort.outcome) {
        Some(AbortOutcome::NeverStarted | AbortOutcome::Unacknowledged) => {
            ResultStatus::SyntheticError
        }
        Some(AbortOutcome::Discarded) => ResultStatus::Discarded,
        Some(AbortOutcome::Acknowledged) | None => ResultStatus::Canceled,
    };
    let class = match cause.abort.map(|abort| abort.reason) {
        Some(AbortReason::SiblingError) => ErrorClass::SiblingCanceled,
        Some(AbortReason::Fallback) => ErrorClass::StreamingFallbackDiscarded,
        Some(AbortReason::Timeout) => ErrorClass::Timeout,
        Some(AbortReason::UserInterruption | AbortReason::RuntimeShutdown) | None => {
            ErrorClass::Canceled
        }
    };
    error(status, cause.class, class)
}

/// Returns `true` if the call was refused, as opposed to something being missing.
fn says_no(class: ErrorClass) -> bool {
    matches!(
        class,
        ErrorClass::BlockedTool
            | ErrorClass::PolicyBlocked
            | ErrorClass::HookBlocked
            | ErrorClass::PermissionDenied
    )
}

fn error(status: ResultStatus, stated: Option<ErrorClass>, default: ErrorClass) -> Terminal {
    Terminal { status, is_error: true, error_class: Some(stated.unwrap_or(default)) }
}
