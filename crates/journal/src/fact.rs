//! The facts that a journal records. They are small, because several are written for every call; the records of the
//! standard are made from them when the journal is read.

mod asked;
mod call;
mod call_facts;
mod decided;
mod ended;
mod hook;
mod inputs;
mod mutated;
mod noted;

use std::sync::Arc;

use assent_json::Json;
use assent_protocol::agent_tool::{
    AbortReason, InvocationStatus, ToolProgress, ToolResult, ToolResultPersistence,
};
use serde::{Deserialize, Serialize};

pub use asked::{Asked, Binding};
pub use call::{Planned, Selected};
pub use call_facts::{CallFacts, OpinionNote};
pub use decided::{ClassifierNote, Decided, RuleNote};
pub use ended::Ended;
pub use hook::{HookFailed, HookRan, HookStarted};
pub use inputs::{Condensed, Inputs, LaterInput};
pub use mutated::Mutated;
pub use noted::Noted;

/// A fact about a call or a tool.
///
/// INVARIANT: no fact contains the value of a sensitive field; the writer has replaced it with a digest. The state
/// that a call needs after a crash is kept apart, as a [`crate::SavedState`].
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Fact {
    /// A record of the standard about tools rather than a call.
    Noted(Box<Noted>),

    /// A call was requested. The first fact of every call.
    Planned(Arc<Planned>),
    /// Its tool was found.
    Selected(Arc<Selected>),
    /// Its status changed. [`Fact::Planned`] and [`Fact::Selected`] stand for the statuses `planned` and `selected`;
    /// every other status is a `Moved`, including the last one.
    Moved(InvocationStatus),
    /// Its input was changed.
    Mutated(Box<Mutated>),
    /// A hook began.
    HookStarted(HookStarted),
    /// A hook ended.
    HookRan(HookRan),
    /// A hook failed.
    HookFailed(Box<HookFailed>),
    /// A person is asked.
    Asked(Arc<Asked>),
    /// A decision was made.
    Decided(Arc<Decided>),
    /// The tool reported progress.
    Progressed(Box<ToolProgress>),
    /// A part of the result is ready.
    Partial(Json),
    /// The tool needs input to continue.
    NeedsInput {
        /// The question.
        prompt: String,
    },
    /// The call was asked to stop.
    CancelRequested {
        /// The reason.
        reason: AbortReason,
    },
    /// The executor stops.
    CancelAcknowledged,
    /// The call could not be stopped.
    CancelFailed {
        /// Why it could not.
        message: String,
    },
    /// The call is retried.
    Retried {
        /// The number of the attempt that begins, from 2.
        attempt: u32,
    },
    /// The result is known and waits for the results before it. There is no event for it; it is recorded so that a
    /// finished call does not run again after a crash.
    Completed(Box<Completed>),
    /// The persistence strategy of the result was decided.
    Persisted(Arc<ToolResultPersistence>),
    /// Parts of the result were removed.
    Redacted {
        /// Their locations as JSON Pointers.
        fields: Vec<String>,
    },
    /// The result.
    Resulted(Arc<ToolResult>),
    /// The call has ended. The last fact of every call.
    Ended(Box<Ended>),
}

/// The result of a call before it is delivered.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Completed {
    /// The status in which the call will end.
    pub status: InvocationStatus,
    /// Its result.
    pub result: Arc<ToolResult>,
}
