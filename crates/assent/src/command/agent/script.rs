//! The script of `assent agent run`.

mod read;
mod template;

use std::{collections::BTreeMap, path::PathBuf, time::Duration};

use assent_ids::ToolName;
use assent_protocol::{a2h::RelayEventType, wire::Word};
use serde::Serialize;
use serde_json::{Map, Value};

pub(super) use self::{read::read, template::insert};
use super::outcome::CallStatus;

/// What an agent does, step by step. Texts may hold `${name.path}`.
pub(super) struct Script {
    /// The agent, if the script makes it or publishes its manifest.
    pub(super) agent: Option<ScriptAgent>,
    pub(super) vars: BTreeMap<String, Value>,
    pub(super) steps: Vec<Step>,
}

/// The agent of a script.
pub(super) struct ScriptAgent {
    pub(super) name: Option<String>,
    pub(super) manifest: Option<PathBuf>,
}

/// A step of a script.
pub(super) enum Step {
    /// Waits until something is so.
    Wait(WaitFor),
    /// Sends a text.
    Say(String),
    /// Calls a tool.
    Call(CallStep),
    /// Sends an artifact as it is. A tool call is waited for.
    Artifact(ArtifactStep),
    /// Calls tools all at once.
    Parallel(Vec<CallStep>),
    /// Publishes a manifest.
    Publish { file: PathBuf, breaking: Option<bool> },
    /// Waits for an event, not for long.
    ExpectEvent(RelayEventType),
}

/// What a step waits for.
#[derive(Clone, Copy)]
pub(super) enum WaitFor {
    /// The agent has an active relation.
    Relation,
    /// The person has written a message that no step has waited for.
    Message,
    /// No scope waits for the person to agree again.
    Reauth,
    /// Some time has passed.
    Time(Duration),
}

/// A tool call.
pub(super) struct CallStep {
    pub(super) tool: ToolName,
    pub(super) arguments: Map<String, Value>,
    pub(super) reason: Option<String>,
    pub(super) timeout: Option<Duration>,
    pub(super) save: Option<String>,
    pub(super) expect: Option<Expectation>,
}

/// An artifact.
pub(super) struct ArtifactStep {
    pub(super) artifact: Map<String, Value>,
    pub(super) timeout: Option<Duration>,
    pub(super) save: Option<String>,
    pub(super) expect: Option<Expectation>,
}

/// What is expected of a call.
pub(super) struct Expectation {
    pub(super) status: Option<CallStatus>,
    pub(super) reason: Option<String>,
    pub(super) error_code: Option<String>,
    /// An object that the result contains.
    pub(super) result_contains: Option<Map<String, Value>>,
}

/// The kinds of steps. Each is the key that a step of the kind has.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub(super) enum StepKind {
    Wait,
    Say,
    Call,
    Artifact,
    Parallel,
    Publish,
    ExpectEvent,
}

impl Word for StepKind {
    const WORDS: &'static [Self] = &[
        Self::Wait,
        Self::Say,
        Self::Call,
        Self::Artifact,
        Self::Parallel,
        Self::Publish,
        Self::ExpectEvent,
    ];

    fn word(self) -> &'static str {
        match self {
            Self::Wait => "wait",
            Self::Say => "say",
            Self::Call => "call",
            Self::Artifact => "artifact",
            Self::Parallel => "parallel",
            Self::Publish => "publish",
            Self::ExpectEvent => "expect_event",
        }
    }
}

impl Step {
    pub(super) const fn kind(&self) -> StepKind {
        match self {
            Self::Wait(_) => StepKind::Wait,
            Self::Say(_) => StepKind::Say,
            Self::Call(_) => StepKind::Call,
            Self::Artifact(_) => StepKind::Artifact,
            Self::Parallel(_) => StepKind::Parallel,
            Self::Publish { .. } => StepKind::Publish,
            Self::ExpectEvent(_) => StepKind::ExpectEvent,
        }
    }
}
