//! Questions to a person, and what exactly an answer is about.

use std::sync::Arc;

use assent_ids::{ApprovalId, InvocationId, PromptId, ToolId};
use assent_json::Digest;
use serde::{Deserialize, Serialize};

use crate::serde_as;

/// Somebody is asked.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Asked {
    /// The question.
    pub prompt: PromptId,
    /// What a yes would be valid for.
    pub binding: Binding,
}

/// The exact call that an approval is for. Execution compares every field with the call that is about
/// to run; a single difference and it does not.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Binding {
    /// The approval. It can be used once.
    pub approval: ApprovalId,
    /// The call.
    pub invocation: InvocationId,
    /// Who asks.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub actor: Option<Arc<str>>,
    /// The session.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub session: Option<Arc<str>>,
    /// The device on which it runs.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub device: Option<Arc<str>>,
    /// The tool.
    pub tool: Arc<ToolId>,
    /// What the tool is: its declaration, interface and profiles, or the manifest it stands in.
    #[serde(with = "serde_as::text")]
    pub definition: Digest,
    /// The scope under which it is used.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub scope: Option<Arc<str>>,
    /// How sensitive that is.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub sensitivity: Option<Arc<str>>,
    /// The canonical arguments.
    #[serde(with = "serde_as::text")]
    pub arguments: Digest,
    /// The hooks that have looked at it, in order, with what they said.
    #[serde(with = "serde_as::text")]
    pub hooks: Digest,
    /// What the executor would touch beyond its arguments: executable, environment, files, hosts.
    #[serde(with = "serde_as::text")]
    pub environment: Digest,
    /// What the person saw.
    #[serde(with = "serde_as::text")]
    pub view: Digest,
    /// Until when a yes is valid, in milliseconds since 1970.
    pub not_after: u64,
}
