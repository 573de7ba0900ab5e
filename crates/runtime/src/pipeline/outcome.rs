//! The outcome of a call, as it is saved while hooks run on it: a crash must neither lose it nor run the tool
//! again.

use assent_json::Json;
use assent_protocol::agent_tool::{
    ArtifactRef, ContentBlock, ErrorClass, ResourceRef, RetryAfter, TerminalStatus,
};
use serde::{Deserialize, Serialize};
use serde_json::Value;

use super::{
    Calling, Trail,
    map_result::{Besides, Broke, Ending, Mapped, Worked},
    persist::{self, Persisted},
};
use crate::{
    executor::{Body, Failure},
    results,
};

/// An outcome in the form in which it is saved.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(crate) struct SavedOutcome {
    ran_alone: bool,
    ending: SavedEnding,
    /// The sensitive values of the call, because the tool may have been removed or changed.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    hidden: Vec<String>,
}

#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
enum SavedEnding {
    Worked(Box<SavedOutput>),
    Failed(SavedFailure),
}

#[derive(Clone, Debug, Serialize, Deserialize)]
struct SavedOutput {
    body: SavedBody,
    artifacts: Vec<ArtifactRef>,
    resources: Vec<ResourceRef>,
    context_modifier: Option<Value>,
    partial_failures: Vec<SavedFailure>,
    native_output_ref: Option<String>,
}

#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
enum SavedBody {
    Empty,
    Text(String),
    Structured(Json),
    Blocks(Vec<ContentBlock>),
    Bytes { bytes: Vec<u8>, media_type: String },
}

#[derive(Clone, Debug, Serialize, Deserialize)]
struct SavedFailure {
    class: ErrorClass,
    code: Option<String>,
    message: String,
    retry_after: Option<RetryAfter>,
    native: Option<Box<Value>>,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    artifacts: Vec<ArtifactRef>,
}

impl SavedOutcome {
    /// The saved form of an outcome; `None` for a call that was aborted.
    pub(super) fn of(ending: &Ending, ran_alone: bool, hidden: Vec<String>) -> Option<Self> {
        let ending = match ending {
            Ending::Worked(worked) => SavedEnding::Worked(Box::new(SavedOutput::of(worked))),
            Ending::Broke(Broke { failure, abort: None, .. }) => {
                SavedEnding::Failed(SavedFailure::of(failure))
            }
            Ending::Broke(_) => return None,
        };
        Some(Self { ran_alone, ending, hidden })
    }

    /// The call as it was when its tool had finished, even if the tool was replaced since.
    pub(crate) fn restored(self, calling: Calling, trail: &mut Trail) -> Mapped {
        trail.hide(self.hidden);
        Mapped { calling, ending: self.ending.restored(), ran_alone: self.ran_alone }
    }

    /// The end of a call whose tool has finished and was removed since.
    pub(crate) fn without_tool(self, trail: &mut Trail) -> Persisted {
        trail.hide(self.hidden);
        persist::without_tool(trail, self.ending.restored())
    }
}

impl SavedEnding {
    fn restored(self) -> Ending {
        match self {
            Self::Worked(output) => output.restored(),
            Self::Failed(failure) => failed(failure.restored()),
        }
    }
}

fn failed(failure: Failure) -> Ending {
    Ending::Broke(Broke { status: TerminalStatus::Failed, failure, abort: None })
}

impl SavedOutput {
    fn of(worked: &Worked) -> Self {
        let besides = worked.besides.as_deref().cloned().unwrap_or_default();
        Self {
            body: SavedBody::of(worked.mapped.body()),
            artifacts: besides.artifacts,
            resources: besides.resources,
            context_modifier: besides.context_modifier,
            partial_failures: besides.partial_failures.iter().map(SavedFailure::of).collect(),
            native_output_ref: besides.native_output_ref,
        }
    }

    /// It was checked against the tool's output schema when it was mapped.
    fn restored(self) -> Ending {
        let failures = self.partial_failures.into_iter().map(SavedFailure::restored);
        let besides = Besides {
            artifacts: self.artifacts,
            resources: self.resources,
            context_modifier: self.context_modifier,
            partial_failures: failures.collect(),
            native_output_ref: self.native_output_ref,
        };
        match results::Mapped::of(self.body.restored(), None) {
            Ok(mapped) => Ending::Worked(Worked { mapped, besides: besides.unless_empty() }),
            Err(failure) => failed(failure),
        }
    }
}

impl SavedBody {
    fn of(body: Body) -> Self {
        match body {
            Body::Empty => Self::Empty,
            Body::Text(text) => Self::Text(text),
            Body::Structured(json) => Self::Structured(json),
            Body::Blocks(blocks) => Self::Blocks(blocks),
            Body::Bytes { bytes, media_type } => Self::Bytes { bytes, media_type },
        }
    }

    fn restored(self) -> Body {
        match self {
            Self::Empty => Body::Empty,
            Self::Text(text) => Body::Text(text),
            Self::Structured(json) => Body::Structured(json),
            Self::Blocks(blocks) => Body::Blocks(blocks),
            Self::Bytes { bytes, media_type } => Body::Bytes { bytes, media_type },
        }
    }
}

impl SavedFailure {
    fn of(failure: &Failure) -> Self {
        let Failure { class, code, message, retry_after, native, artifacts } = failure.clone();
        Self { class, code, message, retry_after, native, artifacts }
    }

    fn restored(self) -> Failure {
        let Self { class, code, message, retry_after, native, artifacts } = self;
        Failure { class, code, message, retry_after, native, artifacts }
    }
}
