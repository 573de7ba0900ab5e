//! Tells when the clock of the machine was set back.

use std::{sync::Arc, time::Duration};

use crate::state::Relay;

/// How often it is looked at.
const LOOK: Duration = Duration::from_secs(10);

/// Less is what any clock does that is kept right.
const WORTH_TELLING: Duration = Duration::from_secs(5);

pub(crate) fn start(relay: &Arc<Relay>) {
    relay.tasks.spawn(watch(Arc::clone(relay)));
}

async fn watch(relay: Arc<Relay>) {
    let mut told = Duration::ZERO;
    let stopped = || relay.stopping.cancelled();
    while tokio::time::timeout(LOOK, stopped()).await.is_err() {
        let lead = relay.clock.lead();
        if lead >= told + WORTH_TELLING {
            let seconds = lead.as_secs();
            tracing::warn!(
                seconds,
                "the clock of this machine was set back; time goes on from where it was until a restart"
            );
            told = lead;
        }
    }
}
