//! The right to write to a connection.

use std::io::IoSlice;

use assent_ids::EventSeq;
use assent_websocket::Frame;
use bytes::Bytes;
use tokio::net::tcp::OwnedWriteHalf;

use super::mailbox::Pushed;

/// Whoever has it writes, and nobody else.
#[derive(Debug)]
pub(crate) struct Pen {
    pub(crate) writer: OwnedWriteHalf,
    /// The last event that was written.
    pub(crate) cursor: EventSeq,
    /// What is left of it, because the kernel had no room: it comes before anything else.
    pub(crate) rest: Bytes,
}

/// What became of an event.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum Tried {
    /// It is on its way.
    Done,
    /// A part of it is.
    Begun,
    /// Nothing was written: it is not the next one, or there is no room, or nobody at the other end.
    NotNow,
}

impl Pen {
    pub(crate) const fn new(writer: OwnedWriteHalf, cursor: EventSeq) -> Self {
        Self { writer, cursor, rest: Bytes::new() }
    }

    /// Writes an event without waiting, if it is the next one.
    pub(super) fn try_write(&mut self, pushed: &Pushed) -> Tried {
        if pushed.event_id <= self.cursor {
            // It was read from the store meanwhile.
            return Tried::Done;
        }
        if !self.is_next(pushed) || !self.rest.is_empty() {
            return Tried::NotNow;
        }
        let frame = pushed.frame.as_bytes();
        // A connection that broke is noticed by its owner.
        let Ok(written) = self.writer.try_write(frame) else { return Tried::NotNow };
        self.cursor = pushed.event_id;
        self.rest = frame.slice(written.min(frame.len())..);
        self.tried()
    }

    /// Writes an answer without waiting, and an event along with it, if it is the next one.
    pub(super) fn try_answer(&mut self, answer: &Frame, event: Option<&Pushed>) -> Tried {
        if !self.rest.is_empty() {
            return Tried::NotNow;
        }
        let event = event.filter(|event| self.is_next(event));
        let (answer, along) = (
            answer.as_bytes(),
            event.map_or_else(Bytes::new, |event| event.frame.as_bytes().clone()),
        );
        let both = [IoSlice::new(answer), IoSlice::new(&along)];
        let Ok(written) = self.writer.try_write_vectored(&both) else { return Tried::NotNow };
        if let Some(event) = event {
            self.cursor = event.event_id;
        }
        self.rest = match written.checked_sub(answer.len()) {
            Some(of_event) => along.slice(of_event.min(along.len())..),
            None => [answer.get(written..).unwrap_or_default(), &along].concat().into(),
        };
        self.tried()
    }

    fn is_next(&self, pushed: &Pushed) -> bool {
        pushed.event_id.0 == self.cursor.0.saturating_add(1)
    }

    fn tried(&self) -> Tried {
        if self.rest.is_empty() { Tried::Done } else { Tried::Begun }
    }
}
