//! One call in a list.

use assent_builtin_tools::Target;
use assent_ids::{CallId, ConversationId, InvocationId, UnixMillis};
use assent_protocol::a2h::{ToolOutcome, ToolResponse};
use serde::Serialize;
use serde_json::Value;

use crate::{
    AgentTool, DecidedBy, Decision, DeviceRelation, PromptAgent, PromptScope,
    call_record::CallRecord,
    device::Shared,
    events::timestamp,
    prompt::optional_target,
    prompt_record::{PromptRecord, Resolution},
    prompt_subject::scope_of,
};

/// A call, or a message that could not be opened, as the API of the console shows it.
#[derive(Clone, Debug, Serialize)]
pub struct CallItem {
    /// This device's id of it.
    pub invocation_id: InvocationId,
    /// The agent's id of the call; `None` if there is none that can be read.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub call_id: Option<CallId>,
    /// The conversation that it came in.
    pub conversation_id: ConversationId,
    /// The agent; `None` if the sender is not known.
    pub agent: Option<PromptAgent>,
    /// The tool; `None` if there is none that can be read.
    pub tool: Option<CallTool>,
    /// The scope of the tool; `None` if the tool is not declared.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub scope: Option<PromptScope>,
    /// What the call acts on.
    #[serde(skip_serializing_if = "Option::is_none", serialize_with = "optional_target")]
    pub target: Option<Target>,
    /// When it came.
    #[serde(serialize_with = "timestamp")]
    pub at: UnixMillis,
    /// What became of it.
    pub status: CallStatus,
    /// Why it was denied, or failed.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub reason: Option<String>,
    /// The code of the error.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub error_code: Option<String>,
    /// More about the reason.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub detail: Option<String>,
    /// Who decided; `None` if the call has no answer yet.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub decided_by: Option<DecidedBy>,
    /// What the person decided.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub decision: Option<Decision>,
}

/// The tool of a call.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct CallTool {
    /// The name.
    pub name: String,
    /// The tool of this device that runs it.
    pub served_by: Option<String>,
}

/// What became of a call.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum CallStatus {
    /// The person is asked.
    AwaitingApproval,
    /// The person has taken more time.
    Pending,
    /// It is on its way.
    Running,
    /// It succeeded.
    Ok,
    /// It was denied.
    Denied,
    /// It failed.
    Error,
}

/// A call with what is stored about it.
#[derive(Clone, Debug)]
pub(crate) struct StoredCall {
    pub(crate) record: CallRecord,
    pub(crate) prompt: Option<PromptRecord>,
}

impl CallItem {
    pub(crate) fn new(
        shared: &Shared,
        relation: Option<&DeviceRelation>,
        stored: &StoredCall,
    ) -> Self {
        let call = &stored.record.call;
        let tool = relation.and_then(|relation| relation.tool(&call.tool).ok()?);
        let tool = tool.map(|tool| shared.settings.adapt(tool));
        let end = stored.prompt.as_ref().and_then(|prompt| prompt.end);
        let decision = end.and_then(|end| match end.resolution {
            Resolution::Decided(decision) => Some(decision),
            _ => None,
        });
        let is_answered = stored.record.response.is_some();
        let decided_by = end.map_or(DecidedBy::Policy, |end| end.decided_by);
        let item = Self {
            invocation_id: call.invocation,
            call_id: Some(call.call_id.clone()),
            conversation_id: call.conversation,
            agent: Some(match relation {
                Some(relation) => PromptAgent::of(relation),
                None => PromptAgent::unknown(call.agent_id),
            }),
            tool: (!call.tool.is_empty()).then(|| CallTool {
                name: call.tool.clone(),
                served_by: tool.as_ref().and_then(AgentTool::served_by).map(str::to_owned),
            }),
            target: tool.as_ref().and_then(|tool| shared.tools.target(tool, &call.arguments)),
            scope: relation
                .zip(tool.as_ref())
                .map(|(relation, tool)| scope_of(relation, tool, shared.settings.language())),
            at: stored.record.received_at,
            status: open_status(stored),
            reason: None,
            error_code: None,
            detail: None,
            decided_by: is_answered.then_some(decided_by),
            decision,
        };
        match stored.record.response.as_deref() {
            Some(response) => item.answered(response),
            None => item,
        }
    }

    /// With what the agent was answered.
    fn answered(mut self, response: &[u8]) -> Self {
        self.status = CallStatus::Error;
        let response: Value = serde_json::from_slice(response).unwrap_or_default();
        let Ok(response) = ToolResponse::try_from(response) else { return self };
        self.detail = response.extra.get("detail").and_then(Value::as_str).map(str::to_owned);
        match response.outcome {
            ToolOutcome::Ok { .. } => self.status = CallStatus::Ok,
            ToolOutcome::Denied { reason } => {
                self.status = CallStatus::Denied;
                self.reason = Some(reason.as_str().to_owned());
            }
            ToolOutcome::Error { code, reason } => {
                self.error_code = Some(code.as_str().to_owned());
                self.reason = Some(reason.as_str().to_owned());
            }
            _ => {}
        }
        self
    }
}

fn open_status(stored: &StoredCall) -> CallStatus {
    match &stored.prompt {
        Some(prompt) if prompt.end.is_none() && prompt.is_held => CallStatus::Pending,
        Some(prompt) if prompt.end.is_none() => CallStatus::AwaitingApproval,
        _ => CallStatus::Running,
    }
}
