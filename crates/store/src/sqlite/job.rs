//! A unit of work that waits for a thread, and whoever waits for it.

use std::panic::{AssertUnwindSafe, catch_unwind};

use tokio::sync::oneshot;

use super::at_once;
use crate::{StoreError, Tx, Work};

/// Work of any kind.
pub(super) trait Job: Send {
    /// Whether everything has to be filed before it runs.
    fn looks(&self) -> bool;

    /// Whether it only looks, and nothing of what is filed for it is to be kept.
    fn peeks(&self) -> bool;

    /// Does it.
    fn run(&mut self, tx: &mut Tx) -> Ran;

    /// Tells whoever waits how it went, once it is known whether it is durable.
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

/// Who is told what came of a work.
enum Asker<W: Work> {
    /// Somebody who waits for it, and may go away.
    Waits(oneshot::Sender<Outcome<W>>),
    /// Something that is done then, whoever has gone.
    Then(Box<dyn FnOnce(Outcome<W>) + Send>),
}

pub(super) struct Pending<W: Work> {
    work: W,
    peeks: bool,
    outcome: Option<Outcome<W>>,
    asker: Asker<W>,
}

impl<W: Work> Pending<W> {
    pub(super) fn new(work: W) -> (Box<Self>, Answer<W>) {
        Self::awaited(work, false)
    }

    /// Work that only looks, for the thread that writes.
    pub(super) fn to_peek(work: W) -> (Box<Self>, Answer<W>) {
        Self::awaited(work, true)
    }

    /// Work after which something is done.
    pub(super) fn before(work: W, then: impl FnOnce(Outcome<W>) + Send + 'static) -> Box<Self> {
        Box::new(Self { work, peeks: false, outcome: None, asker: Asker::Then(Box::new(then)) })
    }

    fn awaited(work: W, peeks: bool) -> (Box<Self>, Answer<W>) {
        let (answer, receiver) = oneshot::channel();
        (Box::new(Self { work, peeks, outcome: None, asker: Asker::Waits(answer) }), receiver)
    }

    fn nobody_waits(&self) -> bool {
        matches!(&self.asker, Asker::Waits(answer) if answer.is_closed())
    }
}

impl<W: Work> Job for Pending<W> {
    fn looks(&self) -> bool {
        self.work.looks()
    }

    fn peeks(&self) -> bool {
        self.peeks
    }

    fn run(&mut self, tx: &mut Tx) -> Ran {
        if self.nobody_waits() {
            // The caller has gone, so nothing was promised to it.
            return Ran::Undone;
        }
        // A work that panics ends alone, and not everybody's storage with it.
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
        // Before anybody is answered: what the work holds on to may be the last thing that keeps the
        // storage open, and must not outlive whoever waits for it.
        drop(work);
        let outcome = match (committed, outcome) {
            (Ok(()), Some(outcome)) => outcome,
            (Ok(()), None) => Err(StoreError::Closed.into()),
            (Err(error), _) => Err(error.clone().into()),
        };
        match asker {
            // Whoever waited may have gone.
            Asker::Waits(answer) => drop(answer.send(outcome)),
            Asker::Then(then) => then(outcome),
        }
    }
}
