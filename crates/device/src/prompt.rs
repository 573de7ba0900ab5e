//! A prompt: the question to the person about one call.

use assent_builtin_tools::Target;
use assent_ids::{AgentId, CallId, ConversationId, InvocationId, PromptId, ScopeId, UnixMillis};
use assent_protocol::a2h::Sensitivity;
use assent_runtime::View;
use serde::{Serialize, Serializer};
use serde_json::json;

use crate::{Decision, events::timestamp};

/// A question to the person about one call. It serializes as the API of the console shows it.
#[derive(Clone, Debug, Serialize)]
pub struct Prompt {
    /// The id of the prompt.
    pub prompt_id: PromptId,
    /// The call that it is about.
    pub invocation_id: InvocationId,
    /// The agent's id of the call.
    pub call_id: CallId,
    /// The agent that asks.
    pub agent: PromptAgent,
    /// The tool.
    pub tool: PromptTool,
    /// The scope of the tool.
    pub scope: PromptScope,
    /// The conversation that the call came in.
    pub conversation_id: ConversationId,
    /// The file or page that the call acts on.
    #[serde(skip_serializing_if = "Option::is_none", serialize_with = "optional_target")]
    pub target: Option<Target>,
    /// The arguments as they are shown, and the digest that an answer has to name.
    #[serde(serialize_with = "view")]
    pub view: View,
    /// What the agent says about the call; it is not checked.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub agent_reason: Option<String>,
    /// When the prompt was opened.
    #[serde(serialize_with = "timestamp")]
    pub opened_at: UnixMillis,
    /// The time from which a yes counts.
    #[serde(serialize_with = "timestamp")]
    pub answerable_at: UnixMillis,
    /// The time after which no answer counts.
    #[serde(serialize_with = "timestamp")]
    pub not_after: UnixMillis,
    /// The decisions that are offered.
    pub choices: Vec<Decision>,
    /// What [`Decision::Allow24h`] allows; `None` if it is not offered.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub silence: Option<PromptSilence>,
}

/// The agent of a prompt.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct PromptAgent {
    /// The id.
    pub agent_id: AgentId,
    /// The name.
    pub name: String,
    /// Whether the person knows that the keys are those of the agent.
    pub verified: bool,
}

/// The tool of a prompt.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct PromptTool {
    /// The name.
    pub name: String,
    /// What it does, in the words of the agent.
    pub description: String,
    /// The tool of this device that runs it.
    pub served_by: Option<String>,
}

/// The scope of a prompt.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct PromptScope {
    /// The id.
    pub id: ScopeId,
    /// What it is called.
    pub label: String,
    /// How sensitive it is on this device.
    pub sensitivity: Sensitivity,
}

/// What is allowed if the person allows a tool for a while.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct PromptSilence {
    /// How long, from the last use.
    pub seconds: u64,
    /// The folder, or the origin with the method; `None` if the tool has no places.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub place: Option<String>,
}

/// The person's answer to a prompt.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PromptAnswer {
    /// The decision.
    pub decision: Decision,
    /// The digest of the view that the person saw.
    pub view_digest: String,
    /// Whether every long text was shown to its end.
    pub has_shown_all: bool,
}

/// Why an answer does not count.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum PromptError {
    /// There is no such prompt, or it was answered, or its time is over.
    #[error("this request is answered, withdrawn or over")]
    AlreadyResolved,
    /// The digest is not that of the view.
    #[error("this request shows something else: look at it again")]
    ViewChanged,
    /// A yes came too soon after the prompt had appeared.
    #[error("this request has only just appeared: look at it, then answer")]
    TooEarly,
    /// A long text was not shown to its end.
    #[error("part of this request was not shown: show all of it, then answer")]
    NotShown,
    /// The answer is not one of those that are offered.
    #[error("this answer is not offered for this request: choose one of `choices`")]
    NotOffered,
    /// More time was taken before, or the prompt has enough of it.
    #[error("more time can be taken once, and only for a request of high sensitivity")]
    AlreadyHeld,
    /// The change could not be stored. The prompt is as it was.
    #[error("the answer could not be stored: try again")]
    NotStored,
}

pub(crate) fn view<S: Serializer>(view: &View, serializer: S) -> Result<S::Ok, S::Error> {
    let line = |line: &assent_runtime::ViewLine| json!({"path": line.path, "text": line.text});
    let lines: Vec<_> = view.lines.iter().map(line).collect();
    let digest = view.digest.to_string();
    json!({"lines": lines, "digest": digest, "shortened": view.shortened}).serialize(serializer)
}

pub(crate) fn optional_target<S: Serializer>(
    target: &Option<Target>,
    serializer: S,
) -> Result<S::Ok, S::Error> {
    let shown =
        target.as_ref().map(|target| json!({"kind": target.kind.as_str(), "text": target.text}));
    shown.serialize(serializer)
}
