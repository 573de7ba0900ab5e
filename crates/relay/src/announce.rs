//! Telling what is durable.

use crate::{outbox::Outbox, relay::Relay};

impl Relay {
    /// What holds before anybody is answered: nobody gets in with what has ended.
    pub(crate) fn take_note(&self, outbox: &Outbox) {
        for (_, login) in &outbox.ended {
            self.alive_logins.end(*login);
        }
        self.metrics.events.add(outbox.events.len());
    }

    /// Pushes what a transaction left behind to whoever is connected, here and on other nodes.
    pub(crate) async fn announce(&self, outbox: &Outbox) {
        self.hub.deliver(&outbox.events).await;
        for (party, why) in outbox.closings() {
            self.hub.close(party, &why);
        }
        if outbox.deliveries {
            self.deliveries.notify_one();
        }
        if outbox.broadcasts {
            self.broadcasts.notify_one();
        }
        self.bus.publish(outbox);
    }
}
