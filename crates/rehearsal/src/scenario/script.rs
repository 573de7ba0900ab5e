//! Scripts of tools.

use assent_ids::ArtifactId;
use assent_protocol::{
    agent_tool::{ErrorClass, RetryAfter},
    wire::{Millis, Percent},
};
use serde_json::Value;

/// The script of a tool: steps and one end.
#[derive(Clone, Debug, PartialEq)]
pub struct Script {
    /// The steps, in order.
    pub steps: Vec<Step>,
    /// The end.
    pub end: End,
}

/// A step of a script.
#[derive(Clone, Debug, PartialEq)]
pub enum Step {
    /// Reports progress.
    Progress(Progress),
    /// Waits.
    Sleep(Millis),
    /// Emits a part of the result.
    Partial(Value),
    /// Asks the person for input.
    NeedInput {
        /// The question.
        prompt: String,
    },
    /// Creates an artifact.
    Artifact(Artifact),
    /// Requests a change of the context of the conversation.
    ContextModifier(Value),
}

/// The end of a script.
#[derive(Clone, Debug, PartialEq)]
pub enum End {
    /// Returns this value.
    Return(Value),
    /// Returns this text.
    ReturnText(String),
    /// Returns this many bytes.
    ReturnBytes(u64),
    /// Returns an empty result.
    ReturnEmpty,
    /// Returns its input.
    Echo,
    /// Fails.
    Fail(Failure),
    /// Never ends.
    Hang,
}

/// A progress report.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Progress {
    /// The share that is done.
    pub percent: Option<Percent>,
    /// The current activity.
    pub message: Option<String>,
}

/// A durable deliverable.
#[derive(Clone, Debug, PartialEq)]
pub struct Artifact {
    /// The id of the artifact.
    pub artifact_id: ArtifactId,
    /// The media type.
    pub media_type: String,
    /// The location.
    pub uri: Option<String>,
}

/// A failure of a tool.
#[derive(Clone, Debug, PartialEq)]
pub struct Failure {
    /// The class of the failure.
    pub class: ErrorClass,
    /// The message.
    pub message: String,
    /// When to try again.
    pub retry_after: Option<RetryAfter>,
}
