//! Messages that somebody has yet to get.

use std::{collections::BTreeMap, time::Duration};

use assent_store::{StoreError, Tx, Work};

use super::{STEP, Walk, events::PARTIES};
use crate::relay::Relay;

/// Conversations whose awaited messages are held in memory at once.
const AT_ONCE: usize = 100_000;

/// The times of one recipient's events are those of several nodes. No two of their clocks are as far apart.
const MARGIN: Duration = Duration::from_secs(60 * 60);

const EVENTS: &str = "SELECT event_id, created_at, conversation_id, seq FROM events
    WHERE party_id = $1 AND event_id > $2 ORDER BY event_id LIMIT $3";

/// The first message that somebody has yet to get, of some conversations.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Awaited {
    first: BTreeMap<String, i64>,
    after: String,
    /// Conversations from this one on are not looked at.
    end: Option<String>,
    at_once: usize,
}

impl Awaited {
    /// Of as many conversations behind `after` as can be held.
    pub(super) async fn behind(
        relay: &Relay,
        after: &str,
        before: i64,
    ) -> Result<Self, StoreError> {
        let margin = i64::try_from(MARGIN.as_millis()).unwrap_or(i64::MAX);
        let before = before.saturating_add(margin);
        let mut awaited = Self::empty(after, AT_ONCE);
        let mut parties = Walk::behind("", PARTIES, before);
        loop {
            let some = parties.next(relay).await?;
            if some.is_empty() {
                return Ok(awaited);
            }
            for party in some {
                awaited.note_old(relay, party, before).await?;
            }
        }
    }

    fn empty(after: &str, at_once: usize) -> Self {
        Self { first: BTreeMap::new(), after: after.to_owned(), end: None, at_once }
    }

    /// Notes what the old events of somebody point to.
    async fn note_old(
        &mut self,
        relay: &Relay,
        party: String,
        before: i64,
    ) -> Result<(), StoreError> {
        let mut page = Page { party, after: 0 };
        loop {
            let found = relay.store.read(Page { party: page.party.clone(), ..page }).await?;
            let Some(last) = found.last() else { return Ok(()) };
            let is_last = last.created_at >= before;
            page.after = last.event_id;
            for (conversation, seq) in found.into_iter().filter_map(|event| event.message) {
                self.note(conversation, seq);
            }
            if is_last {
                return Ok(());
            }
        }
    }

    fn note(&mut self, conversation: String, seq: i64) {
        let is_beyond = self.end.as_ref().is_some_and(|end| conversation >= *end);
        if is_beyond || conversation <= self.after {
            return;
        }
        let first = self.first.entry(conversation).or_insert(seq);
        *first = seq.min(*first);
        if self.first.len() > self.at_once {
            self.end = self.first.pop_last().map(|(conversation, _)| conversation);
        }
    }

    /// The first message of a conversation that is awaited.
    pub(super) fn in_conversation(&self, conversation: &str) -> Option<i64> {
        self.first.get(conversation).copied()
    }

    /// Whether it is known what is awaited in a conversation.
    pub(super) fn knows(&self, conversation: &str) -> bool {
        self.end.as_deref().is_none_or(|end| conversation < end)
    }

    /// The last conversation of which it is known, if there are others behind it.
    pub(super) fn last(&self) -> Option<&str> {
        self.end.as_ref()?;
        self.first.last_key_value().map(|(conversation, _)| conversation.as_str())
    }
}

/// The events of somebody behind one.
struct Page {
    party: String,
    after: i64,
}

struct Pointing {
    event_id: i64,
    created_at: i64,
    message: Option<(String, i64)>,
}

impl Work for Page {
    type Output = Vec<Pointing>;
    type Error = StoreError;

    async fn run(&self, tx: &mut Tx) -> Result<Vec<Pointing>, StoreError> {
        let values = [(&self.party).into(), self.after.into(), STEP.into()];
        let rows = tx.all(EVENTS, &values).await?;
        let pointing = rows.into_iter().map(|mut row| {
            let conversation: Option<String> = row.get(2)?;
            let message = match conversation {
                Some(conversation) => Some((conversation, row.get(3)?)),
                None => None,
            };
            Ok(Pointing { event_id: row.get(0)?, created_at: row.get(1)?, message })
        });
        pointing.collect()
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;

    use proptest::prelude::*;

    use super::Awaited;

    proptest! {
        /// However few are held at once, one look after the other tells of each conversation what one look at
        /// everything does.
        #[test]
        fn several_looks_see_what_one_would(
            noted in prop::collection::vec(("[a-f]{1,2}", 0..20_i64), 0..60),
            at_once in 1..8_usize,
        ) {
            let mut all: BTreeMap<String, i64> = BTreeMap::new();
            for (conversation, seq) in &noted {
                let first = all.entry(conversation.clone()).or_insert(*seq);
                *first = (*first).min(*seq);
            }
            let (mut seen, mut after) = (BTreeMap::new(), String::new());
            for _ in 0..=all.len() {
                let mut awaited = Awaited::empty(&after, at_once);
                noted.iter().for_each(|(conversation, seq)| awaited.note(conversation.clone(), *seq));
                prop_assert!(awaited.first.len() <= at_once);
                for conversation in all.keys().filter(|one| **one > after && awaited.knows(one)) {
                    let known = awaited.in_conversation(conversation);
                    prop_assert_eq!(known, all.get(conversation).copied());
                    seen.extend(known.map(|seq| (conversation.clone(), seq)));
                }
                match awaited.last() {
                    Some(last) => after = last.to_owned(),
                    None => break,
                }
            }
            prop_assert_eq!(seen, all);
        }
    }
}
