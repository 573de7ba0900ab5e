//! A call that was sent and has not been waited for to its end.

use std::{future::IntoFuture, pin::Pin, sync::Arc, time::Duration};

use assent_ids::{CallId, ConversationId, UnixMillis};
use assent_protocol::{
    a2h::{DeniedReason, ToolErrorCode, ToolOutcome, ToolResponse},
    wire::{Open, Timestamp},
};
use serde::{Deserialize, Serialize};
use serde_json::Value;
use tokio::sync::watch;
use zeroize::Zeroizing;

use crate::{AgentError, CallError, shared::Shared, works::Withdrawal};

/// A call that was sent. Awaiting it gives the result.
///
/// Dropping it does not withdraw the call: [`Agent::pending_calls`](crate::Agent::pending_calls) returns it again.
#[derive(Debug)]
pub struct PendingCall {
    pub(crate) shared: Arc<Shared>,
    pub(crate) call_id: CallId,
    pub(crate) conversation_id: ConversationId,
    pub(crate) progress: watch::Receiver<CallProgress>,
}

/// What is known about a call.
#[derive(Clone, Debug)]
pub(crate) struct CallProgress {
    pub(crate) deadline: UnixMillis,
    pub(crate) pending_until: Option<Timestamp>,
    pub(crate) end: Option<CallEnd>,
}

/// What happened to a call before its end.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum CallUpdate {
    /// The person takes more time. The total timeout ends half a minute after `until`.
    Pending {
        /// Until when the answer is expected.
        until: Timestamp,
    },
}

/// What happens to a call before its end.
#[derive(Debug)]
pub struct CallUpdates {
    progress: watch::Receiver<CallProgress>,
    seen: Option<Timestamp>,
}

impl CallUpdates {
    /// Waits for the next update; `None` if the call has ended.
    pub async fn next(&mut self) -> Option<CallUpdate> {
        let Self { progress, seen } = self;
        let is_news = |progress: &CallProgress| {
            let until = &progress.pending_until;
            progress.end.is_some() || (until.is_some() && until != seen)
        };
        let news = progress.wait_for(is_news).await.ok()?.clone();
        if news.end.is_some() {
            return None;
        }
        seen.clone_from(&news.pending_until);
        news.pending_until.map(|until| CallUpdate::Pending { until })
    }
}

/// How a call ended.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(crate) enum CallEnd {
    /// The device answered.
    Answered { response: Value },
    /// The relay did not accept the call.
    Refused { code: String },
    /// It was withdrawn before it was sent.
    Canceled,
    /// The person ended the relation.
    Revoked,
    /// The relation was suspended.
    RelationInactive,
}

impl CallEnd {
    pub(crate) fn to_json(&self) -> Zeroizing<Vec<u8>> {
        Zeroizing::new(serde_json::to_vec(self).unwrap_or_default())
    }

    pub(crate) fn from_json(json: &[u8]) -> Option<Self> {
        serde_json::from_slice(json).ok()
    }

    fn into_result(self) -> Result<Value, CallError> {
        match self {
            Self::Answered { response } => match ToolResponse::try_from(response) {
                Ok(response) => result_of(response),
                Err(error) => Err(AgentError::Content(error.to_string()).into()),
            },
            Self::Refused { code } => Err(AgentError::from_refusal(code).into()),
            Self::Canceled => Err(CallError::Failed {
                code: ToolErrorCode::PlatformError.into(),
                reason: Open::read("canceled"),
            }),
            Self::Revoked => Err(CallError::Denied {
                reason: DeniedReason::PermissionRevoked.into(),
                detail: None,
            }),
            Self::RelationInactive => Err(CallError::RelationInactive),
        }
    }
}

fn result_of(response: ToolResponse) -> Result<Value, CallError> {
    let detail = response.extra.get("detail").and_then(Value::as_str).map(str::to_owned);
    match response.outcome {
        ToolOutcome::Ok { result } => Ok(result),
        ToolOutcome::Denied { reason } => Err(CallError::Denied { reason, detail }),
        ToolOutcome::Error { code, reason } => Err(CallError::Failed { code, reason }),
        ToolOutcome::Pending { .. } => {
            Err(AgentError::Content("a call does not end as pending".to_owned()).into())
        }
    }
}

impl PendingCall {
    /// The id of the call.
    #[must_use]
    pub const fn id(&self) -> &CallId {
        &self.call_id
    }

    /// The conversation of the call.
    #[must_use]
    pub const fn conversation_id(&self) -> ConversationId {
        self.conversation_id
    }

    /// What happens to the call before its end.
    #[must_use]
    pub fn updates(&self) -> CallUpdates {
        CallUpdates { progress: self.progress.clone(), seen: None }
    }

    /// Withdraws the call. An open question to the person is closed, and the call ends as canceled; a tool that runs
    /// goes on, and its result is the result of the call.
    ///
    /// # Errors
    /// If the state of the agent cannot be written.
    pub async fn cancel(&self) -> Result<(), AgentError> {
        self.shared.withdraw(&self.call_id, self.conversation_id, false).await?;
        Ok(())
    }

    async fn wait(mut self) -> Result<Value, CallError> {
        loop {
            let progress = self.progress.borrow_and_update().clone();
            if let Some(end) = progress.end {
                self.shared.forget_call(&self.call_id).await?;
                return end.into_result();
            }
            let left = progress.deadline.since(self.shared.now());
            tokio::select! {
                changed = self.progress.changed() => changed.map_err(|_| CallError::Closed)?,
                () = tokio::time::sleep(left) => if self.is_over() {
                    return Err(self.give_up().await?);
                },
            }
        }
    }

    /// Withdraws the call after its total timeout, and says why there is no answer.
    async fn give_up(&self) -> Result<CallError, AgentError> {
        let is_rate_limited = self.shared.sync.is_rate_limited();
        let withdrawal = self.shared.withdraw(&self.call_id, self.conversation_id, true).await?;
        Ok(match withdrawal {
            Withdrawal::Unsent(_) | Withdrawal::RequestedBeforeAcknowledged if is_rate_limited => {
                CallError::RateLimited
            }
            _ => CallError::TotalTimeout,
        })
    }

    fn is_over(&self) -> bool {
        let progress = self.progress.borrow();
        progress.end.is_none() && progress.deadline.since(self.shared.now()) == Duration::ZERO
    }
}

impl IntoFuture for PendingCall {
    type Output = Result<Value, CallError>;
    type IntoFuture = Pin<Box<dyn Future<Output = Self::Output> + Send>>;

    fn into_future(self) -> Self::IntoFuture {
        Box::pin(self.wait())
    }
}
