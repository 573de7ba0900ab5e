//! What can go wrong with a journal. No text of an error holds a value of an argument.

use std::sync::Arc;

use assent_ids::InvocationId;

use crate::Seq;

/// Why a journal did not do what it was asked to.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum JournalError {
    /// A claim of the batch is used up. Nothing of the batch was recorded.
    #[error("`{key}` is used up")]
    Claimed {
        /// What was claimed.
        key: Arc<str>,
    },

    /// The facts of a call are not numbered without gaps: somebody else writes about the same call,
    /// or the writer has lost count. Nothing of the batch was recorded.
    #[error("fact {found} of `{invocation}` came where fact {expected} has its place")]
    OutOfStep {
        /// The call.
        invocation: InvocationId,
        /// The step that would have been right.
        expected: u32,
        /// The step that came.
        found: u32,
    },

    /// The call has ended and is not kept any longer, or nobody can tell whether it is such a call. It
    /// must not run as if it were new.
    #[error("the journal may have known `{invocation}` and does not any longer")]
    Forgotten {
        /// The call.
        invocation: InvocationId,
    },

    /// The store cannot write or answer now. A batch that gets this was not recorded; whoever
    /// appended it must not act. It can be tried again.
    #[error("the journal is not available: {0}")]
    Unavailable(String),

    /// The entries that were asked for are not kept any longer; the first one after them is named.
    #[error("the journal is not kept that far back; it goes on at entry {next}")]
    Lagged {
        /// The next entry that is there.
        next: Seq,
    },

    /// What is stored is not what was written.
    #[error("the journal is damaged: {what}")]
    Corrupt {
        /// What is wrong, and where.
        what: String,
    },
}

impl JournalError {
    /// That the journal was closed before it could answer.
    pub(crate) fn closed() -> Self {
        Self::Unavailable("it was closed".to_owned())
    }
}
