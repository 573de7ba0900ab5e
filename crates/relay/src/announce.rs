//! Telling what is durable.

use crate::{hub::Closing, outbox::Outbox, party::Party, relay::Relay};

impl Relay {
    /// Pushes what a transaction left behind to whoever is connected, here and on other nodes.
    pub(crate) fn announce(&self, outbox: Outbox) {
        for sent in &outbox.events {
            self.hub.deliver(sent);
        }
        for (party, login) in &outbox.ended {
            self.hub.close(*party, &Closing::LoginEnded(*login));
        }
        for (party, device) in &outbox.removed {
            self.hub.close(*party, &Closing::DeviceRemoved(*device));
        }
        for (agent, token) in &outbox.revoked {
            self.hub.close(Party::Agent(*agent), &Closing::TokenRevoked(*token));
        }
        for party in &outbox.expelled {
            self.hub.close(*party, &Closing::Expelled);
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
