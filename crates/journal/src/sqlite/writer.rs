//! The writer thread.

use std::time::Duration;

use tokio::sync::watch;

use super::{
    queue::{Backlog, Idle, Waiting},
    store::Store,
};
use crate::JournalError;

/// The idle time after which the log is emptied of erased values.
const QUIET: Duration = Duration::from_secs(1);

/// Writes batches until the queue is closed.
pub(super) fn run(mut store: Store, backlog: &Backlog, grown: &watch::Sender<()>) {
    // Whether the log may contain values that were erased from the tables.
    let mut stale = false;
    loop {
        match backlog.next_group(stale.then_some(QUIET)) {
            Ok(group) => {
                stale |= group.iter().any(|waiting| waiting.batch.leaves_stale_values());
                write(&mut store, group);
                grown.send_replace(());
            }
            Err(Idle::Quiet) => stale = !store.empty_log(),
            Err(Idle::Closed) => return,
        }
    }
}

/// Writes a group and resolves its commits.
fn write(store: &mut Store, group: Vec<Waiting>) {
    let (batches, receipts): (Vec<_>, Vec<_>) =
        group.into_iter().map(|waiting| (waiting.batch, waiting.receipt)).unzip();
    match store.write(&batches) {
        Ok(outcomes) => {
            for (receipt, outcome) in receipts.into_iter().zip(outcomes) {
                receipt.settle(outcome);
            }
        }
        Err(error) => {
            let error = JournalError::Unavailable(error.to_string());
            for receipt in receipts {
                receipt.settle(Err(error.clone()));
            }
        }
    }
}
