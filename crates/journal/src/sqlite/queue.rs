//! What waits for the writer.

use std::sync::{
    Arc,
    atomic::{AtomicUsize, Ordering},
    mpsc,
};

use super::encode::Encoded;
use crate::{Batch, Commit, JournalError, Receipt};

/// What may wait for the writer, in bytes. Whoever appends waits for his commit before he goes on, so
/// this is reached only if very many calls wait at once, or if the disk has stopped.
const MAX_WAITING: usize = 64 << 20;

/// What the writer puts into one transaction, in bytes: beyond that, one more batch saves nothing and
/// everybody waits longer.
const MAX_GROUP: usize = 4 << 20;

/// A batch and the one who waits for it.
pub(super) struct Waiting {
    pub(super) batch: Encoded,
    pub(super) receipt: Receipt,
}

/// The end of those who append. Appending never blocks: a batch takes its place in the queue at once,
/// and its commit waits. What would make the queue too large is refused, and nothing of it recorded.
pub(super) struct Queue {
    sender: mpsc::Sender<Waiting>,
    bytes: Arc<AtomicUsize>,
}

/// The end of the writer.
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
    /// Nothing came for a while.
    Quiet,
    /// Nothing will come any more.
    Closed,
}

impl Backlog {
    /// What waits, as soon as something does, or the reason why nothing does for `patience`.
    pub(super) fn next_group(
        &self,
        patience: Option<std::time::Duration>,
    ) -> Result<Vec<Waiting>, Idle> {
        let first = match patience {
            None => self.receiver.recv().map_err(|_| Idle::Closed)?,
            Some(patience) => {
                self.receiver.recv_timeout(patience).map_err(|error| match error {
                    mpsc::RecvTimeoutError::Timeout => Idle::Quiet,
                    mpsc::RecvTimeoutError::Disconnected => Idle::Closed,
                })?
            }
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
