//! Questions to a person, and what an approval is bound to.

use std::sync::Arc;

use assent_ids::{ApprovalId, InvocationId, PromptId, ToolId};
use assent_json::Digest;
use serde::{Deserialize, Serialize};

use crate::serde_as;

/// A question to a person.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Asked {
    /// The id of the question.
    pub prompt: PromptId,
    /// The exact call that an approval is valid for.
    pub binding: Binding,
    /// When the runtime stops waiting for the answer, in milliseconds since 1970. `None` if the approver decides
    /// that.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub not_after: Option<u64>,
}

/// The exact call that an approval is for. Every field is compared with the call that is about to run; if one
/// differs, it does not run.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Binding {
    /// The approval. It can be used once.
    pub approval: ApprovalId,
    /// The call.
    pub invocation: InvocationId,
    /// The actor that requested the call.
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
    /// The digest of the tool's definition: its declaration, interface and profiles.
    #[serde(with = "serde_as::text")]
    pub definition: Digest,
    /// The scope under which it is used.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub scope: Option<Arc<str>>,
    /// The sensitivity of the data.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub sensitivity: Option<Arc<str>>,
    /// The canonical arguments.
    #[serde(with = "serde_as::text")]
    pub arguments: Digest,
    /// The digest of the hooks that could have changed the call, in order.
    #[serde(with = "serde_as::text")]
    pub hooks: Digest,
    /// The digest of what the executor would touch beyond its arguments: executable, environment, files, hosts.
    #[serde(with = "serde_as::text")]
    pub environment: Digest,
    /// The digest of what the person saw.
    #[serde(with = "serde_as::text")]
    pub view: Digest,
}
