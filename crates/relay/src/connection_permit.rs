//! The limit on simultaneous connections.

use std::sync::Arc;

use tokio::sync::{OwnedSemaphorePermit, Semaphore};

use crate::metrics::{Gauge, Held};

/// Gives out a bounded number of permits.
#[derive(Debug)]
pub(crate) struct ConnectionPermits {
    free: Arc<Semaphore>,
    taken: Gauge,
}

/// The right to hold one connection. Clones share it: it is free again when the last of them is dropped.
#[derive(Clone, Debug)]
pub(crate) struct ConnectionPermit {
    _held: Arc<(OwnedSemaphorePermit, Held)>,
}

impl ConnectionPermits {
    /// At most `limit` permits at a time; `taken` counts those that are in use.
    pub(crate) fn new(limit: usize, taken: &Gauge) -> Self {
        Self { free: Arc::new(Semaphore::new(limit)), taken: taken.clone() }
    }

    /// A permit; `None` if all are in use.
    pub(crate) fn take(&self) -> Option<ConnectionPermit> {
        let permit = Arc::clone(&self.free).try_acquire_owned().ok()?;
        Some(ConnectionPermit { _held: Arc::new((permit, self.taken.hold())) })
    }
}
