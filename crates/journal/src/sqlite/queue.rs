//! The queue of the writer.

use std::sync::{
    Arc,
    atomic::{AtomicUsize, Ordering},
    mpsc,
};

use super::encode::Encoded;
use crate::{Batch, Commit, JournalError, Receipt};

/// The maximum size of the queue, in bytes. Calls wait for their commits, so it is reached only if very many calls wait at
/// once, or if the disk does not respond.
const MAX_WAITING: usize = 64 << 20;

/// The size of a transaction, in bytes, beyond which another batch would only increase latency.
const MAX_GROUP: usize = 4 << 20;

/// A batch and its receipt.
pub(super) struct Waiting {
    pub(super) batch: Encoded,
    pub(super) receipt: Receipt,
}

/// The sending end. Appending never blocks: a batch is queued immediately, and its commit is pending. A batch that would
/// make the queue too large is refused, and nothing of it is recorded.
pub(super) struct Queue {
    sender: mpsc::Sender<Waiting>,
    bytes: Arc<AtomicUsize>,
}

/// The receiving end, for the writer.
pub(super) struct Backlog {
    receiver: mpsc::Receiver<Waiting>,
    bytes: Arc<AtomicUsize>,
}

pub(super) fn queue() -> (Queue, Backlog) {
    let (sender, receiver) = mpsc::channel();
    let bytes = Arc::new(AtomicUsize::new(0));
    (Queue { sender, bytes: Arc::clone(&bytes) }, Backlog { receiver, bytes })
}

impl Queue {
    pub(super) fn append(&self, batch: Batch) -> Commit {
        let batch = match Encoded::new(batch) {
            Ok(batch) => batch,
            Err(error) => {
                return Commit::settled(Err(JournalError::Unavailable(error.to_string())));
            }
        };
        let size = batch.size();
        if self.bytes.fetch_add(size, Ordering::AcqRel).saturating_add(size) > MAX_WAITING {
            self.bytes.fetch_sub(size, Ordering::AcqRel);
            let what = "too much waits to be written".to_owned();
            return Commit::settled(Err(JournalError::Unavailable(what)));
        }
        let (receipt, commit) = Commit::pending();
        match self.sender.send(Waiting { batch, receipt }) {
            Ok(()) => commit,
            Err(_) => Commit::settled(Err(JournalError::closed())),
        }
    }
}

/// Why the writer has nothing to write.
pub(super) enum Idle {
    /// There was no batch for a while.
    Quiet,
    /// There will be no more batches.
    Closed,
}

impl Backlog {
    /// Waits for the next batches, at most for `timeout`.
    pub(super) fn next_group(
        &self,
        timeout: Option<std::time::Duration>,
    ) -> Result<Vec<Waiting>, Idle> {
        let first = match timeout {
            None => self.receiver.recv().map_err(|_| Idle::Closed)?,
            Some(timeout) => self.receiver.recv_timeout(timeout).map_err(|error| match error {
                mpsc::RecvTimeoutError::Timeout => Idle::Quiet,
                mpsc::RecvTimeoutError::Disconnected => Idle::Closed,
            })?,
        };
        let mut bytes = first.batch.size();
        let mut group = vec![first];
        while bytes < MAX_GROUP
            && let Ok(next) = self.receiver.try_recv()
        {
            bytes = bytes.saturating_add(next.batch.size());
            group.push(next);
        }
        self.bytes.fetch_sub(bytes, Ordering::AcqRel);
        Ok(group)
    }
}
