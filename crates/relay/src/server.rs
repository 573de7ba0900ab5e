//! A relay that listens.

use std::{
    io,
    net::{IpAddr, SocketAddr},
    sync::Arc,
    time::Duration,
};

use assent_ids::{Clock, Entropy, EntropyError, SystemClock, SystemEntropy};
use assent_store::{Database, OpenError};
use axum::Router;
use hyper::{Request, body::Incoming, service::service_fn};
use hyper_util::{
    rt::{TokioExecutor, TokioIo, TokioTimer},
    server::conn::auto,
};
use tokio::{
    net::{TcpListener, TcpStream},
    sync::{OwnedSemaphorePermit, Semaphore},
    time::timeout,
};
use tower_service::Service as _;

use crate::{
    broadcasts, bus,
    http::{Peer, router},
    relay::Relay,
    retention,
    schema::MIGRATIONS,
    settings::Settings,
    webhooks,
};

/// How long a client may take to send the head of a request.
const HEAD: Duration = Duration::from_secs(10);

/// How long what runs may go on after the relay was told to stop.
const FAREWELL: Duration = Duration::from_secs(8);

/// The most bytes that the head of a request may have.
const MAX_HEAD: usize = 32 * 1024;

/// A place among the connections, held by whoever uses one.
#[derive(Clone)]
pub(crate) struct Place {
    _permit: Arc<OwnedSemaphorePermit>,
}

/// Why a relay does not start.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum StartError {
    /// The data directory cannot be made.
    #[error("the data directory `{path}` cannot be used: {error}")]
    Data {
        /// Where it would be.
        path: String,
        /// What the file system said.
        error: io::Error,
    },
    /// The database cannot be used.
    #[error(transparent)]
    Database(#[from] OpenError),
    /// The database does not answer.
    #[error(transparent)]
    Store(#[from] assent_store::StoreError),
    /// The address is taken or not ours.
    #[error("cannot listen on `{address}`: {error}")]
    Listen {
        /// The address.
        address: SocketAddr,
        /// What the system said.
        error: io::Error,
    },
    /// There is no randomness.
    #[error(transparent)]
    Entropy(#[from] EntropyError),
}

/// A relay that listens.
pub struct Server {
    relay: Arc<Relay>,
    address: SocketAddr,
}

impl Server {
    /// Opens the database and listens.
    ///
    /// # Errors
    ///
    /// If the database or the address cannot be used.
    pub async fn start(settings: Settings) -> Result<Self, StartError> {
        Self::start_with(settings, Arc::new(SystemClock), Arc::new(SystemEntropy::new()?)).await
    }

    /// The same, with a clock and a source of randomness.
    ///
    /// # Errors
    ///
    /// If the database or the address cannot be used.
    pub async fn start_with(
        settings: Settings,
        clock: Arc<dyn Clock>,
        entropy: Arc<dyn Entropy>,
    ) -> Result<Self, StartError> {
        private_directory(&settings.data).map_err(|error| StartError::Data {
            path: settings.data.display().to_string(),
            error,
        })?;
        let store = Database::open(&settings.location(), MIGRATIONS).await?;
        let listen = settings.listen;
        let failed = |error| StartError::Listen { address: listen, error };
        let listener = TcpListener::bind(listen).await.map_err(failed)?;
        let address = listener.local_addr().map_err(failed)?;
        let relay = Arc::new(Relay::new(settings, store, clock, entropy));
        relay.load_signing_keys().await?;
        let accepting = accept(Arc::clone(&relay), listener);
        relay.tasks.spawn(accepting);
        bus::start(&relay);
        retention::start(&relay);
        webhooks::start(&relay);
        relay.tasks.spawn(broadcasts::run(Arc::clone(&relay)));
        Ok(Self { relay, address })
    }

    /// Where it listens.
    #[must_use]
    pub const fn address(&self) -> SocketAddr {
        self.address
    }

    /// Stops accepting, lets what runs come to an end, and closes the database.
    pub async fn stop(self) {
        self.relay.stopping.cancel();
        self.relay.tasks.close();
        if timeout(FAREWELL, self.relay.tasks.wait()).await.is_err() {
            tracing::warn!("some connections did not come to an end in time");
        }
    }
}

fn private_directory(path: &std::path::Path) -> io::Result<()> {
    let mut builder = std::fs::DirBuilder::new();
    builder.recursive(true);
    #[cfg(unix)]
    std::os::unix::fs::DirBuilderExt::mode(&mut builder, 0o700);
    builder.create(path)
}

async fn accept(relay: Arc<Relay>, listener: TcpListener) {
    let router = router(Arc::clone(&relay));
    let room = Arc::new(Semaphore::new(relay.settings.limits.connections));
    loop {
        let accepted = tokio::select! {
            () = relay.stopping.cancelled() => return,
            accepted = listener.accept() => accepted,
        };
        match accepted {
            Ok((stream, peer)) => {
                // Who finds no room is hung up on at once, rather than left waiting.
                let Ok(permit) = Arc::clone(&room).try_acquire_owned() else { continue };
                let place = Place { _permit: Arc::new(permit) };
                relay.tasks.spawn(serve(
                    Arc::clone(&relay),
                    router.clone(),
                    stream,
                    peer.ip(),
                    place,
                ));
            }
            Err(error) => {
                // Out of files, most likely: others will finish.
                tracing::warn!(%error, "a connection could not be accepted");
                tokio::time::sleep(Duration::from_millis(50)).await;
            }
        }
    }
}

async fn serve(relay: Arc<Relay>, router: Router, stream: TcpStream, peer: IpAddr, place: Place) {
    // Small frames must not wait for more.
    let _ = stream.set_nodelay(true);
    let service = service_fn(move |request: Request<Incoming>| {
        let mut request = request.map(axum::body::Body::new);
        request.extensions_mut().insert(Peer(peer));
        request.extensions_mut().insert(place.clone());
        router.clone().call(request)
    });
    let mut builder = auto::Builder::new(TokioExecutor::new());
    builder.http1().timer(TokioTimer::new()).header_read_timeout(HEAD).max_buf_size(MAX_HEAD);
    builder.http2().timer(TokioTimer::new()).max_concurrent_streams(128);
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
