//! A tool call to be made.

use std::time::Duration;

use assent_ids::{CallId, ScopeId};
use serde_json::Value;

/// The total timeout unless another is set: the person has five minutes to answer.
const DEFAULT_TOTAL_TIMEOUT: Duration = Duration::from_mins(6);

/// A tool call to be made.
#[derive(Clone, Debug, PartialEq)]
pub struct ToolRequest {
    pub(crate) tool: String,
    pub(crate) arguments: Value,
    pub(crate) call_id: Option<CallId>,
    pub(crate) reason: Option<String>,
    pub(crate) permission_scope: Option<ScopeId>,
    pub(crate) timeout: Option<Duration>,
    pub(crate) total_timeout: Duration,
}

impl ToolRequest {
    /// Calls `tool` with these arguments.
    #[must_use]
    pub fn new(tool: impl Into<String>, arguments: Value) -> Self {
        Self {
            tool: tool.into(),
            arguments,
            call_id: None,
            reason: None,
            permission_scope: None,
            timeout: None,
            total_timeout: DEFAULT_TOTAL_TIMEOUT,
        }
    }

    /// Waits at most this long, from the request to the answer. The default is six minutes.
    #[must_use]
    pub const fn total_timeout(mut self, timeout: Duration) -> Self {
        self.total_timeout = timeout;
        self
    }

    /// Lets the tool run for at most this long.
    #[must_use]
    pub const fn timeout(mut self, timeout: Duration) -> Self {
        self.timeout = Some(timeout);
        self
    }

    /// Says why the call is made. The person sees it as the words of the agent.
    #[must_use]
    pub fn reason(mut self, reason: impl Into<String>) -> Self {
        self.reason = Some(reason.into());
        self
    }

    /// Names the scope that the call needs. The device refuses the call if the manifest names another one.
    #[must_use]
    pub fn permission_scope(mut self, scope: ScopeId) -> Self {
        self.permission_scope = Some(scope);
        self
    }

    /// Uses this id for the call. A call with an id that was used before gets the first answer again.
    #[must_use]
    pub fn call_id(mut self, call_id: CallId) -> Self {
        self.call_id = Some(call_id);
        self
    }
}
