//! Permits for calls: agents that do not answer never take those of agents that do.

use std::{sync::Arc, time::Duration};

use tokio::sync::{OwnedSemaphorePermit, Semaphore};

use super::claim::Room;

/// Calls at once to agents that are well, each in its first moments.
const PROMPT: usize = 256;

/// All other calls at once: to agents that fail or hang, and those that take longer.
const PATIENT: usize = 1024;

/// After this a call takes long. An agent that has such a call is not called about anything else.
pub(super) const LONG: Duration = Duration::from_secs(1);

/// All permits of this node.
pub(super) struct CallPermits {
    prompt: Arc<Semaphore>,
    patient: Arc<Semaphore>,
}

/// The permit of one call.
pub(super) struct CallPermit(OwnedSemaphorePermit);

impl CallPermits {
    pub(super) fn new() -> Self {
        Self {
            prompt: Arc::new(Semaphore::new(PROMPT)),
            patient: Arc::new(Semaphore::new(PATIENT)),
        }
    }

    /// Waits until an agent that is well can be called, and returns the number of free permits. Only the caller of
    /// this hands out permits, so there are not fewer a moment later.
    pub(super) async fn room(&self) -> Room {
        drop(self.prompt.acquire().await);
        let free = |permits: &Semaphore| u32::try_from(permits.available_permits()).unwrap_or(0);
        Room { prompt: free(&self.prompt), patient: free(&self.patient) }
    }

    /// A permit for a call. For an agent that is well there is one if [`CallPermits::room`] said so; the last of
    /// the others may have been taken since by a call that takes long.
    pub(super) fn take(&self, is_well: bool) -> Option<CallPermit> {
        let permits = if is_well { &self.prompt } else { &self.patient };
        Arc::clone(permits).try_acquire_owned().ok().map(CallPermit)
    }

    /// The permits for calls that take long.
    pub(super) fn patient(&self) -> Arc<Semaphore> {
        Arc::clone(&self.patient)
    }
}

impl CallPermit {
    /// Exchanges the permit for one of `patient`, if there is one, because the call takes long.
    pub(super) fn make_way(&mut self, patient: Arc<Semaphore>) {
        if let Ok(permit) = patient.try_acquire_owned() {
            self.0 = permit;
        }
    }
}
