//! Panics that end one request and nothing else.

use std::{
    future::poll_fn,
    panic::{AssertUnwindSafe, catch_unwind},
    pin::pin,
    task::Poll,
};

/// A future panicked.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Panicked;

/// What `future` returns, unless it panics. A future that has panicked is never polled again.
///
/// # Errors
///
/// If it panics.
pub async fn catch_panic<F: Future>(future: F) -> Result<F::Output, Panicked> {
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
    use super::{Panicked, catch_panic};

    #[tokio::test]
    async fn a_panic_is_an_outcome_before_and_after_waiting() {
        assert_eq!(catch_panic(async { 7 }).await, Ok(7));
        let at_once = async { panic!("on purpose") };
        assert_eq!(catch_panic::<_>(at_once).await, Err::<(), _>(Panicked));
        let later = async {
            tokio::task::yield_now().await;
            panic!("on purpose")
        };
        assert_eq!(catch_panic::<_>(later).await, Err::<(), _>(Panicked));
    }
}
