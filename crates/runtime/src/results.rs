//! From what a tool gave back to the one result that everybody sees.
//!
//! ```text
//! Body ──► Mapped ──► Redacted ──► Choice ──► PersistedResult ──► ToolResult
//!     map       scrub        measure      persist          assemble
//! ```
//!
//! The order is part of the contract: what is measured, stored, previewed or told has been redacted
//! before. It is also in the types: only [`Redacted`] can be persisted.
//!
//! * [`Mapped`]: the output in the blocks of the standard; made once, never again.
//! * [`Scrubber`]: takes sensitive values out of everything.
//! * [`Choice`]: what is done with the bytes, by policy and size; hooks can only tighten it.
//! * [`persist`]: does it.
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
pub use advice::{Advice, advice, advice_on_code};
pub use error::ErrorDraft;
pub use map::Mapped;
pub use measure::{Limits, Size};
pub use persist::{Filing, PersistedResult, persist};
pub use policy::{DEFAULT_INLINE_CHARS, HiddenCharacters, PersistencePolicy};
pub use preview::{Cut, Room, cut};
pub use redact::Redacted;
pub use result::ResultDraft;
pub use scrub::{REDACTED, Scrubber};
pub use strategy::{Choice, is_at_least_as_strict, reads_stored_result, stricter};

#[cfg(test)]
mod tests;
