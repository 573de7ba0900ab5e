//! The journal of calls: every step is recorded before it is acted upon, stored durably, and read back as records.
//!
//! A writer appends a [`Batch`] of [`Fact`]s and waits for the [`Commit`] before it acts. Facts are small; everything
//! else is made from them when the journal is read:
//!
//! * [`Projector`] turns them into the records of the Agent Tool standard,
//! * [`explain()`] answers why a call was allowed or refused,
//! * [`check()`] checks whether a runtime that follows the rules can have written a journal,
//! * [`export`] and [`import`] move a journal from one store to another.
//!
//! Stores: [`MemoryJournal`], [`SqliteJournal`]. All of them pass one suite of tests (the feature `conformance`).

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
pub use sqlite::{Cipher, OpenError, SqliteJournal};
pub use subscription::{Pages, Subscription};
