//! Reaching a server.

use std::{sync::Arc, time::Duration};

use deadpool_postgres::{
    Manager, ManagerConfig, Pool, PoolError, RecyclingMethod, Runtime, TimeoutType,
};
use rustls::{ClientConfig, RootCertStore};
use tokio_postgres::{Client, Config, Socket, tls::MakeTlsConnect};
use tokio_postgres_rustls::MakeRustlsConnect;

use crate::{OpenError, StoreError};

/// Connections. PostgreSQL forks a process for each; more than this many transactions at once only wait
/// for one another.
const CONNECTIONS: usize = 32;

/// How long anybody waits for a connection before he is told to come back.
const PATIENCE: Duration = Duration::from_secs(5);

pub(super) fn pool(url: &str) -> Result<Pool, OpenError> {
    let config = config(url)?;
    let recycling = ManagerConfig { recycling_method: RecyclingMethod::Fast };
    let manager = Manager::from_config(config, tls()?, recycling);
    Pool::builder(manager)
        .max_size(CONNECTIONS)
        .runtime(Runtime::Tokio1)
        .wait_timeout(Some(PATIENCE))
        .create_timeout(Some(PATIENCE))
        .recycle_timeout(Some(PATIENCE))
        .build()
        .map_err(|error| OpenError::Database(error.to_string()))
}

/// A connection of its own, outside of the pool, and what has to be polled to drive it.
pub(super) async fn connect(url: &str) -> Result<(Client, Connection), StoreError> {
    let unusable = |error: OpenError| StoreError::Unavailable(error.to_string());
    let connecting = config(url).map_err(unusable)?.connect(tls().map_err(unusable)?).await;
    connecting.map_err(|error| StoreError::Unavailable(described(&error)))
}

type Connection =
    tokio_postgres::Connection<Socket, <MakeRustlsConnect as MakeTlsConnect<Socket>>::Stream>;

fn config(url: &str) -> Result<Config, OpenError> {
    // The text of its error could repeat the password.
    let malformed =
        |_| OpenError::Database("the address of the PostgreSQL server is malformed".to_owned());
    let mut config: Config = url.parse().map_err(malformed)?;
    config.application_name("assent").connect_timeout(PATIENCE);
    Ok(config)
}

/// Used where the address asks for it or the server offers it.
fn tls() -> Result<MakeRustlsConnect, OpenError> {
    let mut roots = RootCertStore::empty();
    roots.add_parsable_certificates(rustls_native_certs::load_native_certs().certs);
    let provider = Arc::new(rustls::crypto::aws_lc_rs::default_provider());
    let config = ClientConfig::builder_with_provider(provider)
        .with_safe_default_protocol_versions()
        .map_err(|error| OpenError::Database(error.to_string()))?
        .with_root_certificates(roots)
        .with_no_client_auth();
    Ok(MakeRustlsConnect::new(config))
}

pub(super) fn unavailable(error: &PoolError) -> StoreError {
    match error {
        PoolError::Timeout(TimeoutType::Wait) => StoreError::Overloaded,
        PoolError::Backend(error) => StoreError::Unavailable(described(error)),
        other => StoreError::Unavailable(other.to_string()),
    }
}

/// What the server or the network said; the library's own text leaves that out.
pub(super) fn described(error: &tokio_postgres::Error) -> String {
    match (error.as_db_error(), std::error::Error::source(error)) {
        (Some(said), _) => said.message().to_owned(),
        (None, Some(cause)) => format!("{error}: {cause}"),
        (None, None) => error.to_string(),
    }
}
