//! What holds between the runtime and one hook, however they talk.

use assent_ids::HookId;

use crate::Sight;

/// The terms on which a hook is asked.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Terms {
    /// The hook.
    pub id: HookId,
    /// Whether it is trusted with sensitive values.
    pub sight: Sight,
    /// The longest answer; a longer one is a failure.
    pub max_answer_bytes: usize,
    /// So many moments are with the hook at once at most; the others wait, within their time.
    pub max_parallel: usize,
}

impl Terms {
    /// The longest answer if nobody says so.
    pub const MAX_ANSWER_BYTES: usize = 1 << 20;
    /// How many moments are with a hook at once if nobody says so.
    pub const MAX_PARALLEL: usize = 64;

    /// The usual terms: sensitive values are masked.
    #[must_use]
    pub fn new(id: HookId) -> Self {
        Self {
            id,
            sight: Sight::Masked,
            max_answer_bytes: Self::MAX_ANSWER_BYTES,
            max_parallel: Self::MAX_PARALLEL,
        }
    }
}
