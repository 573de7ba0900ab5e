//! From the output of a tool to the result of a call.
//!
//! ```text
//! Body ──► Mapped ──► Redacted ──► Choice ──► PersistedResult ──► ToolResult
//!     map       scrub        measure      persist          assemble
//! ```
//!
//! The order is part of the contract: everything that is measured, stored, previewed or reported is redacted
//! first. The types ensure it: only [`Redacted`] can be persisted.
//!
//! * [`Mapped`]: the output in the blocks of the standard; made once.
//! * [`Scrubber`]: removes sensitive values.
//! * [`Choice`]: the persistence strategy, by policy and size; hooks can only make it stricter.
//! * [`persist`]: stores the result as chosen.
//! * [`ErrorDraft`]: an error that says what a caller can do about it.
//! * [`ResultDraft`]: the record.

mod advice;
mod error;
mod hidden;
mod map;
mod measure;
mod media;
mod persist;
mod policy;
mod preview;
mod redact;
mod result;
mod scrub;
mod strategy;

pub(crate) use advice::{
    APPROVAL_EXPIRED, APPROVAL_MISMATCH, DEFINITION_CHANGED, PERMISSION_USED_UP, RULES_CHANGED,
    UNANSWERED,
};
pub(crate) use error::ErrorDraft;
pub(crate) use map::Mapped;
pub(crate) use measure::{Limits, Size};
pub(crate) use persist::{Filing, PersistedResult, persist};
pub use policy::{HiddenCharacters, PersistencePolicy};
pub(crate) use redact::Redacted;
pub(crate) use result::ResultDraft;
pub(crate) use scrub::{REDACTED, Scrubber};
pub(crate) use strategy::{Choice, reads_stored_result};

#[cfg(test)]
mod tests;
