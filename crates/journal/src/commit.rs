//! The result of an append.

use std::{
    future::Future,
    pin::Pin,
    task::{Context, Poll},
};

use tokio::sync::oneshot;

use crate::{JournalError, Seq};

/// Resolves when a batch is durable, to the last sequence number in use, or to the reason why nothing of the batch
/// was recorded.
///
/// It works with any async runtime. Dropping it does not withdraw the batch.
#[derive(Debug)]
#[must_use = "nothing may be done on the strength of a batch that is not durable yet"]
pub struct Commit(State);

#[derive(Debug)]
enum State {
    Settled(Result<Seq, JournalError>),
    Waiting(oneshot::Receiver<Result<Seq, JournalError>>),
}

impl Commit {
    /// A commit that is already resolved.
    pub fn settled(result: Result<Seq, JournalError>) -> Self {
        Self(State::Settled(result))
    }

    /// A pending commit, and the receipt that resolves it.
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
    /// Resolves the commit.
    pub fn settle(self, result: Result<Seq, JournalError>) {
        // The commit may have been dropped; the batch stays written.
        let _is_dropped = self.0.send(result);
    }
}
