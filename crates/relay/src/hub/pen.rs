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
        let (answer, along) = (answer.as_bytes(), event.map(|event| event.frame.as_bytes()));
        let written = match along {
            Some(along) => {
                self.writer.try_write_vectored(&[IoSlice::new(answer), IoSlice::new(along)])
            }
            None => self.writer.try_write(answer),
        };
        let Ok(written) = written else { return Tried::NotNow };
        if let Some(event) = event {
            self.cursor = event.event_id;
        }
        self.rest = unsent(answer, along, written);
        self.tried()
    }

    fn is_next(&self, pushed: &Pushed) -> bool {
        pushed.event_id.0 == self.cursor.0.saturating_add(1)
    }

    fn tried(&self) -> Tried {
        if self.rest.is_empty() { Tried::Done } else { Tried::Begun }
    }
}

/// What is left of two frames of which so much was written.
fn unsent(first: &Bytes, second: Option<&Bytes>, written: usize) -> Bytes {
    match (written.checked_sub(first.len()), second) {
        (Some(of_second), Some(second)) => second.slice(of_second.min(second.len())..),
        (Some(_), None) => Bytes::new(),
        (None, second) => {
            let of_first = first.get(written..).unwrap_or_default();
            [of_first, second.map_or(&[], |second| second)].concat().into()
        }
    }
}
