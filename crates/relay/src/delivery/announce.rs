//! Publishing what a durable transaction has left behind.

use crate::{delivery::outbox::Outbox, state::Relay};

impl Relay {
    /// Publishes events, reasons to close connections and work for background tasks, on this node and to the
    /// others.
    pub(crate) fn announce(&self, outbox: &Outbox) {
        self.metrics.events.add(outbox.events.len());
        self.hub.deliver(&outbox.events);
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
