//! Keeps the panics of other people's code out of the pipeline.

use std::{
    any::Any,
    future::Future,
    panic::{AssertUnwindSafe, UnwindSafe, catch_unwind},
    pin::{Pin, pin},
    task::{Context, Poll},
};

/// Runs a future to its end or to its panic, which comes back as text.
///
/// # Errors
/// If the future panicked.
pub(crate) async fn caught<F: Future + UnwindSafe>(future: F) -> Result<F::Output, String> {
    Caught { future: pin!(AssertUnwindSafe(future)) }.await
}

struct Caught<'a, F> {
    future: Pin<&'a mut AssertUnwindSafe<F>>,
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

/// The message of a panic could hold an argument's value, so only that there was one is told.
fn text_of(_payload: &(dyn Any + Send)) -> String {
    "it panicked".to_owned()
}
