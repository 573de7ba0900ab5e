//! Reaching a server.

use std::{sync::Arc, time::Duration};

use deadpool_postgres::{
    Hook, HookError, Manager, ManagerConfig, Pool, PoolError, RecyclingMethod, Runtime, TimeoutType,
};
use rustls::{ClientConfig, RootCertStore};
use tokio_postgres::{Client, Config, Socket, config::TargetSessionAttrs, tls::MakeTlsConnect};
use tokio_postgres_rustls::MakeRustlsConnect;

use super::durable;
use crate::{OpenError, StoreError};

/// Connections. PostgreSQL forks a process for each; more than this many transactions at once only wait
/// for one another.
const CONNECTIONS: usize = 32;

/// Time limit of connecting, and of waiting for a connection of the pool.
const CONNECT_TIMEOUT: Duration = Duration::from_secs(5);

/// A machine that is gone says nothing: after this long in silence it is asked whether it is there, and after
/// this long without an answer its connections are given up. Addresses may say otherwise.
const SILENCE: Duration = Duration::from_secs(10);

pub(super) fn pool(url: &str) -> Result<Pool, OpenError> {
    let config = config(url)?;
    let has_stand_ins = has_stand_ins(&config);
    let durable = Hook::async_fn(move |client, _| {
        Box::pin(async move {
            let checked = durable::check(client, has_stand_ins).await;
            checked.map_err(|error| HookError::message(error.to_string()))
        })
    });
    let recycling = ManagerConfig { recycling_method: RecyclingMethod::Fast };
    let manager = Manager::from_config(config, tls()?, recycling);
    Pool::builder(manager)
        .max_size(CONNECTIONS)
        .post_create(durable)
        .runtime(Runtime::Tokio1)
        .wait_timeout(Some(CONNECT_TIMEOUT))
        .create_timeout(Some(CONNECT_TIMEOUT))
        .recycle_timeout(Some(CONNECT_TIMEOUT))
        .build()
        .map_err(|error| OpenError::Database(error.to_string()))
}

/// Looks whether the server can be reached and keeps what it acknowledges, and says what is wrong with it.
pub(super) async fn look(url: &str) -> Result<(), OpenError> {
    let (client, connection) = connect(url).await?;
    let has_stand_ins = has_stand_ins(&config(url)?);
    tokio::select! {
        checked = durable::check(&client, has_stand_ins) => checked,
        ended = connection => match ended {
            Ok(()) => Err(StoreError::Closed.into()),
            Err(error) => Err(OpenError::Database(described(&error))),
        },
    }
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
    config.application_name("assent").connect_timeout(CONNECT_TIMEOUT);
    // Of several servers one can be written to, and another one when that is gone.
    config.target_session_attrs(TargetSessionAttrs::ReadWrite);
    if config.get_keepalives_idle() == Config::new().get_keepalives_idle() {
        config.keepalives_idle(SILENCE);
    }
    if config.get_keepalives_interval().is_none() {
        config.keepalives_interval(SILENCE / 4);
    }
    if config.get_tcp_user_timeout().is_none() {
        config.tcp_user_timeout(SILENCE);
    }
    Ok(config)
}

/// Whether the address names servers that stand in for one another.
fn has_stand_ins(config: &Config) -> bool {
    config.get_hosts().len() > 1
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
