//! Bodies that a handler leaves unread.
//!
//! A server that closes a connection on which the client still sends makes the kernel reset it, and the client may
//! lose the answer. hyper closes a connection if the rest of a body has not arrived when the handler drops it, so the
//! rest is read here, after the answer.

use std::{
    pin::Pin,
    sync::{
        Arc,
        atomic::{AtomicBool, Ordering},
    },
    task::{Context, Poll},
    time::Duration,
};

use bytes::Bytes;
use http::{HeaderMap, header::EXPECT};
use http_body_util::BodyExt as _;
use hyper::body::{Body, Frame, Incoming, SizeHint};
use tokio::{runtime::Handle, time::timeout};

/// If more than this is left, the connection is closed after the answer.
const MAX_LEFT: u64 = 64 * 1024;

/// How long the rest of a body is read.
const READ_REST: Duration = Duration::from_secs(2);

/// The body of an HTTP/1 request. When it is dropped, its rest is read and discarded in the background.
pub(crate) struct RequestBody {
    incoming: Option<Incoming>,
    /// The client sends its body only when it is asked to.
    waits_for_continue: bool,
    must_close: MustClose,
}

/// Set if the connection cannot carry another request.
#[derive(Clone, Debug, Default)]
pub(crate) struct MustClose(Arc<AtomicBool>);

impl MustClose {
    pub(crate) fn get(&self) -> bool {
        self.0.load(Ordering::Relaxed)
    }
}

impl RequestBody {
    pub(crate) fn new(incoming: Incoming, headers: &HeaderMap, must_close: MustClose) -> Self {
        let waits_for_continue = headers.contains_key(EXPECT);
        Self { incoming: Some(incoming), waits_for_continue, must_close }
    }
}

impl Body for RequestBody {
    type Data = Bytes;
    type Error = hyper::Error;

    fn poll_frame(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
    ) -> Poll<Option<Result<Frame<Bytes>, hyper::Error>>> {
        self.waits_for_continue = false;
        match &mut self.incoming {
            Some(incoming) => Pin::new(incoming).poll_frame(context),
            None => Poll::Ready(None),
        }
    }

    fn is_end_stream(&self) -> bool {
        self.incoming.as_ref().is_none_or(Body::is_end_stream)
    }

    fn size_hint(&self) -> SizeHint {
        self.incoming.as_ref().map_or_else(SizeHint::default, Body::size_hint)
    }
}

impl Drop for RequestBody {
    fn drop(&mut self) {
        let Some(incoming) = self.incoming.take().filter(|incoming| !incoming.is_end_stream())
        else {
            return;
        };
        if self.waits_for_continue || incoming.size_hint().lower() > MAX_LEFT {
            self.must_close.0.store(true, Ordering::Relaxed);
        }
        if let (false, Ok(runtime)) = (self.waits_for_continue, Handle::try_current()) {
            runtime.spawn(timeout(READ_REST, discard(incoming)));
        }
    }
}

async fn discard(mut body: Incoming) {
    while let Some(Ok(_)) = body.frame().await {}
}
