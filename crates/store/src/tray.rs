//! What was accepted and is durable, but does not lie in its tables yet.

use std::{pin::Pin, time::Duration};

use crate::{StoreError, Tx};

/// Something that is done with a tray in a transaction.
pub type Filing<'a> = Pin<Box<dyn Future<Output = Result<(), StoreError>> + Send + 'a>>;

/// Changes that were accepted and wait to be filed in the tables where others look for them.
///
/// A unit of work that is done very often lays what it would write into the tray, as its last step. All that one
/// transaction has accepted is written down in one place, which makes it durable at the price of one row; many
/// transactions later everything is filed at once, in the order of the tables. Whoever looks finds it filed: a
/// unit of work that does not say otherwise ([`Work::looks`](crate::Work::looks)) runs after that.
///
/// Only a file has a tray, because only there one thread does everything that is written.
///
/// INVARIANT: what is written down and what was filed never speak of the same change: filing strikes it off in the
/// same transaction.
pub trait Tray: Send + Sync + 'static {
    /// Replaces what is in the tray by what was written down and is not filed. Done when a file was opened: nobody
    /// else knows what survived.
    fn recall<'a>(&'a self, tx: &'a mut Tx) -> Filing<'a>;

    /// Files everything.
    fn file<'a>(&'a self, tx: &'a mut Tx) -> Filing<'a>;

    /// The transaction is about to be committed: writes down what it has accepted, or files it if the tray is full
    /// or something was filed anyway.
    fn close<'a>(&'a self, tx: &'a mut Tx) -> Filing<'a>;

    /// The transaction was committed.
    fn keep(&self);

    /// The transaction was rolled back: nothing that it has accepted or filed counts.
    fn undo(&self);

    /// Whether nothing waits to be filed.
    fn is_empty(&self) -> bool;

    /// How long something may wait when nobody writes anything.
    fn patience(&self) -> Duration;
}
