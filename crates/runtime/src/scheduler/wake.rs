//! How a waiting call is woken.

use std::sync::Arc;

use assent_protocol::agent_tool::AbortReason;
use tokio::sync::Notify;

use crate::control::Control;

/// Wakes a call that waits to run.
pub(super) type Entrance = Arc<Notify>;

/// Wakes calls. No lock may be held.
pub(super) fn wake(entrances: &[Entrance]) {
    for entrance in entrances {
        entrance.notify_one();
    }
}

/// Waits until the call was woken.
///
/// # Errors
/// Why it must stop, if it must.
pub(super) async fn woken(entrance: &Notify, control: &Control) -> Result<(), AbortReason> {
    tokio::select! {
        biased;
        reason = control.aborting() => Err(reason),
        () = entrance.notified() => Ok(()),
    }
}
