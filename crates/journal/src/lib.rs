//! What happened to every call: recorded before acting, stored durably, read back as records.
//!
//! Whoever acts on a call first appends what he is about to do as a [`Batch`] of [`Fact`]s and waits
//! for the [`Commit`]. Facts are small; everything else is made from them when somebody reads:
//!
//! * [`Projector`] turns them into the records of the Agent Tool standard,
//! * [`explain()`] answers why a call was allowed or refused,
//! * [`check()`] tells whether a journal can have come from a runtime that keeps the rules,
//! * [`export`] and [`import`] move a journal from one store to another.
//!
//! Stores: [`MemoryJournal`], [`SqliteJournal`]. One suite of tests holds for all of them
//! (`conformance`, a feature).

mod batch;
mod check;
mod codec;
mod commit;
#[cfg(any(test, feature = "conformance"))]
pub mod conformance;
mod entry;
mod error;
mod explain;
mod export;
mod fact;
mod import;
mod journal;
mod memory;
mod project;
mod serde_as;
mod sqlite;
mod steps;
mod subscription;

pub use batch::{Batch, Claim, SavedState};
pub use check::{Checker, check};
pub use commit::{Commit, Receipt};
pub use entry::{Draft, Entry, Seq};
pub use error::JournalError;
pub use explain::{Explanation, HookVoice, InputDigests, Stored, TrustBasis, explain};
pub use export::{ExportError, RecordLines, export, records_jsonl};
pub use fact::{
    Asked, Binding, CallFacts, ClassifierNote, Completed, Condensed, Decided, Ended, Fact,
    HookFailed, HookRan, HookStarted, Inputs, LaterInput, Mutated, Noted, OpinionNote, Planned,
    RuleNote, Selected,
};
pub use import::{ImportError, import};
pub use journal::{Answer, Journal};
pub use memory::MemoryJournal;
pub use project::{Made, ProjectedRecord, Projector, cloud_events};
pub use sqlite::{OpenError, SqliteJournal};
pub use subscription::{Pages, Subscription};
