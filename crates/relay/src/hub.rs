//! Who is connected to this node, and the way to them.
//!
//! Everybody who is connected has a [`Mailbox`]. Events that are durable are put there, and mostly written to the
//! connection at once, by whoever puts them there.

mod mailbox;
mod pen;

use std::{
    collections::BTreeMap,
    future::poll_fn,
    sync::{Arc, Mutex, MutexGuard, PoisonError},
    task::{Context, Poll},
};

use assent_ids::{DeviceId, TokenFamilyId, TokenId};
use assent_websocket::Frame;
use serde::{Deserialize, Serialize};

use self::mailbox::{Mailbox, Pushed};
pub(crate) use self::{mailbox::Arrived, pen::Pen};
use crate::{events, outbox::Sent, party::Party};

/// So many connections get an event before others have their turn.
const AT_ONCE: usize = 64;

/// Every connection of this node.
#[derive(Debug, Default)]
pub(crate) struct Hub {
    connected: Mutex<BTreeMap<Party, Vec<Arc<Mailbox>>>>,
}

/// How somebody waits for events.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Way {
    /// By a WebSocket.
    Socket,
    /// By a request that is answered when there is something.
    LongPoll,
}

/// Why a connection is to be closed. Nodes tell it each other.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(crate) enum Closing {
    /// The login behind it has ended.
    LoginEnded(TokenFamilyId),
    /// The token behind it was revoked.
    TokenRevoked(TokenId),
    /// The device behind it was removed.
    DeviceRemoved(DeviceId),
    /// Whoever it is for is no more.
    Expelled,
    /// Whoever it is for may not be here until an operator says otherwise.
    Suspended,
    /// This node is going down.
    Draining,
}

/// A connection that is known to the hub as long as this lives.
#[derive(Debug)]
pub(crate) struct Connected {
    hub: Arc<Hub>,
    party: Party,
    mailbox: Arc<Mailbox>,
}

impl Hub {
    /// Makes a connection known, unless there are `room` of its kind already. Events that are stored from now on reach
    /// its mailbox.
    pub(crate) fn connect(
        self: &Arc<Self>,
        party: Party,
        way: Way,
        room: usize,
    ) -> Option<Connected> {
        // Counted and taken under one lock: of many who come at once, none is too many.
        let mut connected = self.lock();
        let taken = connected.get(&party).map_or(0, |mailboxes| count(mailboxes, way));
        if taken >= room {
            return None;
        }
        let mailbox = Arc::new(Mailbox::new(way));
        connected.entry(party).or_default().push(Arc::clone(&mailbox));
        drop(connected);
        Some(Connected { hub: Arc::clone(self), party, mailbox })
    }

    /// Finds the mailboxes for events that are durable.
    pub(crate) fn address(&self, events: &[Sent]) -> Mail {
        let addressed = events.iter().filter_map(|sent| {
            let mailboxes = self.mailboxes(sent.party);
            (!mailboxes.is_empty()).then(|| (pushed(sent), mailboxes))
        });
        Mail(addressed.collect())
    }

    /// Tells the connections of `party` to look into the store.
    pub(crate) fn wake(&self, party: Party) {
        for mailbox in self.mailboxes(party) {
            mailbox.look();
        }
    }

    /// Closes the connections of `party` for which `why` holds; each decides for itself.
    pub(crate) fn close(&self, party: Party, why: &Closing) {
        for mailbox in self.mailboxes(party) {
            mailbox.close(why.clone());
        }
    }

    /// Closes all connections, because this node is going down. Whoever connects after this looks for
    /// itself whether it is.
    pub(crate) fn drain(&self) {
        let all: Vec<Arc<Mailbox>> = self.lock().values().flatten().cloned().collect();
        for mailbox in all {
            mailbox.close(Closing::Draining);
        }
    }

    /// How many connections of a kind there are.
    pub(crate) fn connections(&self, way: Way) -> usize {
        self.lock().values().map(|mailboxes| count(mailboxes, way)).sum()
    }

    /// Whether `party` waits here, in whichever way.
    pub(crate) fn is_connected(&self, party: Party) -> bool {
        self.lock().contains_key(&party)
    }

    fn mailboxes(&self, party: Party) -> Vec<Arc<Mailbox>> {
        self.lock().get(&party).cloned().unwrap_or_default()
    }

    fn lock(&self) -> MutexGuard<'_, BTreeMap<Party, Vec<Arc<Mailbox>>>> {
        self.connected.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// Events, and the mailboxes that they go to.
#[derive(Debug)]
pub(crate) struct Mail(Vec<(Pushed, Vec<Arc<Mailbox>>)>);

impl Mail {
    /// Whether nobody else has to wait for his turn while it is delivered.
    pub(crate) fn is_little(&self) -> bool {
        self.0.iter().map(|(_, mailboxes)| mailboxes.len()).sum::<usize>() <= AT_ONCE
    }

    pub(crate) fn deliver_at_once(&self) {
        for (pushed, mailbox) in self.each() {
            mailbox.put(pushed);
        }
    }

    /// Delivers it, and lets others have their turn in between.
    pub(crate) async fn deliver(&self) {
        for (count, (pushed, mailbox)) in self.each().enumerate() {
            if count > 0 && count % AT_ONCE == 0 {
                tokio::task::yield_now().await;
            }
            mailbox.put(pushed);
        }
    }

    fn each(&self) -> impl Iterator<Item = (&Pushed, &Arc<Mailbox>)> {
        self.0
            .iter()
            .flat_map(|(pushed, mailboxes)| mailboxes.iter().map(move |mailbox| (pushed, mailbox)))
    }
}

fn pushed(sent: &Sent) -> Pushed {
    let frame = events::frame(sent.kind, sent.event_id, &sent.data);
    Pushed { event_id: sent.event_id, frame }
}

fn count(mailboxes: &[Arc<Mailbox>], way: Way) -> usize {
    mailboxes.iter().filter(|mailbox| mailbox.way() == way).count()
}

impl Connected {
    /// Waits until something has arrived.
    pub(crate) async fn arrived(&self) {
        poll_fn(|context| self.poll_arrived(context)).await;
    }

    /// Whether something has arrived; if not, the task is woken when it does.
    pub(crate) fn poll_arrived(&self, context: &mut Context<'_>) -> Poll<()> {
        self.mailbox.poll_news(context)
    }

    /// Writes a frame, if the pen is lent and nothing comes before it. False if it was not written.
    pub(crate) fn say(&self, frame: &Frame) -> bool {
        self.mailbox.say(frame)
    }

    /// Empties the mailbox.
    pub(crate) fn take(&self) -> Arrived {
        self.mailbox.take()
    }

    /// From now on events are written by whoever brings them.
    pub(crate) fn lend(&self, pen: Pen) {
        self.mailbox.lend(pen);
    }

    /// From now on somebody else may answer, once, and until [`Connected::expects_no_more`].
    pub(crate) fn expect_answer(&self) -> WayBack {
        self.mailbox.expect_answer();
        WayBack { party: self.party, mailbox: Arc::clone(&self.mailbox) }
    }

    /// From now on nobody else answers. Tells whether nobody has.
    pub(crate) fn expects_no_more(&self) -> bool {
        self.mailbox.expects_no_more()
    }

    /// From now on nobody else writes.
    pub(crate) fn take_pen(&self) -> Option<Pen> {
        self.mailbox.take_pen()
    }
}

/// The way back to a connection whose owner waits for an answer.
#[derive(Debug)]
pub(crate) struct WayBack {
    party: Party,
    mailbox: Arc<Mailbox>,
}

impl WayBack {
    /// Answers, together with what is told to the same party, unless it was too late. Says whether it was not.
    pub(crate) fn answer(&self, answer: Frame, events: &[Sent]) -> bool {
        let own = events.iter().find(|sent| sent.party == self.party).map(pushed);
        self.mailbox.answer(answer, own.as_ref())
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
