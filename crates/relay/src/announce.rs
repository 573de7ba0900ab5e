//! Telling what is durable.

use std::sync::Arc;

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
    pub(crate) fn announce(self: &Arc<Self>, outbox: Outbox) {
        let mail = self.hub.address(&outbox.events);
        if mail.is_little() {
            mail.deliver_at_once();
            return self.announced(&outbox);
        }
        let relay = Arc::clone(self);
        self.tasks.spawn(async move {
            mail.deliver().await;
            relay.announced(&outbox);
        });
    }

    /// What follows when everybody who is connected here has heard of the events.
    fn announced(&self, outbox: &Outbox) {
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
