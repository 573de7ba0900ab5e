//! What a scripted tool does when it is executed.

use assent_ids::ArtifactId;
use assent_protocol::{
    agent_tool::{ErrorClass, RetryAfter},
    wire::{Millis, Percent},
};
use serde_json::Value;

/// Steps, and one end.
#[derive(Clone, Debug, PartialEq)]
pub struct Script {
    /// What happens on the way, in order.
    pub steps: Vec<Step>,
    /// How it ends.
    pub end: End,
}

/// Something that a tool does before it ends.
#[derive(Clone, Debug, PartialEq)]
pub enum Step {
    /// Reports progress.
    Progress(Progress),
    /// Takes its time.
    Sleep(Millis),
    /// Hands over a part of the result.
    Partial(Value),
    /// Asks the person.
    NeedInput {
        /// What is asked.
        prompt: String,
    },
    /// Makes an artifact.
    Artifact(Artifact),
    /// Wants to change the context of the conversation.
    ContextModifier(Value),
}

/// How a tool ends.
#[derive(Clone, Debug, PartialEq)]
pub enum End {
    /// With this value.
    Return(Value),
    /// With this text.
    ReturnText(String),
    /// With this many bytes.
    ReturnBytes(u64),
    /// With nothing.
    ReturnEmpty,
    /// With the input that it was executed with.
    Echo,
    /// With a failure.
    Fail(Failure),
    /// Never.
    Hang,
}

/// How far a tool is.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Progress {
    /// How much is done.
    pub percent: Option<Percent>,
    /// What it is doing.
    pub message: Option<String>,
}

/// A durable deliverable.
#[derive(Clone, Debug, PartialEq)]
pub struct Artifact {
    /// Its id.
    pub artifact_id: ArtifactId,
    /// What it is.
    pub media_type: String,
    /// Where it is.
    pub uri: Option<String>,
}

/// Why a tool failed.
#[derive(Clone, Debug, PartialEq)]
pub struct Failure {
    /// What kind of failure.
    pub class: ErrorClass,
    /// What went wrong.
    pub message: String,
    /// When to try again.
    pub retry_after: Option<RetryAfter>,
}
