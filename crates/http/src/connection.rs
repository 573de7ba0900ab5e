//! A connection that is served.

use std::{fmt, sync::Arc};

use tokio::sync::OwnedSemaphorePermit;

use crate::Peer;

/// A connection that is served. Every request on it has a clone among its extensions.
///
/// Clones share it. It counts toward [`Limits::connections`](crate::Limits) until the last clone is dropped, so a
/// handler that upgrades a connection keeps one.
pub struct Connection<T>(Arc<Inner<T>>);

struct Inner<T> {
    peer: Peer,
    state: T,
    _permit: OwnedSemaphorePermit,
}

impl<T> Connection<T> {
    pub(crate) fn new(peer: Peer, state: T, permit: OwnedSemaphorePermit) -> Self {
        Self(Arc::new(Inner { peer, state, _permit: permit }))
    }

    /// The other end.
    #[must_use]
    pub fn peer(&self) -> Peer {
        self.0.peer
    }

    /// What [`App::connect`](crate::App::connect) returned.
    #[must_use]
    pub fn state(&self) -> &T {
        &self.0.state
    }
}

impl<T> Clone for Connection<T> {
    fn clone(&self) -> Self {
        Self(Arc::clone(&self.0))
    }
}

impl<T> fmt::Debug for Connection<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Connection").field("peer", &self.0.peer).finish_non_exhaustive()
    }
}
