//! Messages that were accepted, and are filed a little later.
//!
//! A message concerns ten places: its own row with two indexes, the conversation's counter, and for everybody in it an
//! event, its age and a counter. On SQLite it is accepted with none of them: everything that one transaction accepts
//! is one row of `unfiled`, and the numbers that it gives come from memory. Some hundred messages are filed at once,
//! which writes each page once instead of once for each message; and before anybody looks.

mod accepted;
mod filing;
mod known;
#[cfg(test)]
mod tests;

use std::{
    sync::{Arc, Mutex, MutexGuard, PoisonError},
    time::Duration,
};

use assent_ids::{ClientMessageId, ConversationId, Principal};
use assent_store::{Database, Filing, Location, OpenError, StoreError, Tx};

pub(crate) use self::accepted::{Accepted, Told};
use self::known::Known;
use crate::{
    conversations::{self, Addressees},
    delivery::events,
    storage::schema::MIGRATIONS,
};

/// So much waits before it is filed although nobody looks. Filing stalls whoever sends, for some milliseconds.
const FULL: usize = 4 * 1024 * 1024;

/// What a message weighs beside its text: the events that it becomes.
const EVENT: usize = 1024;

/// How long messages lie here when nobody writes anything.
const PATIENCE: Duration = Duration::from_millis(100);

/// A longer message is filed at once: it fills pages by itself.
pub(crate) const MAX_ENVELOPE: usize = 16 * 1024;

/// Opens a database, with a tray if it can have one.
pub(crate) async fn open(location: &Location) -> Result<(Database, Option<Arc<Tray>>), OpenError> {
    match location {
        Location::Sqlite(path) => {
            let tray = Arc::new(Tray::new(PATIENCE));
            let database = Database::open_with_tray(path, MIGRATIONS, Arc::<Tray>::clone(&tray))?;
            Ok((database, Some(tray)))
        }
        Location::Postgres(_) => Ok((Database::open(location, MIGRATIONS).await?, None)),
    }
}

/// What was accepted and is not filed.
///
/// Only the thread that writes uses it, so the lock is always free. It is not held while a statement runs.
pub(crate) struct Tray {
    state: Mutex<State>,
    patience: Duration,
}

#[derive(Default)]
struct State {
    /// Written down.
    waiting: Vec<Arc<Accepted>>,
    /// Accepted by this transaction.
    fresh: Vec<Arc<Accepted>>,
    /// How much both take.
    weight: usize,
    /// How many of both, in this order, this transaction has filed.
    filed: usize,
    /// Somebody looks in this transaction, so that everything is filed in it.
    is_looked_at: bool,
    known: Known,
}

impl Tray {
    fn new(patience: Duration) -> Self {
        Self { state: Mutex::default(), patience }
    }

    fn state(&self) -> MutexGuard<'_, State> {
        // A tray is changed by assignments that cannot fail in between.
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Whom a message to a conversation concerns, and the number of the message before.
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

    /// The number of the last event of somebody.
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

    /// The number of the last event of somebody, if it is known here.
    pub(crate) fn numbered(&self, party: Principal) -> Option<i64> {
        self.state().known.numbered(party)
    }

    /// A message that was accepted under this id and is not filed.
    pub(crate) fn find(
        &self,
        conversation: ConversationId,
        sender: Principal,
        id: &ClientMessageId,
    ) -> Option<Arc<Accepted>> {
        self.state().known.find(conversation, sender, id)
    }

    /// Takes a message. To be done last: whoever fails after it would leave it here.
    pub(crate) fn accept(&self, accepted: Accepted) {
        let accepted = Arc::new(accepted);
        let mut state = self.state();
        state.known.accept(&accepted);
        state.weight = state.weight.saturating_add(accepted.weight());
        state.fresh.push(accepted);
    }
}

impl assent_store::Tray for Tray {
    fn recall<'a>(&'a self, tx: &'a mut Tx) -> Filing<'a> {
        Box::pin(async move {
            let waiting = filing::recall(tx).await?;
            let mut state = self.state();
            let weight = waiting.iter().map(|accepted| accepted.weight()).sum();
            *state = State { waiting, weight, ..State::default() };
            state.remember();
            Ok(())
        })
    }

    fn file<'a>(&'a self, tx: &'a mut Tx) -> Filing<'a> {
        Box::pin(async move {
            let (unfiled, strikes_off) = self.state().unfiled();
            filing::file(tx, &unfiled).await?;
            if strikes_off {
                filing::strike_off(tx).await?;
            }
            self.state().filed();
            Ok(())
        })
    }

    fn close<'a>(&'a self, tx: &'a mut Tx) -> Filing<'a> {
        let fresh = {
            let state = self.state();
            if state.is_looked_at || state.is_full() {
                drop(state);
                return self.file(tx);
            }
            accepted::written(&state.fresh)
        };
        Box::pin(async move {
            match fresh {
                Some(text) => filing::write_down(tx, text).await,
                None => Ok(()),
            }
        })
    }

    fn keep(&self) {
        self.state().keep();
    }

    fn undo(&self) {
        self.state().undo();
    }

    fn is_empty(&self) -> bool {
        self.state().waiting.is_empty()
    }

    fn patience(&self) -> Duration {
        self.patience
    }
}

impl State {
    fn all(&self) -> impl Iterator<Item = &Arc<Accepted>> {
        self.waiting.iter().chain(&self.fresh)
    }

    fn is_full(&self) -> bool {
        self.known.is_much() || self.weight > FULL
    }

    /// What this transaction has not filed, and whether some of it was written down.
    fn unfiled(&self) -> (Vec<Arc<Accepted>>, bool) {
        (self.all().skip(self.filed).cloned().collect(), self.filed < self.waiting.len())
    }

    /// Everything was filed. From now on the tables know best: whoever looks may change them.
    fn filed(&mut self) {
        self.filed = self.waiting.len().saturating_add(self.fresh.len());
        self.is_looked_at = true;
        self.known = Known::default();
    }

    fn keep(&mut self) {
        self.filed = 0;
        if std::mem::take(&mut self.is_looked_at) {
            self.waiting.clear();
            self.fresh.clear();
            self.weight = 0;
        }
        self.waiting.append(&mut self.fresh);
    }

    fn undo(&mut self) {
        self.filed = 0;
        let fresh = std::mem::take(&mut self.fresh);
        let weight = fresh.iter().map(|accepted| accepted.weight()).sum();
        self.weight = self.weight.saturating_sub(weight);
        if std::mem::take(&mut self.is_looked_at) {
            // What is known may be what somebody has changed, and that was undone.
            self.remember();
        } else {
            fresh.iter().rev().for_each(|accepted| self.known.withdraw(accepted));
        }
    }

    /// Finds out what is known from what was written down.
    fn remember(&mut self) {
        self.known = Known::default();
        for accepted in &self.waiting {
            self.known.accept(accepted);
        }
    }
}
