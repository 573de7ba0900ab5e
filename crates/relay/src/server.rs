//! A relay that listens.

use std::{io, net::SocketAddr, path::PathBuf, sync::Arc, time::Duration};

use assent_ids::{Clock, Entropy, EntropyError, SystemClock, SystemEntropy};
use assent_store::{Database, OpenError, Reached};
use tokio::{net::TcpListener, time::timeout};

use crate::{
    conversations::message_store::MessageStore,
    delivery::bus::{self, BusError},
    http,
    manifests::broadcasts,
    observability::clock_watch,
    settings::Settings,
    state::Relay,
    storage::{data_directory::DataDirectory, retention, schema::MIGRATIONS},
    webhooks,
};

/// How long running requests may go on after the relay was asked to stop.
const SHUTDOWN_TIMEOUT: Duration = Duration::from_secs(8);

/// Maximum number of simultaneous connections of operators.
#[cfg(unix)]
const MAX_OPERATORS: usize = 64;

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
    /// Another server uses the data directory.
    #[error("`{0}` is in use by another server: stop it, or choose another data directory")]
    InUse(String),
    /// The admin socket cannot be made.
    #[error("the admin socket `{path}` cannot be made: {error}")]
    AdminSocket {
        /// Where it would be.
        path: String,
        /// What the system said.
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
    _directory: DataDirectory,
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
        let directory = DataDirectory::claim(&settings.data)?;
        let store = MessageStore::open(&settings.location()).await?;
        let listen = settings.listen;
        let failed = |error| StartError::Listen { address: listen, error };
        let listener = TcpListener::bind(listen).await.map_err(failed)?;
        let address = listener.local_addr().map_err(failed)?;
        let relay = Arc::new(Relay::new(settings, store, clock, entropy));
        relay.reseal_secrets().await?;
        relay.load_signing_keys().await?;
        #[cfg(unix)]
        {
            let path = relay.settings.admin_socket();
            let failed =
                |error| StartError::AdminSocket { path: path.display().to_string(), error };
            let socket = assent_http::UnixSocket::open(&path).map_err(failed)?;
            let router = http::admin_router(Arc::clone(&relay));
            let server = http::server(Arc::clone(&relay), router, MAX_OPERATORS);
            relay.tasks.spawn(server.serve(socket));
        }
        relay.tasks.spawn(Arc::clone(&relay).follow_signing_keys());
        let router = http::router(Arc::clone(&relay));
        let server = http::server(Arc::clone(&relay), router, relay.settings.limits.connections);
        relay.tasks.spawn(server.serve(listener));
        bus::start(&relay);
        retention::start(&relay);
        webhooks::start(&relay);
        broadcasts::start(&relay);
        clock_watch::start(&relay);
        Ok(Self { relay, address, _directory: directory })
    }

    /// Looks whether the database of `settings` can be used, without using it.
    ///
    /// # Errors
    ///
    /// If it cannot.
    pub async fn check(settings: &Settings) -> Result<Reached, OpenError> {
        Database::probe(&settings.location(), MIGRATIONS).await
    }

    /// Looks whether the bus of `settings` answers. False if there is none beside the database.
    ///
    /// # Errors
    ///
    /// If it does not answer.
    pub async fn check_bus(settings: &Settings) -> Result<bool, BusError> {
        bus::check(&settings.bus).await
    }

    /// Where it listens.
    #[must_use]
    pub const fn address(&self) -> SocketAddr {
        self.address
    }

    /// Where operators talk to it.
    #[must_use]
    pub fn admin_socket(&self) -> PathBuf {
        self.relay.settings.admin_socket()
    }

    /// Stops accepting, lets what runs come to an end, and closes the database.
    pub async fn stop(self) {
        self.relay.stopping.cancel();
        self.relay.hub.drain();
        self.relay.tasks.close();
        if timeout(SHUTDOWN_TIMEOUT, self.relay.tasks.wait()).await.is_err() {
            tracing::warn!("some connections did not come to an end in time");
        }
    }
}
