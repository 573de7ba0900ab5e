//! One connection, HTTP/1.1 or HTTP/2, on the network or on the admin socket.

use std::{
    future::pending,
    sync::{
        Arc,
        atomic::{AtomicBool, Ordering},
    },
    time::Duration,
};

use axum::Router;
use hyper::{Request, body::Incoming, service::service_fn};
use hyper_util::{
    rt::{TokioExecutor, TokioIo, TokioTimer},
    server::conn::auto,
};
use tokio::io::{AsyncRead, AsyncWrite};

use super::{Peer, exchange::exchange, head};
use crate::{connection_permit::ConnectionPermit, relay::Relay};

/// How long a client may take to send the head of a request, and to begin the next one.
const HEAD: Duration = Duration::from_secs(10);

/// How long a client of HTTP/2 that has asked for nothing may take to let go of its connection.
const FAREWELL: Duration = Duration::from_secs(2);

/// Requests at once on one connection of HTTP/2.
const STREAMS: u32 = 128;

/// A connection of HTTP/2 that is silent for this long is asked whether anybody is there.
const PING: Duration = Duration::from_secs(30);

/// Serves a connection until it ends, or until the relay stops and what runs on it is done.
pub(crate) async fn serve_connection<S>(
    relay: Arc<Relay>,
    router: Router,
    stream: S,
    peer: Peer,
    permit: ConnectionPermit,
) where
    S: AsyncRead + AsyncWrite + Unpin + Send + 'static,
{
    let serving = Arc::clone(&relay);
    let has_asked = Arc::<AtomicBool>::default();
    let asking = Arc::clone(&has_asked);
    let service = service_fn(move |mut request: Request<Incoming>| {
        asking.store(true, Ordering::Relaxed);
        request.extensions_mut().insert(permit.clone());
        exchange(Arc::clone(&serving), router.clone(), request, peer)
    });
    let builder = builder();
    let connection = builder.serve_connection_with_upgrades(TokioIo::new(stream), service);
    tokio::pin!(connection);
    let ended = tokio::select! {
        ended = connection.as_mut() => ended,
        () = relay.stopping.cancelled() => {
            connection.as_mut().graceful_shutdown();
            connection.await
        }
        () = without_a_request(&has_asked, HEAD) => {
            connection.as_mut().graceful_shutdown();
            tokio::select! {
                ended = connection.as_mut() => ended,
                () = without_a_request(&has_asked, FAREWELL) => return,
            }
        }
    };
    if let Err(error) = ended {
        tracing::debug!(%error, "a connection ended early");
    }
}

/// Returns if nobody asks for anything in time. The library's own patience begins when it knows which protocol is
/// spoken: whoever does not let it know would hold a place for ever.
async fn without_a_request(has_asked: &AtomicBool, time: Duration) {
    tokio::time::sleep(time).await;
    if has_asked.load(Ordering::Relaxed) {
        pending().await
    }
}

fn builder() -> auto::Builder<TokioExecutor> {
    let mut builder = auto::Builder::new(TokioExecutor::new());
    let max_read = usize::try_from(head::MAX_READ).unwrap_or(usize::MAX);
    builder.http1().timer(TokioTimer::new()).header_read_timeout(HEAD).max_buf_size(max_read);
    builder
        .http2()
        .timer(TokioTimer::new())
        .max_concurrent_streams(STREAMS)
        .max_header_list_size(head::MAX_READ)
        .keep_alive_interval(PING);
    builder
}
