//! Stage 10: what does the output mean? It is mapped once; everything that is shown, stored and replayed later
//! is made from this. From here on failure is data: hooks get it, and it is stored like any other outcome.

use assent_json::Json;
use assent_protocol::agent_tool::{
    Abort, AbortOutcome, AbortReason, ArtifactRef, ErrorClass, ResourceRef, TerminalStatus,
};
use serde_json::Value;

use super::{
    Calling,
    execute::{Executed, Outcome},
    parse,
};
use crate::{
    executor::{Body, Failure, Output},
    results,
};

/// A call whose outcome is understood.
pub(crate) struct Mapped {
    pub(crate) calling: Calling,
    pub(crate) ending: Ending,
    /// Whether no other call of its batch ran at the same time.
    pub(crate) ran_alone: bool,
}

/// The outcome of a call.
#[derive(Clone)]
pub(crate) enum Ending {
    /// The tool succeeded.
    Worked(Worked),
    /// The tool failed or was stopped.
    Broke(Broke),
}

/// The output of a tool.
#[derive(Clone)]
pub(crate) struct Worked {
    pub(crate) mapped: results::Mapped,
    pub(crate) besides: Option<Box<Besides>>,
}

/// The parts of an output besides its payload.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct Besides {
    pub(crate) artifacts: Vec<ArtifactRef>,
    pub(crate) resources: Vec<ResourceRef>,
    pub(crate) context_modifier: Option<Value>,
    pub(crate) partial_failures: Vec<Failure>,
    pub(crate) native_output_ref: Option<String>,
}

impl Ending {
    /// The output in the form in which hooks get it.
    pub(crate) fn as_json(&self) -> Option<Json> {
        let Self::Worked(Worked { mapped, .. }) = self else { return None };
        if let Some(json) = mapped.structured() {
            return Some(json.clone());
        }
        Json::string(&mapped.payload_text()).ok()
    }
}

impl Besides {
    pub(super) fn unless_empty(self) -> Option<Box<Self>> {
        let is_empty = self.artifacts.is_empty()
            && self.resources.is_empty()
            && self.context_modifier.is_none()
            && self.partial_failures.is_empty()
            && self.native_output_ref.is_none();
        (!is_empty).then(|| Box::new(self))
    }
}

/// Why there is no output.
#[derive(Clone)]
pub(crate) struct Broke {
    pub(crate) status: TerminalStatus,
    pub(crate) failure: Failure,
    pub(crate) abort: Option<Abort>,
}

pub(crate) fn run(done: Executed) -> Mapped {
    let Executed { calling, outcome, ran_alone } = done;
    let ending = match outcome {
        Outcome::Returned(output) => mapped(&calling, output),
        Outcome::Failed(failure) => {
            Ending::Broke(Broke { status: TerminalStatus::Failed, failure, abort: None })
        }
        Outcome::TimedOut { artifacts } => Ending::Broke(timed_out(&calling, artifacts)),
        Outcome::Aborted { reason, acknowledged, artifacts } => {
            Ending::Broke(aborted(reason, acknowledged, artifacts))
        }
    };
    Mapped { calling, ending, ran_alone }
}

fn mapped(calling: &Calling, output: Output) -> Ending {
    let Output {
        body,
        artifacts,
        resources,
        context_modifier,
        partial_failures,
        native_output_ref,
    } = output;
    let besides =
        Besides { artifacts, resources, context_modifier, partial_failures, native_output_ref };
    match map(calling, body) {
        Ok(mapped) => Ending::Worked(Worked { mapped, besides: besides.unless_empty() }),
        Err(failure) => {
            let failure = Failure { artifacts: besides.artifacts, ..failure };
            Ending::Broke(Broke { status: TerminalStatus::Failed, failure, abort: None })
        }
    }
}

/// Maps a payload, and checks it against the tool's own output schema.
pub(super) fn map(calling: &Calling, body: Body) -> Result<results::Mapped, Failure> {
    let schemas = parse::compiled(&calling.tool)
        .map_err(|stop| Failure::new(ErrorClass::ResultMappingFailed, stop.message))?;
    results::Mapped::of(body, schemas.output.as_ref())
}

fn timed_out(calling: &Calling, artifacts: Vec<ArtifactRef>) -> Broke {
    let seconds = calling.timeout.as_secs_f64();
    let message = format!("it took longer than {seconds} s and was given up");
    let abort = Abort { reason: AbortReason::Timeout, outcome: AbortOutcome::Unacknowledged };
    Broke {
        status: TerminalStatus::TimedOut,
        failure: Failure { artifacts, ..Failure::new(ErrorClass::Timeout, message) },
        abort: Some(abort),
    }
}

fn aborted(reason: AbortReason, acknowledged: bool, artifacts: Vec<ArtifactRef>) -> Broke {
    let outcome = match (reason, acknowledged) {
        (AbortReason::Fallback, _) => AbortOutcome::Discarded,
        (_, true) => AbortOutcome::Acknowledged,
        (_, false) => AbortOutcome::Unacknowledged,
    };
    let class = match reason {
        AbortReason::SiblingError => ErrorClass::SiblingCanceled,
        AbortReason::Fallback => ErrorClass::StreamingFallbackDiscarded,
        AbortReason::Timeout => ErrorClass::Timeout,
        AbortReason::UserInterruption | AbortReason::RuntimeShutdown => ErrorClass::Canceled,
    };
    let message = if acknowledged {
        "it was stopped"
    } else {
        "it did not stop in time and was given up: it is unknown what it had done by then"
    };
    Broke {
        status: TerminalStatus::Canceled,
        failure: Failure { artifacts, ..Failure::new(class, message) },
        abort: Some(Abort { reason, outcome }),
    }
}
