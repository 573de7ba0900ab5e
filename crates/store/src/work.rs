//! A unit of work.

use crate::{StoreError, Tx};

/// Something to do in one transaction.
///
/// It waits for nothing but its transaction: on SQLite all other work waits for it. It may be
/// run several times, when a database that serves many writers at once asks for it; only the last run
/// counts. Whatever it returns as an error, nothing of it is kept.
pub trait Work: Send + Sync + 'static {
    /// What it finds out.
    type Output: Send + 'static;
    /// Why it can be refused, besides by the store.
    type Error: From<StoreError> + Send + 'static;

    /// Returns `true` if this work touches rows that the [write-behind buffer](crate::WriteBehind) may still hold, or
    /// that its content depends on; the buffer is flushed first.
    fn needs_flush(&self) -> bool {
        true
    }

    /// Does it.
    fn run(&self, tx: &mut Tx) -> impl Future<Output = Result<Self::Output, Self::Error>> + Send;
}
