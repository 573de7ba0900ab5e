//! What waits for one connection.
//!
//! While its owner has nothing to do, the pen lies in the mailbox, and an event that continues what was sent is
//! written by whoever brings it: nobody has to be woken for it. Otherwise the mailbox is a shortcut: it holds the
//! newest few events so that a socket that keeps up never asks the store. Whoever does not keep up loses the
//! mailbox's content, not the events: his socket reads them from the store, at its own pace.

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

use super::{
    Closing, Way,
    pen::{Pen, Tried},
};

/// Events that a mailbox holds. A socket that is further behind is served from the store.
pub(super) const MAILBOX_EVENTS: usize = 64;

/// Bytes that a mailbox holds, for the same purpose.
pub(super) const MAILBOX_BYTES: usize = 256 * 1024;

#[derive(Debug)]
pub(super) struct Mailbox {
    way: Way,
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
    /// The way to the connection, while its owner waits.
    pen: Option<Pen>,
    /// Whether its owner waits for an answer that somebody else gives.
    expects_answer: bool,
    /// Answers that were given and could not be written.
    answers: Vec<Frame>,
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
    pub(crate) answers: Vec<Frame>,
    pub(crate) events: VecDeque<Pushed>,
    pub(crate) look: bool,
    pub(crate) closing: Vec<Closing>,
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

    /// Brings an event.
    pub(super) fn put(&self, pushed: &Pushed) {
        let mut content = self.lock();
        match content.write(pushed) {
            Tried::Done => return,
            Tried::Begun => {}
            Tried::NotNow => content.keep(pushed),
        }
        drop(content);
        self.ring();
    }

    /// Brings the answer that the owner waits for, with an event of his that goes along with it. False if he does not
    /// wait for it any more.
    pub(super) fn answer(&self, answer: Frame, event: Option<&Pushed>) -> bool {
        let mut content = self.lock();
        if !std::mem::take(&mut content.expects_answer) {
            return false;
        }
        match content.write_answer(&answer, event) {
            Tried::Done => return true,
            Tried::Begun => {}
            Tried::NotNow => content.answers.push(answer),
        }
        drop(content);
        self.ring();
        true
    }

    /// The owner says something, while the pen lies here. False if he has to write it himself.
    pub(super) fn say(&self, frame: &Frame) -> bool {
        let mut content = self.lock();
        match content.write_answer(frame, None) {
            Tried::Done => true,
            Tried::NotNow => false,
            Tried::Begun => {
                drop(content);
                self.ring();
                true
            }
        }
    }

    pub(super) fn expect_answer(&self) {
        self.lock().expects_answer = true;
    }

    pub(super) fn expects_no_more(&self) -> bool {
        std::mem::take(&mut self.lock().expects_answer)
    }

    /// Something came that only the store knows.
    pub(super) fn look(&self) {
        self.lock().look = true;
        self.ring();
    }

    pub(super) fn close(&self, why: Closing) {
        self.lock().closing.push(why);
        self.ring();
    }

    /// Empties it. Whatever comes from now on is news.
    pub(super) fn take(&self) -> Arrived {
        self.has_news.store(false, Ordering::Release);
        let mut content = self.lock();
        content.bytes = 0;
        Arrived {
            answers: std::mem::take(&mut content.answers),
            events: std::mem::take(&mut content.events),
            look: std::mem::take(&mut content.look),
            closing: std::mem::take(&mut content.closing),
        }
    }

    pub(super) fn lend(&self, pen: Pen) {
        self.lock().pen = Some(pen);
    }

    pub(super) fn take_pen(&self) -> Option<Pen> {
        self.lock().pen.take()
    }

    fn ring(&self) {
        self.has_news.store(true, Ordering::Release);
        self.owner.wake();
    }

    pub(super) fn poll_news(&self, context: &mut Context<'_>) -> Poll<()> {
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

impl Content {
    /// Writes an event, if nothing waits for the owner: neither something that comes before it, nor a reason to
    /// close the connection.
    fn write(&mut self, pushed: &Pushed) -> Tried {
        match self.free_pen() {
            Some(pen) => pen.try_write(pushed),
            None => Tried::NotNow,
        }
    }

    fn write_answer(&mut self, answer: &Frame, event: Option<&Pushed>) -> Tried {
        match self.free_pen() {
            Some(pen) => pen.try_answer(answer, event),
            None => Tried::NotNow,
        }
    }

    fn free_pen(&mut self) -> Option<&mut Pen> {
        let is_at_rest = self.events.is_empty()
            && self.answers.is_empty()
            && !self.look
            && self.closing.is_empty();
        self.pen.as_mut().filter(|_| is_at_rest)
    }

    /// Keeps an event for the owner, while there is room.
    fn keep(&mut self, pushed: &Pushed) {
        let bytes = self.bytes.saturating_add(pushed.frame.as_bytes().len());
        if self.look || self.events.len() >= MAILBOX_EVENTS || bytes > MAILBOX_BYTES {
            (self.events, self.bytes, self.look) = (VecDeque::new(), 0, true);
        } else {
            self.bytes = bytes;
            self.events.push_back(pushed.clone());
        }
    }
}
