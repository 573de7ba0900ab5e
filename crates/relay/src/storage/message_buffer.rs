//! The write-behind buffer for messages.
//!
//! A message changes ten places: its own row with two indexes, the conversation's counter, and for every member an
//! event, its age and a counter. On SQLite it is accepted without them: all messages of one transaction are one row of
//! `unfiled`, and their numbers come from memory. Some hundred messages are flushed at once, which writes each page
//! once instead of once for each message; the buffer is also flushed before its tables are read.

mod accepted;
mod known;
mod tables;
#[cfg(test)]
mod tests;

use std::{
    sync::{Arc, Mutex, MutexGuard, PoisonError},
    time::Duration,
};

use assent_ids::{ClientMessageId, ConversationId, Principal};
use assent_store::{BufferFuture, StoreError, Tx, WriteBehind};

pub(crate) use self::accepted::{Accepted, Delivered};
use self::known::Known;
use crate::{
    conversations::{self, Addressees},
    delivery::events,
};

/// Size of the buffer in bytes beyond which it is flushed. A flush delays senders for some milliseconds.
const MAX_BYTES: usize = 4 * 1024 * 1024;

/// Size of an event of a message beside its text.
const EVENT_BYTES: usize = 1024;

/// A longer message is written to the tables at once: it fills pages by itself.
pub(crate) const MAX_ENVELOPE: usize = 16 * 1024;

/// Messages that were accepted and are not flushed.
///
/// Only the thread that writes uses it, so the lock is always free. It is not held while a statement runs.
pub(crate) struct MessageBuffer {
    state: Mutex<State>,
    max_delay: Duration,
}

#[derive(Default)]
struct State {
    /// Messages of earlier transactions, which are stored.
    waiting: Vec<Arc<Accepted>>,
    /// Messages of this transaction.
    fresh: Vec<Arc<Accepted>>,
    /// Size of both.
    weight: usize,
    /// Number of both, in this order, that this transaction has flushed.
    flushed: usize,
    /// The buffer was flushed in this transaction, so that all its messages go to the tables.
    is_flushed: bool,
    known: Known,
}

impl MessageBuffer {
    pub(crate) fn new(max_delay: Duration) -> Self {
        Self { state: Mutex::default(), max_delay }
    }

    fn state(&self) -> MutexGuard<'_, State> {
        // The state is changed by assignments that cannot fail in between.
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// The addressees of a message to a conversation, and the number of the message before.
    pub(crate) async fn addressees(
        &self,
        tx: &mut Tx,
        conversation: ConversationId,
    ) -> Result<(Arc<Addressees>, i64), StoreError> {
        if let Some(known) = self.state().known.addressees(conversation) {
            return Ok(known);
        }
        let found = Arc::new(conversations::addressees(tx, conversation).await?);
        let last_seq = self.state().known.meet(conversation, Arc::clone(&found));
        Ok((found, last_seq))
    }

    /// The number of the last event of `party`.
    pub(crate) async fn last_event(
        &self,
        tx: &mut Tx,
        party: Principal,
    ) -> Result<i64, StoreError> {
        if let Some(number) = self.numbered(party) {
            return Ok(number);
        }
        let number = events::last(tx, party).await?;
        self.state().known.number(party, number);
        Ok(number)
    }

    /// The number of the last event of `party`, if it is known here.
    pub(crate) fn numbered(&self, party: Principal) -> Option<i64> {
        self.state().known.numbered(party)
    }

    /// A message that was accepted under this id and is not flushed.
    pub(crate) fn find(
        &self,
        conversation: ConversationId,
        sender: Principal,
        id: &ClientMessageId,
    ) -> Option<Arc<Accepted>> {
        self.state().known.find(conversation, sender, id)
    }

    /// Adds a message. The last step of a unit of work: a failure after it would leave the message here.
    pub(crate) fn accept(&self, accepted: Accepted) {
        let accepted = Arc::new(accepted);
        let mut state = self.state();
        state.known.accept(&accepted);
        state.weight = state.weight.saturating_add(accepted.weight());
        state.fresh.push(accepted);
    }
}

impl WriteBehind for MessageBuffer {
    fn load<'a>(&'a self, tx: &'a mut Tx) -> BufferFuture<'a> {
        Box::pin(async move {
            let waiting = tables::load(tx).await?;
            let mut state = self.state();
            let weight = waiting.iter().map(|accepted| accepted.weight()).sum();
            *state = State { waiting, weight, ..State::default() };
            state.remember();
            Ok(())
        })
    }

    fn flush<'a>(&'a self, tx: &'a mut Tx) -> BufferFuture<'a> {
        Box::pin(async move {
            let (unflushed, deletes_stored) = self.state().unflushed();
            tables::write(tx, &unflushed).await?;
            if deletes_stored {
                tables::delete_stored(tx).await?;
            }
            self.state().flushed();
            Ok(())
        })
    }

    fn before_commit<'a>(&'a self, tx: &'a mut Tx) -> BufferFuture<'a> {
        let fresh = {
            let state = self.state();
            if state.is_flushed || state.is_full() {
                drop(state);
                return self.flush(tx);
            }
            accepted::written(&state.fresh)
        };
        Box::pin(async move {
            match fresh {
                Some(text) => tables::store(tx, text).await,
                None => Ok(()),
            }
        })
    }

    fn committed(&self) {
        self.state().committed();
    }

    fn rolled_back(&self) {
        self.state().rolled_back();
    }

    fn is_empty(&self) -> bool {
        self.state().waiting.is_empty()
    }

    fn max_delay(&self) -> Duration {
        self.max_delay
    }
}

impl State {
    fn all(&self) -> impl Iterator<Item = &Arc<Accepted>> {
        self.waiting.iter().chain(&self.fresh)
    }

    fn is_full(&self) -> bool {
        self.known.is_full() || self.weight > MAX_BYTES
    }

    /// The messages that this transaction has not flushed, and whether some of them are stored.
    fn unflushed(&self) -> (Vec<Arc<Accepted>>, bool) {
        (self.all().skip(self.flushed).cloned().collect(), self.flushed < self.waiting.len())
    }

    /// Everything was flushed. The unit of work behind the flush may change the tables, so the memory of them is dropped.
    fn flushed(&mut self) {
        self.flushed = self.waiting.len().saturating_add(self.fresh.len());
        self.is_flushed = true;
        self.known = Known::default();
    }

    fn committed(&mut self) {
        self.flushed = 0;
        if std::mem::take(&mut self.is_flushed) {
            self.waiting.clear();
            self.fresh.clear();
            self.weight = 0;
        }
        self.waiting.append(&mut self.fresh);
    }

    fn rolled_back(&mut self) {
        self.flushed = 0;
        let fresh = std::mem::take(&mut self.fresh);
        let weight = fresh.iter().map(|accepted| accepted.weight()).sum();
        self.weight = self.weight.saturating_sub(weight);
        if std::mem::take(&mut self.is_flushed) {
            // What is known may have been read from changes that were rolled back.
            self.remember();
        } else {
            fresh.iter().rev().for_each(|accepted| self.known.withdraw(accepted));
        }
    }

    /// Rebuilds what is known from the stored messages.
    fn remember(&mut self) {
        self.known = Known::default();
        for accepted in &self.waiting {
            self.known.accept(accepted);
        }
    }
}
