//! A call that belongs to no batch: only the limit and its locks hold it up.

use std::sync::Arc;

use assent_protocol::agent_tool::{AbortReason, ResourceLock};
use tokio::sync::Notify;

use super::{
    Shared, lock,
    slots::Grant,
    wake::{wake, woken},
};
use crate::control::Control;

/// A slot, or the right to the next one, that gives itself back.
pub(super) struct Slot {
    shared: Arc<Shared>,
    grant: Option<Grant>,
}

/// Waits for a slot and the locks.
pub(super) async fn enter(
    shared: &Arc<Shared>,
    control: &Control,
    locks: Vec<ResourceLock>,
) -> Result<Slot, AbortReason> {
    if let Some(reason) = control.aborted() {
        return Err(reason);
    }
    // Made only if there is something to wait for.
    let mut entrance = None;
    let grant =
        lock(&shared.slots).ask(locks, || Arc::clone(entrance.insert(Arc::new(Notify::new()))));
    let slot = Slot { shared: Arc::clone(shared), grant: Some(grant) };
    while let Some(entrance) = entrance.as_deref().filter(|_| !slot.is_granted()) {
        woken(entrance, control).await?;
    }
    Ok(slot)
}

impl Slot {
    fn is_granted(&self) -> bool {
        self.grant.as_ref().is_none_or(|grant| lock(&self.shared.slots).is_granted(grant))
    }
}

impl Drop for Slot {
    fn drop(&mut self) {
        let mut freed = Vec::new();
        if let Some(grant) = self.grant.take() {
            lock(&self.shared.slots).give_back(grant, &mut freed);
        }
        wake(&freed);
    }
}
