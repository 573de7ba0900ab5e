//! Settings of one hook that do not depend on its transport.

use assent_ids::HookId;

use crate::Sight;

/// Limits and trust of one hook.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Terms {
    /// The id of the hook.
    pub id: HookId,
    /// How the hook sees sensitive values.
    pub sight: Sight,
    /// The longest answer. A longer one is a failure.
    pub max_answer_bytes: usize,
    /// The most moments in flight. Others wait; the wait counts toward their timeout.
    pub max_parallel: usize,
}

impl Terms {
    /// The default of `max_answer_bytes`.
    pub const MAX_ANSWER_BYTES: usize = 1 << 20;
    /// The default of `max_parallel`.
    pub const MAX_PARALLEL: usize = 64;

    /// The default terms: sensitive values are masked.
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
