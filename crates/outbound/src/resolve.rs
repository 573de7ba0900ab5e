//! Resolves names.

use std::{
    io,
    net::{IpAddr, ToSocketAddrs},
    pin::Pin,
    sync::Arc,
};

use tokio::sync::Semaphore;

/// The most concurrent lookups.
const MAX_LOOKUPS: usize = 64;

/// A future for the addresses of a name.
pub type Addresses<'a> = Pin<Box<dyn Future<Output = io::Result<Vec<IpAddr>>> + Send + 'a>>;

/// Resolves names. The caller checks the addresses, and resolves once per connection.
pub trait Resolve: Send + Sync {
    /// Returns all addresses of a name, the preferred ones first.
    fn resolve<'a>(&'a self, name: &'a str) -> Addresses<'a>;
}

/// The resolver of the operating system.
///
/// A lookup blocks a thread and cannot be canceled. The number of these threads is bounded, and a thread
/// counts until it ends: otherwise slow names could use up the threads that files and databases need.
#[derive(Clone, Debug)]
pub struct SystemResolver {
    turns: Arc<Semaphore>,
}

impl Default for SystemResolver {
    fn default() -> Self {
        Self { turns: Arc::new(Semaphore::new(MAX_LOOKUPS)) }
    }
}

impl Resolve for SystemResolver {
    fn resolve<'a>(&'a self, name: &'a str) -> Addresses<'a> {
        Box::pin(async move {
            let turn = Arc::clone(&self.turns).acquire_owned().await.map_err(io::Error::other)?;
            let name = name.to_owned();
            let lookup = tokio::task::spawn_blocking(move || {
                let found = (name, 0).to_socket_addrs();
                drop(turn);
                found.map(|found| found.map(|address| address.ip()).collect())
            });
            lookup.await.map_err(io::Error::other)?
        })
    }
}
