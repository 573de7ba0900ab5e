//! What came of a call, as commands print it.

use assent_agent::{AgentError, CallError};
use assent_ids::CallId;
use assent_protocol::wire::Word;
use serde::Serialize;
use serde_json::Value;

use crate::exit::Exit;

/// What came of a call.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub(super) struct CallOutcome {
    /// `None` if an artifact with a tool call has no usable id.
    pub(super) call_id: Option<CallId>,
    pub(super) status: CallStatus,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) result: Option<Value>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) reason: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) error_code: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) detail: Option<String>,
}

/// How a call ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub(super) enum CallStatus {
    /// The tool ran.
    Ok,
    /// The call was refused.
    Denied,
    /// The call failed.
    Error,
    /// There is no answer.
    None,
}

impl Word for CallStatus {
    const WORDS: &'static [Self] = &[Self::Ok, Self::Denied, Self::Error, Self::None];

    fn word(self) -> &'static str {
        match self {
            Self::Ok => "ok",
            Self::Denied => "denied",
            Self::Error => "error",
            Self::None => "none",
        }
    }
}

impl CallOutcome {
    /// What came of a call.
    ///
    /// # Errors
    /// If it could not be made.
    pub(super) fn of(
        call_id: Option<CallId>,
        ended: Result<Value, CallError>,
    ) -> Result<Self, AgentError> {
        let empty = Self {
            call_id,
            status: CallStatus::None,
            result: None,
            reason: None,
            error_code: None,
            detail: None,
        };
        let none = |reason: &str| Self { reason: Some(reason.to_owned()), ..empty.clone() };
        Ok(match ended {
            Ok(result) => Self { status: CallStatus::Ok, result: Some(result), ..empty },
            Err(CallError::Denied { reason, detail }) => {
                let reason = Some(reason.to_string());
                Self { status: CallStatus::Denied, reason, detail, ..empty }
            }
            Err(CallError::Failed { code, reason }) => Self {
                status: CallStatus::Error,
                reason: Some(reason.to_string()),
                error_code: Some(code.to_string()),
                ..empty
            },
            Err(CallError::TotalTimeout) => none(TOTAL_TIMEOUT),
            Err(CallError::RateLimited) => none("rate_limited"),
            Err(CallError::RelationInactive) => none("relation_inactive"),
            Err(CallError::KeysChanged) => none("keys_changed"),
            Err(CallError::Agent(error)) => return Err(error),
            Err(error) => none(&error.to_string()),
        })
    }

    pub(super) fn exit(&self) -> Exit {
        match self.status {
            CallStatus::Ok => Exit::AsAsked,
            CallStatus::Denied => Exit::Denied,
            CallStatus::None if self.reason.as_deref() == Some(TOTAL_TIMEOUT) => Exit::TimedOut,
            CallStatus::Error | CallStatus::None => Exit::Bad,
        }
    }
}

const TOTAL_TIMEOUT: &str = "total_timeout";
