//! Looking at a future once, before anything is set up for waiting.

use std::{
    future::{Future, poll_fn},
    pin::Pin,
    task::Poll,
};

/// The answer of a future that is ready at once; the future stays usable if it is not.
pub(crate) async fn at_once<F: Future>(mut future: Pin<&mut F>) -> Option<F::Output> {
    poll_fn(|cx| match future.as_mut().poll(cx) {
        Poll::Ready(answer) => Poll::Ready(Some(answer)),
        Poll::Pending => Poll::Ready(None),
    })
    .await
}
