//! Faults of the program that end one request and nothing else.

use std::{
    future::poll_fn,
    panic::{AssertUnwindSafe, catch_unwind},
    pin::pin,
    task::Poll,
};

/// A future panicked.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Panicked;

/// What `future` gives, if it does not panic. One that has panicked is never polled again.
pub(super) async fn caught<F: Future>(future: F) -> Result<F::Output, Panicked> {
    let mut future = pin!(future);
    poll_fn(|context| match catch_unwind(AssertUnwindSafe(|| future.as_mut().poll(context))) {
        Ok(Poll::Pending) => Poll::Pending,
        Ok(Poll::Ready(output)) => Poll::Ready(Ok(output)),
        Err(_) => Poll::Ready(Err(Panicked)),
    })
    .await
}

#[cfg(test)]
mod tests {
    use super::{Panicked, caught};

    #[tokio::test]
    async fn a_panic_is_an_outcome_before_and_after_waiting() {
        assert_eq!(caught(async { 7 }).await, Ok(7));
        let at_once = async { panic!("on purpose") };
        assert_eq!(caught::<_>(at_once).await, Err::<(), _>(Panicked));
        let later = async {
            tokio::task::yield_now().await;
            panic!("on purpose")
        };
        assert_eq!(caught::<_>(later).await, Err::<(), _>(Panicked));
    }
}
