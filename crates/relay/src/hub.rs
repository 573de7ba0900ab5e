//! Who is connected to this node, and the way to them.
//!
//! A mailbox is a shortcut: it holds the newest few events so that a socket that keeps up never asks the
//! store. Whoever does not keep up loses the mailbox's content, not the events: his socket reads them from
//! the store, at its own pace.

use std::{
    collections::{BTreeMap, VecDeque},
    future::poll_fn,
    sync::{
        Arc, Mutex, MutexGuard, PoisonError,
        atomic::{AtomicBool, Ordering},
    },
    task::{Context, Poll},
};

use assent_ids::{DeviceId, EventSeq, TokenFamilyId, TokenId};
use assent_websocket::Frame;
use futures_util::task::AtomicWaker;
use serde::{Deserialize, Serialize};

use crate::{events, outbox::Sent, party::Party};

/// Events that a mailbox holds. A socket that is further behind is served from the store.
const MAILBOX_EVENTS: usize = 64;

/// Bytes that a mailbox holds, for the same purpose.
const MAILBOX_BYTES: usize = 256 * 1024;

/// Every connection of this node.
#[derive(Debug, Default)]
pub(crate) struct Hub {
    connected: Mutex<BTreeMap<Party, Vec<Arc<Mailbox>>>>,
}

/// What waits for one connection.
#[derive(Debug, Default)]
pub(crate) struct Mailbox {
    content: Mutex<Content>,
    /// Whether something was put in since it was looked last.
    has_news: AtomicBool,
    /// The one connection whose mailbox it is.
    owner: AtomicWaker,
}

#[derive(Debug, Default)]
struct Content {
    events: VecDeque<Pushed>,
    bytes: usize,
    /// Something came that is not here: look into the store.
    look: bool,
    /// Every reason to close that came: each may concern another connection.
    closing: Vec<Closing>,
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
    /// Whoever it is for may not be here any more.
    Expelled,
    /// This node is going down.
    Draining,
}

/// An event, ready to be sent: encoded once for all connections that it goes to.
#[derive(Clone, Debug)]
pub(crate) struct Pushed {
    pub(crate) event_id: EventSeq,
    pub(crate) frame: Frame,
}

/// What arrived.
#[derive(Debug)]
pub(crate) struct Arrived {
    pub(crate) events: VecDeque<Pushed>,
    pub(crate) look: bool,
    pub(crate) closing: Vec<Closing>,
}

/// A connection that is known to the hub as long as this lives.
#[derive(Debug)]
pub(crate) struct Connected {
    hub: Arc<Hub>,
    party: Party,
    mailbox: Arc<Mailbox>,
}

impl Hub {
    /// Makes a connection known. Events that are stored from now on reach its mailbox.
    pub(crate) fn connect(self: &Arc<Self>, party: Party) -> Connected {
        let mailbox = Arc::<Mailbox>::default();
        self.lock().entry(party).or_default().push(Arc::clone(&mailbox));
        Connected { hub: Arc::clone(self), party, mailbox }
    }

    /// Puts an event that is durable into the mailboxes of its recipient.
    pub(crate) fn deliver(&self, sent: &Sent) {
        let mailboxes = self.mailboxes(sent.party);
        if mailboxes.is_empty() {
            return;
        }
        let frame = events::frame(sent.kind, sent.event_id, &sent.data);
        let pushed = Pushed { event_id: sent.event_id, frame };
        for mailbox in mailboxes {
            mailbox.put(&pushed);
        }
    }

    /// Tells the connections of `party` to look into the store.
    pub(crate) fn wake(&self, party: Party) {
        for mailbox in self.mailboxes(party) {
            mailbox.change(|content| content.look = true);
        }
    }

    /// Closes the connections of `party` for which `why` holds; each decides for itself.
    pub(crate) fn close(&self, party: Party, why: &Closing) {
        for mailbox in self.mailboxes(party) {
            mailbox.change(|content| content.closing.push(why.clone()));
        }
    }

    /// Closes all connections, because this node is going down. Whoever connects after this looks for
    /// itself whether it is.
    pub(crate) fn drain(&self) {
        let all: Vec<Arc<Mailbox>> = self.lock().values().flatten().cloned().collect();
        for mailbox in all {
            mailbox.change(|content| content.closing.push(Closing::Draining));
        }
    }

    /// How many connections there are.
    pub(crate) fn connections(&self) -> usize {
        self.lock().values().map(Vec::len).sum()
    }

    /// How many connections `party` has here.
    pub(crate) fn sockets_of(&self, party: Party) -> usize {
        self.lock().get(&party).map_or(0, Vec::len)
    }

    fn mailboxes(&self, party: Party) -> Vec<Arc<Mailbox>> {
        self.lock().get(&party).cloned().unwrap_or_default()
    }

    fn lock(&self) -> MutexGuard<'_, BTreeMap<Party, Vec<Arc<Mailbox>>>> {
        self.connected.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Connected {
    /// Waits until something has arrived.
    pub(crate) async fn arrived(&self) {
        poll_fn(|context| self.mailbox.poll_news(context)).await;
    }

    /// Empties the mailbox.
    pub(crate) fn take(&self) -> Arrived {
        let mut content = self.mailbox.lock();
        content.bytes = 0;
        Arrived {
            events: std::mem::take(&mut content.events),
            look: std::mem::take(&mut content.look),
            closing: std::mem::take(&mut content.closing),
        }
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

impl Mailbox {
    fn put(&self, pushed: &Pushed) {
        self.change(|content| {
            let bytes = content.bytes.saturating_add(pushed.frame.as_bytes().len());
            if content.look || content.events.len() >= MAILBOX_EVENTS || bytes > MAILBOX_BYTES {
                let closing = std::mem::take(&mut content.closing);
                *content = Content { look: true, closing, ..Content::default() };
            } else {
                content.bytes = bytes;
                content.events.push_back(pushed.clone());
            }
        });
    }

    fn change(&self, change: impl FnOnce(&mut Content)) {
        change(&mut self.lock());
        self.has_news.store(true, Ordering::Release);
        self.owner.wake();
    }

    fn poll_news(&self, context: &mut Context<'_>) -> Poll<()> {
        if self.has_news.swap(false, Ordering::AcqRel) {
            return Poll::Ready(());
        }
        self.owner.register(context.waker());
        // Something may have come before anybody knew whom to wake.
        if self.has_news.swap(false, Ordering::AcqRel) { Poll::Ready(()) } else { Poll::Pending }
    }

    fn lock(&self) -> MutexGuard<'_, Content> {
        self.content.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use assent_ids::{EventSeq, UserId};

    use super::{Closing, Hub, MAILBOX_BYTES, MAILBOX_EVENTS};
    use crate::{outbox::Sent, party::Party};

    const ALICE: &str = "usr_01J00000000000000000000000";

    fn alice() -> Party {
        Party::User(ALICE.parse::<UserId>().unwrap())
    }

    fn sent(number: u64, bytes: usize) -> Sent {
        let data = "x".repeat(bytes).into();
        Sent { party: alice(), event_id: EventSeq(number), kind: "message.new", data }
    }

    #[test]
    fn every_connection_of_a_person_gets_an_event() {
        let hub = Arc::new(Hub::default());
        let (phone, desk) = (hub.connect(alice()), hub.connect(alice()));
        hub.deliver(&sent(1, 10));
        assert_eq!(phone.take().events.len(), 1);
        assert_eq!(desk.take().events.len(), 1);
        assert!(phone.take().events.is_empty());
        drop(phone);
        assert_eq!(hub.connections(), 1);
        drop(desk);
        assert_eq!(hub.sockets_of(alice()), 0);
    }

    #[test]
    fn a_mailbox_that_is_full_says_that_the_store_knows_more() {
        for (count, bytes) in [(MAILBOX_EVENTS + 1, 10), (2, MAILBOX_BYTES / 2 + 1)] {
            let hub = Arc::new(Hub::default());
            let slow = hub.connect(alice());
            for number in 1..=count {
                hub.deliver(&sent(u64::try_from(number).unwrap(), bytes));
            }
            let arrived = slow.take();
            assert!(arrived.look && arrived.events.is_empty(), "{count} × {bytes}");
            hub.deliver(&sent(99, 1));
            assert_eq!(slow.take().events.len(), 1);
        }
    }

    #[test]
    fn a_reason_to_close_does_not_hide_another_one() {
        let hub = Arc::new(Hub::default());
        let phone = hub.connect(alice());
        let [first, second] = ["fam_01J00000000000000000000000", "fam_01J00000000000000000000001"]
            .map(|id| id.parse().unwrap());
        hub.close(alice(), &Closing::LoginEnded(first));
        hub.close(alice(), &Closing::LoginEnded(second));
        let closing = phone.take().closing;
        assert_eq!(closing, [Closing::LoginEnded(first), Closing::LoginEnded(second)]);
        assert!(phone.take().closing.is_empty());
    }
}
