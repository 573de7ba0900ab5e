//! Telling what is durable.

use crate::{outbox::Outbox, relay::Relay};

impl Relay {
    /// Pushes what a transaction left behind to whoever is connected, here and on other nodes.
    pub(crate) fn announce(&self, outbox: &Outbox) {
        // First of all: from here on nobody gets in with what has ended.
        for (_, login) in &outbox.ended {
            self.alive_logins.end(*login);
        }
        self.metrics.events.add(outbox.events.len());
        for sent in &outbox.events {
            self.hub.deliver(sent);
        }
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
