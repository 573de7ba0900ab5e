//! What can be recorded. Facts are small, because several are written for every call; the records of
//! the standard are made from them when somebody reads the journal.

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

/// One thing that happened.
///
/// INVARIANT: no fact holds the value of a sensitive field; whoever records it has replaced the value
/// by its digest. What is needed to go on after a crash is kept apart, as a [`crate::SavedState`].
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Fact {
    /// About tools rather than a call: a record of the standard, as it is.
    Noted(Box<Noted>),

    /// A call was asked for. The first fact of every call.
    Planned(Arc<Planned>),
    /// Its tool was found.
    Selected(Arc<Selected>),
    /// It came into a state. [`Fact::Planned`] and [`Fact::Selected`] stand for the states `planned` and
    /// `selected` themselves; every other state is a `Moved`, also the last one.
    Moved(InvocationStatus),
    /// Its input was changed.
    Mutated(Box<Mutated>),
    /// A hook began.
    HookStarted(HookStarted),
    /// A hook ended.
    HookRan(HookRan),
    /// A hook broke.
    HookFailed(Box<HookFailed>),
    /// Somebody is asked, and about what exactly.
    Asked(Arc<Asked>),
    /// A decision was made.
    Decided(Arc<Decided>),
    /// The tool reported progress.
    Progressed(Box<ToolProgress>),
    /// A part of the result is ready.
    Partial(Json),
    /// The tool needs input to go on.
    NeedsInput {
        /// The question.
        prompt: String,
    },
    /// Somebody wants the call stopped.
    CancelRequested {
        /// Why.
        reason: AbortReason,
    },
    /// The executor stops.
    CancelAcknowledged,
    /// The call cannot be stopped; it goes on.
    CancelFailed {
        /// Why not.
        message: String,
    },
    /// The call is tried again.
    Retried {
        /// The number of the attempt that begins, from 2.
        attempt: u32,
    },
    /// The outcome is known but not handed over: results come out in order. No event tells of it; it
    /// is recorded so that a crash cannot make a finished call run again.
    Completed(Box<Completed>),
    /// It was decided how the result is stored.
    Persisted(Arc<ToolResultPersistence>),
    /// Parts of the result were removed.
    Redacted {
        /// Where, as JSON Pointers.
        fields: Vec<String>,
    },
    /// The result.
    Resulted(Arc<ToolResult>),
    /// The call has ended. The last fact of every call.
    Ended(Box<Ended>),
}

/// The outcome of a call before it is handed over.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Completed {
    /// How the call will end.
    pub status: InvocationStatus,
    /// Its result.
    pub result: Arc<ToolResult>,
}
