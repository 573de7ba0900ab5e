//! The errors of a journal. Their texts never contain values of arguments.

use std::sync::Arc;

use assent_ids::InvocationId;

use crate::Seq;

/// Why an operation of a journal failed.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum JournalError {
    /// A claim of the batch is used up. Nothing of the batch was recorded.
    #[error("`{key}` is used up")]
    Claimed {
        /// The key of the claim.
        key: Arc<str>,
    },

    /// The facts of a call are not numbered without gaps: there is another writer for the same call, or the
    /// writer has lost count. Nothing of the batch was recorded.
    #[error("fact {found} of `{invocation}` came where fact {expected} has its place")]
    OutOfStep {
        /// The call.
        invocation: InvocationId,
        /// The expected step.
        expected: u32,
        /// The step in the batch.
        found: u32,
    },

    /// The call has ended and is no longer kept, or it is unknown whether it is such a call. It must not run as if
    /// it were new.
    #[error("the journal may have known `{invocation}` and does not any longer")]
    Forgotten {
        /// The call.
        invocation: InvocationId,
    },

    /// The store cannot write or answer now. The batch was not recorded, and the caller must not act on it. It can
    /// be appended again.
    #[error("the journal is not available: {0}")]
    Unavailable(String),

    /// The requested entries are no longer kept.
    #[error("the journal is not kept that far back; it goes on at entry {next}")]
    Lagged {
        /// The next entry that is kept.
        next: Seq,
    },

    /// The stored data is not what was written.
    #[error("the journal is damaged: {what}")]
    Corrupt {
        /// The problem and its location.
        what: String,
    },
}

impl JournalError {
    /// The journal was closed before it could answer.
    pub(crate) fn closed() -> Self {
        Self::Unavailable("it was closed".to_owned())
    }
}
