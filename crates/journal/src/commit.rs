//! The answer to an append.

use std::{
    future::Future,
    pin::Pin,
    task::{Context, Poll},
};

use tokio::sync::oneshot;

use crate::{JournalError, Seq};

/// Resolves when a batch is durable, to the last place that is in use then, or to the reason why
/// nothing of the batch was recorded.
///
/// It needs no particular runtime. Dropping it does not take the batch back.
#[derive(Debug)]
#[must_use = "nothing may be done on the strength of a batch that is not durable yet"]
pub struct Commit(State);

#[derive(Debug)]
enum State {
    Settled(Result<Seq, JournalError>),
    Waiting(oneshot::Receiver<Result<Seq, JournalError>>),
}

impl Commit {
    /// A commit that is settled already.
    pub fn settled(result: Result<Seq, JournalError>) -> Self {
        Self(State::Settled(result))
    }

    /// A commit that waits, and what settles it.
    pub fn pending() -> (Receipt, Self) {
        let (sender, receiver) = oneshot::channel();
        (Receipt(sender), Self(State::Waiting(receiver)))
    }
}

impl Future for Commit {
    type Output = Result<Seq, JournalError>;

    fn poll(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<Self::Output> {
        let result = match &mut self.0 {
            State::Settled(result) => return Poll::Ready(result.clone()),
            State::Waiting(receiver) => match Pin::new(receiver).poll(context) {
                Poll::Pending => return Poll::Pending,
                Poll::Ready(answer) => answer.unwrap_or_else(|_| Err(JournalError::closed())),
            },
        };
        self.0 = State::Settled(result.clone());
        Poll::Ready(result)
    }
}

/// The store's end of a [`Commit`]. If it is dropped, the commit says that the journal was closed.
#[derive(Debug)]
pub struct Receipt(oneshot::Sender<Result<Seq, JournalError>>);

impl Receipt {
    /// Tells the one who waits, if he still does.
    pub fn settle(self, result: Result<Seq, JournalError>) {
        // An error means that nobody waits any longer; the batch stays written.
        let _nobody_waits = self.0.send(result);
    }
}
