//! Waking other nodes. A wake-up that gets lost loses nothing: everybody looks by himself as well.

use crate::outbox::Outbox;

/// The way to the other nodes.
#[derive(Default)]
pub(crate) struct Bus {}

impl Bus {
    /// Tells the other nodes whose events have grown.
    #[expect(clippy::unused_self, clippy::needless_pass_by_value, reason = "one node")]
    pub(crate) fn publish(&self, outbox: Outbox) {
        drop(outbox);
    }
}
