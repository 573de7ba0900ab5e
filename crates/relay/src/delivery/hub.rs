//! The connections of this node and the events on their way to them.
//!
//! Every connection has a [`Mailbox`]. Events are put there once they are durable, which wakes the task that
//! owns the connection; only that task writes to it.

mod mailbox;

use std::{
    collections::BTreeMap,
    future::poll_fn,
    sync::{Arc, Mutex, MutexGuard, PoisonError},
};

use assent_ids::{DeviceId, Principal, TokenFamilyId, TokenId};
use serde::{Deserialize, Serialize};

pub(crate) use self::mailbox::MailboxContent;
use self::mailbox::{Mailbox, Pushed};
use crate::delivery::{events, outbox::Sent};

/// Every connection of this node.
#[derive(Debug, Default)]
pub(crate) struct Hub {
    connected: Mutex<BTreeMap<Principal, Vec<Arc<Mailbox>>>>,
}

/// How a client waits for events.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Way {
    /// On a WebSocket.
    Socket,
    /// With a request that is answered as soon as there is an event.
    LongPoll,
}

/// Why a connection is to be closed. Nodes send it to each other.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(crate) enum Closing {
    /// The login behind it has ended.
    LoginEnded(TokenFamilyId),
    /// The token behind it was revoked.
    TokenRevoked(TokenId),
    /// The device behind it was removed.
    DeviceRemoved(DeviceId),
    /// Its party was deleted.
    Expelled,
    /// Its party was suspended by an operator.
    Suspended,
    /// This node is shutting down.
    Draining,
}

/// A connection that is registered with the hub for as long as this lives.
#[derive(Debug)]
pub(crate) struct Connected {
    hub: Arc<Hub>,
    party: Principal,
    mailbox: Arc<Mailbox>,
}

impl Hub {
    /// Registers a connection, unless the party has `limit` of its kind already. Events that are stored from now
    /// on reach its mailbox.
    pub(crate) fn connect(
        self: &Arc<Self>,
        party: Principal,
        way: Way,
        limit: usize,
    ) -> Option<Connected> {
        // Counted and added under one lock, so that simultaneous connections cannot exceed the limit.
        let mut connected = self.lock();
        let present = connected.get(&party).map_or(0, |mailboxes| count(mailboxes, way));
        if present >= limit {
            return None;
        }
        let mailbox = Arc::new(Mailbox::new(way));
        connected.entry(party).or_default().push(Arc::clone(&mailbox));
        drop(connected);
        Some(Connected { hub: Arc::clone(self), party, mailbox })
    }

    /// Puts durable events into the mailboxes of their recipients.
    pub(crate) fn deliver(&self, events: &[Sent]) {
        for sent in events {
            let mailboxes = self.mailboxes(sent.party);
            if mailboxes.is_empty() {
                continue;
            }
            // Encoded once, however many connections it goes to.
            let frame = events::frame(sent.kind, sent.event_id, &sent.data);
            let pushed = Pushed { event_id: sent.event_id, frame };
            for mailbox in mailboxes {
                mailbox.put(&pushed);
            }
        }
    }

    /// Makes the connections of `party` read new events from the store.
    pub(crate) fn wake(&self, party: Principal) {
        for mailbox in self.mailboxes(party) {
            mailbox.mark_behind();
        }
    }

    /// Closes the connections of `party` that `why` applies to; each of them decides whether it does.
    pub(crate) fn close(&self, party: Principal, why: &Closing) {
        for mailbox in self.mailboxes(party) {
            mailbox.close(why.clone());
        }
    }

    /// Closes all connections, because this node is shutting down. Connections that are registered later check
    /// that themselves.
    pub(crate) fn drain(&self) {
        let all: Vec<Arc<Mailbox>> = self.lock().values().flatten().cloned().collect();
        for mailbox in all {
            mailbox.close(Closing::Draining);
        }
    }

    /// Number of connections of a kind.
    pub(crate) fn connections(&self, way: Way) -> usize {
        self.lock().values().map(|mailboxes| count(mailboxes, way)).sum()
    }

    /// Returns `true` if `party` has a connection to this node.
    pub(crate) fn is_connected(&self, party: Principal) -> bool {
        self.lock().contains_key(&party)
    }

    fn mailboxes(&self, party: Principal) -> Vec<Arc<Mailbox>> {
        self.lock().get(&party).cloned().unwrap_or_default()
    }

    fn lock(&self) -> MutexGuard<'_, BTreeMap<Principal, Vec<Arc<Mailbox>>>> {
        self.connected.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

fn count(mailboxes: &[Arc<Mailbox>], way: Way) -> usize {
    mailboxes.iter().filter(|mailbox| mailbox.way() == way).count()
}

impl Connected {
    /// Waits until something is put into the mailbox.
    pub(crate) async fn arrived(&self) {
        poll_fn(|context| self.mailbox.poll_arrived(context)).await;
    }

    /// Empties the mailbox.
    pub(crate) fn take(&self) -> MailboxContent {
        self.mailbox.take()
    }
}

impl Drop for Connected {
    fn drop(&mut self) {
        let mut connected = self.hub.lock();
        if let Some(mailboxes) = connected.get_mut(&self.party) {
            mailboxes.retain(|mailbox| !Arc::ptr_eq(mailbox, &self.mailbox));
            if mailboxes.is_empty() {
                connected.remove(&self.party);
            }
        }
    }
}

#[cfg(test)]
mod tests;
