//! Events and notices that wait for one connection.
//!
//! A mailbox holds the newest few events, so that a connection that keeps up never reads the store. A connection
//! that falls behind loses the content of its mailbox but no events: it reads them from the store at its own
//! pace.

use std::{
    collections::VecDeque,
    sync::{
        Mutex, MutexGuard, PoisonError,
        atomic::{AtomicBool, Ordering},
    },
    task::{Context, Poll},
};

use assent_ids::EventSeq;
use assent_websocket::Frame;
use futures_util::task::AtomicWaker;

use super::{Closing, Way};

/// Maximum number of events in a mailbox. A connection that is further behind is served from the store.
pub(super) const MAX_EVENTS: usize = 64;

/// Maximum size of the events in a mailbox, for the same purpose.
pub(super) const MAX_BYTES: usize = 256 * 1024;

#[derive(Debug)]
pub(super) struct Mailbox {
    way: Way,
    content: Mutex<Content>,
    /// Whether anything was put in since the last check.
    has_news: AtomicBool,
    /// The task that owns the connection.
    owner: AtomicWaker,
}

#[derive(Debug, Default)]
struct Content {
    arrived: MailboxContent,
    bytes: usize,
}

/// An event, ready to be sent.
#[derive(Clone, Debug)]
pub(crate) struct Pushed {
    pub(crate) event_id: EventSeq,
    pub(crate) frame: Frame,
}

/// The content of a mailbox.
#[derive(Debug, Default)]
pub(crate) struct MailboxContent {
    pub(crate) events: VecDeque<Pushed>,
    /// Whether there are events that only the store has.
    pub(crate) is_behind: bool,
    /// Every reason to close that came; each may apply to another connection.
    pub(crate) closing: Vec<Closing>,
}

impl MailboxContent {
    /// Takes the frames of the events that continue `cursor` without a gap, and moves it to the last of them.
    /// Events up to the cursor were sent before; one behind a gap means that the store has more.
    pub(crate) fn take_next(&mut self, cursor: &mut EventSeq) -> Vec<Frame> {
        let mut frames = Vec::with_capacity(self.events.len());
        for Pushed { event_id, frame } in self.events.drain(..) {
            if event_id.0 == cursor.0.saturating_add(1) {
                frames.push(frame);
                *cursor = event_id;
            } else if event_id > *cursor {
                self.is_behind = true;
            }
        }
        frames
    }
}

impl Mailbox {
    pub(super) fn new(way: Way) -> Self {
        Self {
            way,
            content: Mutex::default(),
            has_news: AtomicBool::default(),
            owner: AtomicWaker::default(),
        }
    }

    /// How its owner waits.
    pub(super) const fn way(&self) -> Way {
        self.way
    }

    /// Adds an event. If there is no room, the owner has to read the store.
    pub(super) fn put(&self, pushed: &Pushed) {
        let mut content = self.lock();
        let bytes = content.bytes.saturating_add(pushed.frame.as_bytes().len());
        let is_full = content.arrived.events.len() >= MAX_EVENTS || bytes > MAX_BYTES;
        if content.arrived.is_behind || is_full {
            content.arrived.events = VecDeque::new();
            content.arrived.is_behind = true;
            content.bytes = 0;
        } else {
            content.arrived.events.push_back(pushed.clone());
            content.bytes = bytes;
        }
        drop(content);
        self.notify();
    }

    /// Makes the owner read new events from the store.
    pub(super) fn mark_behind(&self) {
        self.lock().arrived.is_behind = true;
        self.notify();
    }

    pub(super) fn close(&self, why: Closing) {
        self.lock().arrived.closing.push(why);
        self.notify();
    }

    /// Empties it.
    pub(super) fn take(&self) -> MailboxContent {
        self.has_news.store(false, Ordering::Release);
        std::mem::take(&mut *self.lock()).arrived
    }

    /// Ready if something was put in since the last check; otherwise the task is woken when that happens.
    pub(super) fn poll_arrived(&self, context: &mut Context<'_>) -> Poll<()> {
        if self.has_news.swap(false, Ordering::AcqRel) {
            return Poll::Ready(());
        }
        self.owner.register(context.waker());
        // Something may have come before the waker was registered.
        if self.has_news.swap(false, Ordering::AcqRel) { Poll::Ready(()) } else { Poll::Pending }
    }

    fn notify(&self) {
        self.has_news.store(true, Ordering::Release);
        self.owner.wake();
    }

    fn lock(&self) -> MutexGuard<'_, Content> {
        self.content.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
