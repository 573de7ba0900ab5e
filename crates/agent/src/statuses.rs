//! Hands changes of the connection to handlers.

use std::sync::Arc;

use crate::shared::Shared;

/// Runs until the task is aborted.
pub(crate) async fn run(shared: Arc<Shared>) {
    let mut status = shared.sync.status();
    loop {
        let present = status.borrow_and_update().clone();
        shared.statuses.run(present).await;
        // The sender is in `shared`, so that waiting does not fail.
        drop(status.changed().await);
    }
}
