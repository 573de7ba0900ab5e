//! Accepts connections and serves them.

use std::{sync::Arc, time::Duration};

use axum::Router;
use http::{HeaderName, HeaderValue};
use tokio::sync::Semaphore;
use tokio_util::{sync::CancellationToken, task::TaskTracker};

use crate::{App, Connection, Limits, Listener, serve_connection::serve_connection};

/// How long nothing is accepted after a failure: most likely there are too many open files, and some will be closed.
const PAUSE: Duration = Duration::from_millis(50);

/// A service with its routes and limits.
pub struct Server<A> {
    pub(crate) app: Arc<A>,
    pub(crate) router: Router,
    pub(crate) limits: Limits,
    pub(crate) headers: Vec<(HeaderName, HeaderValue)>,
    pub(crate) tasks: TaskTracker,
    pub(crate) stopping: CancellationToken,
}

impl<A: App> Server<A> {
    /// A server of `router`. Connections are tasks of `tasks`; they end after `stopping` is cancelled and the requests
    /// that are being served are answered.
    #[must_use]
    pub const fn new(
        app: Arc<A>,
        router: Router,
        limits: Limits,
        tasks: TaskTracker,
        stopping: CancellationToken,
    ) -> Self {
        Self { app, router, limits, headers: Vec::new(), tasks, stopping }
    }

    /// The same, with a header in every response. It replaces what handlers and refusals say.
    #[must_use]
    pub fn with_header(mut self, name: HeaderName, value: HeaderValue) -> Self {
        self.headers.push((name, value));
        self
    }

    /// Accepts connections until the server stops. Connections may still be served after that.
    pub async fn serve(self, mut listener: impl Listener) {
        let server = Arc::new(self);
        let permits = Arc::new(Semaphore::new(server.limits.connections));
        loop {
            let accepted = tokio::select! {
                () = server.stopping.cancelled() => return,
                accepted = listener.accept() => accepted,
            };
            match accepted {
                Ok((stream, peer)) => {
                    // Above the limit a connection is closed at once, rather than left waiting.
                    let Ok(permit) = Arc::clone(&permits).try_acquire_owned() else {
                        server.app.refused(peer);
                        continue;
                    };
                    let serving = Arc::clone(&server);
                    server.tasks.spawn(async move {
                        let state = serving.app.connect(peer).await;
                        let connection = Connection::new(peer, state, permit);
                        serve_connection(serving, stream, connection).await;
                    });
                }
                Err(error) => {
                    tracing::warn!(%error, "a connection could not be accepted");
                    tokio::time::sleep(PAUSE).await;
                }
            }
        }
    }
}
