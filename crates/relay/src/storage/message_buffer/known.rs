//! What is known of conversations and their members without reading the tables.

use std::{collections::BTreeMap, sync::Arc};

use assent_ids::{ClientMessageId, ConversationId, Principal};

use super::Accepted;
use crate::{conversations::Addressees, delivery::events::count};

/// Numbers that were given and are not in the tables, and what was read there since the last flush.
#[derive(Default)]
pub(super) struct Known {
    conversations: BTreeMap<ConversationId, Conversation>,
    /// The number of the last event of each party.
    numbers: BTreeMap<Principal, i64>,
}

#[derive(Default)]
struct Conversation {
    /// `None` until they are needed.
    addressees: Option<Arc<Addressees>>,
    /// The number of the last message that was accepted; zero if none was.
    last_seq: i64,
    /// The accepted messages, by sender and `client_message_id`.
    accepted: BTreeMap<(Principal, ClientMessageId), Arc<Accepted>>,
}

/// Number of entries beyond which the buffer is flushed: repeated messages fill the maps without adding to the buffer.
const MAX_ENTRIES: usize = 4096;

impl Known {
    /// Returns `true` if there are too many entries.
    pub(super) fn is_full(&self) -> bool {
        self.conversations.len().max(self.numbers.len()) > MAX_ENTRIES
    }

    /// The addressees of a message, and the number of the message before.
    pub(super) fn addressees(
        &self,
        conversation: ConversationId,
    ) -> Option<(Arc<Addressees>, i64)> {
        let known = self.conversations.get(&conversation)?;
        let addressees = known.addressees.clone()?;
        let last_seq = addressees.last_seq.max(known.last_seq);
        Some((addressees, last_seq))
    }

    /// Notes what the tables contain, and returns the number of the last message.
    pub(super) fn meet(
        &mut self,
        conversation: ConversationId,
        addressees: Arc<Addressees>,
    ) -> i64 {
        let known = self.conversations.entry(conversation).or_default();
        let last_seq = addressees.last_seq.max(known.last_seq);
        known.addressees = Some(addressees);
        last_seq
    }

    pub(super) fn numbered(&self, party: Principal) -> Option<i64> {
        self.numbers.get(&party).copied()
    }

    /// Notes the number of the last event of `party`.
    pub(super) fn number(&mut self, party: Principal, number: i64) {
        self.numbers.insert(party, number);
    }

    pub(super) fn find(
        &self,
        conversation: ConversationId,
        sender: Principal,
        id: &ClientMessageId,
    ) -> Option<Arc<Accepted>> {
        let known = self.conversations.get(&conversation)?;
        if known.accepted.is_empty() {
            return None;
        }
        known.accepted.get(&(sender, id.clone())).cloned()
    }

    /// Notes the numbers that a message was given.
    pub(super) fn accept(&mut self, accepted: &Arc<Accepted>) {
        let message = &accepted.message;
        let known = self.conversations.entry(message.conversation_id).or_default();
        known.last_seq = count(message.conversation_seq.0);
        let name = (accepted.sender, message.client_message_id.clone());
        known.accepted.insert(name, Arc::clone(accepted));
        for delivered in &accepted.delivered {
            self.numbers.insert(delivered.party, delivered.event);
        }
    }

    /// Withdraws the numbers of the message that was accepted last.
    pub(super) fn withdraw(&mut self, accepted: &Accepted) {
        let message = &accepted.message;
        if let Some(known) = self.conversations.get_mut(&message.conversation_id) {
            known.last_seq = count(message.conversation_seq.0).saturating_sub(1);
            known.accepted.remove(&(accepted.sender, message.client_message_id.clone()));
        }
        for delivered in &accepted.delivered {
            self.numbers.insert(delivered.party, delivered.event.saturating_sub(1));
        }
    }
}
