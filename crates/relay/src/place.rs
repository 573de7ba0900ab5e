//! Places among the connections: there is only so much room.

use std::sync::Arc;

use tokio::sync::{OwnedSemaphorePermit, Semaphore};

use crate::metrics::{Gauge, Held};

/// All places.
#[derive(Debug)]
pub(crate) struct Places {
    room: Arc<Semaphore>,
    taken: Gauge,
}

/// One of them, held by whoever uses a connection: its server, and a socket that outlives it.
#[derive(Clone, Debug)]
pub(crate) struct Place {
    _held: Arc<(OwnedSemaphorePermit, Held)>,
}

impl Places {
    /// So many places; those that are taken are counted in `taken`.
    pub(crate) fn new(room: usize, taken: &Gauge) -> Self {
        Self { room: Arc::new(Semaphore::new(room)), taken: taken.clone() }
    }

    /// A place, if there is one.
    pub(crate) fn take(&self) -> Option<Place> {
        let permit = Arc::clone(&self.room).try_acquire_owned().ok()?;
        Some(Place { _held: Arc::new((permit, self.taken.hold())) })
    }
}
