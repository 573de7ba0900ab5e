//! One connection, HTTP/1.1 or HTTP/2.

use std::{
    future::pending,
    sync::{
        Arc,
        atomic::{AtomicBool, Ordering},
    },
    time::Duration,
};

use hyper::{Request, body::Incoming, service::service_fn};
use hyper_util::{
    rt::{TokioExecutor, TokioIo, TokioTimer},
    server::conn::auto,
};
use tokio::io::{AsyncRead, AsyncWrite};

use crate::{App, Connection, Limits, Server, exchange::exchange, head};

/// How long a client of HTTP/2 that has sent no request may take to close its connection.
const FAREWELL: Duration = Duration::from_secs(2);

/// A connection of HTTP/2 that is silent for this long is pinged.
const PING: Duration = Duration::from_secs(30);

/// Serves a connection until it ends, or until the server stops and its requests are answered.
pub(crate) async fn serve_connection<A, S>(
    server: Arc<Server<A>>,
    stream: S,
    connection: Connection<A::Connection>,
) where
    A: App,
    S: AsyncRead + AsyncWrite + Unpin + Send + 'static,
{
    let serving = Arc::clone(&server);
    let has_asked = Arc::<AtomicBool>::default();
    let asking = Arc::clone(&has_asked);
    let service = service_fn(move |request: Request<Incoming>| {
        asking.store(true, Ordering::Relaxed);
        exchange(Arc::clone(&serving), request, connection.clone())
    });
    let builder = builder(&server.limits);
    let connection = builder.serve_connection_with_upgrades(TokioIo::new(stream), service);
    tokio::pin!(connection);
    let ended = tokio::select! {
        ended = connection.as_mut() => ended,
        () = server.stopping.cancelled() => {
            connection.as_mut().graceful_shutdown();
            connection.await
        }
        () = without_a_request(&has_asked, server.limits.head) => {
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

/// Returns if no request begins in time. The library's own timeout starts once it knows the protocol: a client that
/// sends nothing would keep its connection for ever.
async fn without_a_request(has_asked: &AtomicBool, time: Duration) {
    tokio::time::sleep(time).await;
    if has_asked.load(Ordering::Relaxed) {
        pending().await
    }
}

fn builder(limits: &Limits) -> auto::Builder<TokioExecutor> {
    let mut builder = auto::Builder::new(TokioExecutor::new());
    let max_read = head::max_read(limits);
    builder
        .http1()
        .timer(TokioTimer::new())
        .header_read_timeout(limits.head)
        .max_buf_size(usize::try_from(max_read).unwrap_or(usize::MAX));
    builder
        .http2()
        .timer(TokioTimer::new())
        .max_concurrent_streams(limits.streams)
        .max_header_list_size(max_read)
        .keep_alive_interval(PING);
    builder
}
