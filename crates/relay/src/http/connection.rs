//! One connection, HTTP/1.1 or HTTP/2, on the network or on the admin socket.

use std::{sync::Arc, time::Duration};

use axum::Router;
use hyper::{Request, body::Incoming, service::service_fn};
use hyper_util::{
    rt::{TokioExecutor, TokioIo, TokioTimer},
    server::conn::auto,
};
use tokio::io::{AsyncRead, AsyncWrite};

use super::{Peer, exchange::exchange, head};
use crate::{place::Place, relay::Relay};

/// How long a client may take to send the head of a request, and to begin the next one.
const HEAD: Duration = Duration::from_secs(10);

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
    place: Place,
) where
    S: AsyncRead + AsyncWrite + Unpin + Send + 'static,
{
    let serving = Arc::clone(&relay);
    let service = service_fn(move |mut request: Request<Incoming>| {
        request.extensions_mut().insert(place.clone());
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
    };
    if let Err(error) = ended {
        tracing::debug!(%error, "a connection ended early");
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
