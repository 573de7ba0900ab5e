//! What came of a tool call. Three documents publish three vocabularies for it; this is what they
//! have in common, and reading brings each of them here.

use serde_json::Value;

use super::{DeniedReason, ToolErrorCode, ToolErrorReason};
use crate::wire::{Open, Timestamp, Word};

/// The outcome of a tool call.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ToolOutcome {
    /// It was done.
    Ok {
        /// What the tool gave; `null` if nothing.
        result: Value,
    },
    /// It was refused.
    Denied {
        /// The reason.
        reason: Open<DeniedReason>,
    },
    /// It failed.
    Error {
        /// The kind of failure.
        code: Open<ToolErrorCode>,
        /// A more specific reason.
        reason: Open<ToolErrorReason>,
    },
    /// The person has not decided yet and the call is parked; a final answer follows. An extension,
    /// sent only where the person allowed it for the scope.
    Pending {
        /// Until when it is parked.
        until: Option<Timestamp>,
    },
}

impl ToolOutcome {
    /// The tool took too long.
    #[must_use]
    pub fn timed_out() -> Self {
        Self::Error {
            code: ToolErrorCode::PlatformError.into(),
            reason: ToolErrorReason::ToolTimeout.into(),
        }
    }

    /// Returns the word in the message.
    #[must_use]
    pub const fn status(&self) -> &'static str {
        match self {
            Self::Ok { .. } => "ok",
            Self::Denied { .. } => "denied",
            Self::Error { .. } => "error",
            Self::Pending { .. } => "pending",
        }
    }

    /// Returns `true` if no other answer follows.
    #[must_use]
    pub const fn is_final(&self) -> bool {
        !matches!(self, Self::Pending { .. })
    }

    /// A refusal, from whatever reason was given. None at all is still a refusal.
    pub(super) fn denied(reason: Option<&str>) -> Self {
        let reason = match reason.unwrap_or_default() {
            DeniedReason::USER_REJECTED => DeniedReason::UserRefused.into(),
            reason => Open::read(reason),
        };
        Self::Denied { reason }
    }

    /// A failure. Two of the documents have only `reason`, which is a code, a known word or a text.
    pub(super) fn failed(code: Option<&str>, reason: Option<&str>) -> Self {
        let reason = reason.filter(|reason| !reason.is_empty());
        let (code, reason) = match (code, reason) {
            (Some(code), reason) => (Open::read(code), reason),
            (None, Some(reason)) if ToolErrorCode::find(reason).is_some() => {
                (Open::read(reason), None)
            }
            (None, reason) => (ToolErrorCode::PlatformError.into(), reason),
        };
        let assumed = || code.known().unwrap_or(ToolErrorCode::PlatformError).default_reason();
        let reason = reason.map_or_else(assumed, Open::read);
        Self::Error { code, reason }
    }
}
