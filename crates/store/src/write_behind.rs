//! Changes that are durable, but not yet in their tables.

use std::{pin::Pin, time::Duration};

use crate::{StoreError, Tx};

/// A step of a write-behind buffer in a transaction.
pub type BufferFuture<'a> = Pin<Box<dyn Future<Output = Result<(), StoreError>> + Send + 'a>>;

/// A buffer of changes that are stored in one row first, and in their tables later.
///
/// A very frequent unit of work adds its changes to the buffer, as its last step. The changes of one transaction are
/// stored as one row, which makes them durable. Many transactions later the buffer is flushed: all changes are
/// written to their tables at once, in the order of the tables. Other units of work do not notice: the buffer is
/// flushed before a unit of work runs that reads these tables ([`Work::needs_flush`](crate::Work::needs_flush)).
///
/// Only SQLite has such a buffer, because there one thread runs all units of work that write.
///
/// INVARIANT: a change is either in the row of the buffer or in its tables: a flush deletes the row in the same
/// transaction.
pub trait WriteBehind: Send + Sync + 'static {
    /// Replaces the content of the buffer by what is stored and not flushed. Called when a file was opened: only the
    /// file knows what survived.
    fn load<'a>(&'a self, tx: &'a mut Tx) -> BufferFuture<'a>;

    /// Writes all changes to their tables.
    fn flush<'a>(&'a self, tx: &'a mut Tx) -> BufferFuture<'a>;

    /// Stores the changes of this transaction, which is about to be committed. Flushes instead if the buffer is full or
    /// was flushed in this transaction.
    fn before_commit<'a>(&'a self, tx: &'a mut Tx) -> BufferFuture<'a>;

    /// The transaction was committed.
    fn committed(&self);

    /// The transaction was rolled back: its changes are dropped, and what it flushed is in the buffer again.
    fn rolled_back(&self);

    /// Returns `true` if nothing waits to be flushed.
    fn is_empty(&self) -> bool;

    /// How long changes may wait without further writes.
    fn max_delay(&self) -> Duration;
}
