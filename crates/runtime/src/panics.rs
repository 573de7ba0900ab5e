//! Keeps panics of executors, hooks and approvers out of the pipeline.

use std::{
    any::Any,
    future::Future,
    panic::{AssertUnwindSafe, catch_unwind},
    pin::{Pin, pin},
    task::{Context, Poll},
};

/// Starts a future and runs it to its end; a panic is returned as an error.
///
/// # Errors
/// If it panicked, at the beginning or later.
pub(crate) async fn caught<F: Future>(begin: impl FnOnce() -> F) -> Result<F::Output, String> {
    let future = caught_call(begin)?;
    Caught { future: pin!(future) }.await
}

struct Caught<'a, F> {
    future: Pin<&'a mut F>,
}

impl<F: Future> Future for Caught<'_, F> {
    type Output = Result<F::Output, String>;

    fn poll(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<Self::Output> {
        // A future that panicked is never polled again: `Ready` is the last answer.
        match catch_unwind(AssertUnwindSafe(|| self.future.as_mut().poll(cx))) {
            Ok(poll) => poll.map(Ok),
            Err(payload) => Poll::Ready(Err(text_of(&*payload))),
        }
    }
}

/// Calls a function and catches its panic.
///
/// # Errors
/// If the function panicked.
pub(crate) fn caught_call<T>(call: impl FnOnce() -> T) -> Result<T, String> {
    catch_unwind(AssertUnwindSafe(call)).map_err(|payload| text_of(&*payload))
}

/// A fixed text: the message of a panic could contain a value of an argument.
fn text_of(_payload: &(dyn Any + Send)) -> String {
    "it panicked".to_owned()
}
