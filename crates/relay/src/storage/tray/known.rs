//! What is known of conversations and of those in them without asking the tables.

use std::{collections::BTreeMap, sync::Arc};

use assent_ids::{ClientMessageId, ConversationId, Principal};

use super::Accepted;
use crate::{conversations::Addressees, delivery::events::count};

/// Numbers that were given and are not in the tables, and what was read there since somebody else wrote.
#[derive(Default)]
pub(super) struct Known {
    conversations: BTreeMap<ConversationId, Conversation>,
    /// The number of everybody's last event.
    numbers: BTreeMap<Principal, i64>,
}

#[derive(Default)]
struct Conversation {
    /// Unless nobody has asked.
    addressees: Option<Arc<Addressees>>,
    /// The number of the last message that was accepted; zero if none was.
    last_seq: i64,
    /// What was accepted, by sender and the sender's name for it.
    accepted: BTreeMap<(Principal, ClientMessageId), Arc<Accepted>>,
}

/// Whoever repeats himself everywhere makes many conversations known without a message.
const MUCH: usize = 4096;

impl Known {
    /// Whether it is time to forget.
    pub(super) fn is_much(&self) -> bool {
        self.conversations.len().max(self.numbers.len()) > MUCH
    }

    /// Whom a message concerns, and the number of the one before.
    pub(super) fn addressees(
        &self,
        conversation: ConversationId,
    ) -> Option<(Arc<Addressees>, i64)> {
        let known = self.conversations.get(&conversation)?;
        let addressees = known.addressees.clone()?;
        let last_seq = addressees.last_seq.max(known.last_seq);
        Some((addressees, last_seq))
    }

    /// Notes what the tables say, and tells the number of the last message.
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

    /// Notes the number of somebody's last event.
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
        for told in &accepted.told {
            self.numbers.insert(told.party, told.event);
        }
    }

    /// Takes back the numbers of the message that was accepted last.
    pub(super) fn withdraw(&mut self, accepted: &Accepted) {
        let message = &accepted.message;
        if let Some(known) = self.conversations.get_mut(&message.conversation_id) {
            known.last_seq = count(message.conversation_seq.0).saturating_sub(1);
            known.accepted.remove(&(accepted.sender, message.client_message_id.clone()));
        }
        for told in &accepted.told {
            self.numbers.insert(told.party, told.event.saturating_sub(1));
        }
    }
}
