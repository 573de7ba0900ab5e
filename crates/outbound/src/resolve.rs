//! What addresses a name has.

use std::{
    io,
    net::{IpAddr, ToSocketAddrs},
    pin::Pin,
    sync::Arc,
};

use tokio::sync::Semaphore;

/// So many lookups are under way at once at most.
const MAX_LOOKUPS: usize = 64;

/// The addresses of a name, later.
pub type Addresses<'a> = Pin<Box<dyn Future<Output = io::Result<Vec<IpAddr>>> + Send + 'a>>;

/// Looks names up. What it answers is judged by whoever asked, and is asked for once per connection.
pub trait Resolve: Send + Sync {
    /// All addresses of a name, the preferred ones first.
    fn resolve<'a>(&'a self, name: &'a str) -> Addresses<'a>;
}

/// The resolver of the operating system, in the way the rest of the machine uses it.
///
/// It waits in a thread of its own, which nothing can stop. So the number of these threads is bounded, and a
/// thread counts until it has ended, not until somebody has given up on it: otherwise a name that takes for
/// ever to look up, given often enough, would use up the threads that files and databases need.
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
