//! A unit of work that waits for a thread, and the receiver of its outcome.

use std::panic::{AssertUnwindSafe, catch_unwind};

use tokio::sync::oneshot;

use super::at_once;
use crate::{StoreError, Tx, Work};

/// Work of any kind.
pub(super) trait Job: Send {
    /// Whether the buffer has to be flushed before it runs.
    fn needs_flush(&self) -> bool;

    /// Whether it only reads, in a transaction that is rolled back.
    fn reads_buffered(&self) -> bool;

    /// Does it.
    fn run(&mut self, tx: &mut Tx) -> Ran;

    /// Sends the outcome, once it is known whether it is durable.
    fn settle(self: Box<Self>, committed: &Result<(), StoreError>);
}

/// What a work has left in the transaction.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Ran {
    /// Something to be kept.
    Kept,
    /// Something to be undone.
    Undone,
}

/// What came of a work.
pub(super) type Outcome<W> = Result<<W as Work>::Output, <W as Work>::Error>;

/// Where the outcome of a work arrives.
pub(super) type Answer<W> = oneshot::Receiver<Outcome<W>>;

/// The receiver of the outcome of a work.
enum Asker<W: Work> {
    /// A task that waits for it, and may stop waiting.
    Waits(oneshot::Sender<Outcome<W>>),
    /// A function that is called in any case.
    Then(Box<dyn FnOnce(Outcome<W>) + Send>),
}

pub(super) struct Pending<W: Work> {
    work: W,
    reads_buffered: bool,
    outcome: Option<Outcome<W>>,
    asker: Asker<W>,
}

impl<W: Work> Pending<W> {
    pub(super) fn new(work: W) -> (Box<Self>, Answer<W>) {
        Self::awaited(work, false)
    }

    /// Work that only reads, for the thread that writes.
    pub(super) fn to_read_buffered(work: W) -> (Box<Self>, Answer<W>) {
        Self::awaited(work, true)
    }

    /// Work after which something is done.
    pub(super) fn before(work: W, then: impl FnOnce(Outcome<W>) + Send + 'static) -> Box<Self> {
        Box::new(Self {
            work,
            reads_buffered: false,
            outcome: None,
            asker: Asker::Then(Box::new(then)),
        })
    }

    fn awaited(work: W, reads_buffered: bool) -> (Box<Self>, Answer<W>) {
        let (answer, receiver) = oneshot::channel();
        (
            Box::new(Self { work, reads_buffered, outcome: None, asker: Asker::Waits(answer) }),
            receiver,
        )
    }

    fn is_abandoned(&self) -> bool {
        matches!(&self.asker, Asker::Waits(answer) if answer.is_closed())
    }
}

impl<W: Work> Job for Pending<W> {
    fn needs_flush(&self) -> bool {
        self.work.needs_flush()
    }

    fn reads_buffered(&self) -> bool {
        self.reads_buffered
    }

    fn run(&mut self, tx: &mut Tx) -> Ran {
        if self.is_abandoned() {
            // The caller has gone, so nothing was promised to it.
            return Ran::Undone;
        }
        // A work that panics fails alone, and does not end the storage.
        let ran = catch_unwind(AssertUnwindSafe(|| at_once(self.work.run(tx))));
        let outcome = match ran {
            Ok(Some(outcome)) => outcome,
            Ok(None) => Err(StoreError::WaitedOutside.into()),
            Err(_) => Err(StoreError::Refused("a unit of work panicked".to_owned()).into()),
        };
        if self.outcome.insert(outcome).is_ok() { Ran::Kept } else { Ran::Undone }
    }

    fn settle(self: Box<Self>, committed: &Result<(), StoreError>) {
        let Self { work, outcome, asker, .. } = *self;
        // Before the outcome is sent: the work may hold the last reference that keeps the storage open, and must not
        // outlive the wait for it.
        drop(work);
        let outcome = match (committed, outcome) {
            (Ok(()), Some(outcome)) => outcome,
            (Ok(()), None) => Err(StoreError::Closed.into()),
            (Err(error), _) => Err(error.clone().into()),
        };
        match asker {
            // The receiver may have gone.
            Asker::Waits(answer) => drop(answer.send(outcome)),
            Asker::Then(then) => then(outcome),
        }
    }
}
