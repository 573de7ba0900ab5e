//! The unit of writing: a batch is recorded as a whole or not at all.

use std::{fmt, sync::Arc};

use assent_ids::InvocationId;

use crate::Draft;

/// Facts that belong together, and the conditions under which they are recorded.
#[derive(Clone, Debug, Default)]
pub struct Batch {
    /// The facts, in order.
    pub drafts: Vec<Draft>,
    /// Claims that all have to succeed. If one of them fails, nothing of the batch is recorded.
    pub claims: Vec<Claim>,
    /// The state that a call needs to continue after a crash. It replaces the state saved before.
    pub save: Option<SavedState>,
    /// A call that has ended; its saved state is erased.
    pub release: Option<InvocationId>,
}

/// One use of something that can be used a limited number of times: an approval once, a grant as often as
/// it says.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Claim {
    /// Identifies what is used, for example `approval:apr_…`.
    pub key: Arc<str>,
    /// The number of times it can be used in total.
    pub limit: u32,
}

/// The state that a call needs to continue after a crash, with the real values of sensitive fields. It is
/// never exported, and it is erased when the call ends.
#[derive(Clone, PartialEq, Eq)]
pub struct SavedState {
    /// The call.
    pub invocation: InvocationId,
    /// The serialized state; only the runtime that saved it can read it. Empty for a call that needs no
    /// state to continue.
    pub bytes: Arc<[u8]>,
}

/// Shows the size only: the bytes hold sensitive values.
impl fmt::Debug for SavedState {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "SavedState({}, {} bytes)", self.invocation, self.bytes.len())
    }
}
