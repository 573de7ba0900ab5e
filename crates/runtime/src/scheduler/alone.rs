//! A call that belongs to no batch: it waits only for capacity and its locks.

use std::sync::Arc;

use assent_protocol::agent_tool::{AbortReason, ResourceLock};
use tokio::sync::Notify;

use super::{
    Shared,
    capacity::Grant,
    lock,
    wake::{wake, woken},
};
use crate::control::Control;

/// A guard, or the right to the next one, that gives itself back.
pub(super) struct CapacityGuard {
    shared: Arc<Shared>,
    grant: Option<Grant>,
}

/// Waits for a guard and the locks.
pub(super) async fn enter(
    shared: &Arc<Shared>,
    control: &Control,
    locks: Vec<ResourceLock>,
) -> Result<CapacityGuard, AbortReason> {
    if let Some(reason) = control.aborted() {
        return Err(reason);
    }
    // Made only if there is something to wait for.
    let mut entrance = None;
    let grant =
        lock(&shared.capacity).ask(locks, || Arc::clone(entrance.insert(Arc::new(Notify::new()))));
    let guard = CapacityGuard { shared: Arc::clone(shared), grant: Some(grant) };
    while let Some(entrance) = entrance.as_deref().filter(|_| !guard.is_granted()) {
        woken(entrance, control).await?;
    }
    Ok(guard)
}

impl CapacityGuard {
    fn is_granted(&self) -> bool {
        self.grant.as_ref().is_none_or(|grant| lock(&self.shared.capacity).is_granted(grant))
    }
}

impl Drop for CapacityGuard {
    fn drop(&mut self) {
        let mut freed = Vec::new();
        if let Some(grant) = self.grant.take() {
            lock(&self.shared.capacity).give_back(grant, &mut freed);
        }
        wake(&freed);
    }
}
