//! `POST /conversations/{conversation_id}/messages`

use std::{sync::Arc, time::Duration};

use assent_ids::{ConversationId, ConversationSeq, MessageId, Principal, UnixMillis};
use assent_protocol::{
    a2h::{ApiCode, Message, MsgSubtype, SenderType},
    wire::Object,
};
use assent_relay_api::{
    model::RelationState,
    operations::conversations::{NewMessage, SendMessage, SentMessage},
};
use assent_store::{Tx, Work};

use crate::{
    conversations::{Addressees, silenced, unknown},
    delivery::outbox::Outbox,
    http::{
        Answer, Call, Outcome, Refusal, Serve,
        rate_limits::{self, Limit},
    },
    state::Relay,
};

impl Serve for SendMessage {
    async fn serve(relay: &Arc<Relay>, call: Call<Self>) -> Result<Answer<Self>, Refusal> {
        let sender = call.caller.party()?;
        let sending = Sending::new(relay, sender, call.path.conversation_id, call.body);
        let (sent, outcome) = relay.commit(sending).await?;
        Ok(Answer::of(sent, outcome))
    }
}

/// A message that is sent, whichever way it came.
pub(crate) struct Sending {
    sender: Principal,
    conversation: ConversationId,
    message: NewMessage,
    message_id: MessageId,
    relay: Arc<Relay>,
}

impl Work for Sending {
    type Output = ((SentMessage, Outcome), Outbox);
    type Error = Refusal;

    fn needs_flush(&self) -> bool {
        self.relay.messages.needs_flush(self.message.envelope.as_str())
    }

    async fn run(&self, tx: &mut Tx) -> Result<Self::Output, Refusal> {
        // One message of a conversation after the other: each sees the one before, and numbers are
        // given in the order in which they become visible.
        let conversation_id = self.conversation.to_string();
        tx.lock(&conversation_id).await?;
        let store = &self.relay.messages;
        let (addressees, last_seq) = store.addressees(tx, self.conversation).await?;
        let is_silenced = addressees.silenced.contains(&self.sender);
        if !is_silenced && !addressees.members.contains(&self.sender) {
            // It may not know that there is a conversation.
            return Err(unknown());
        }
        if let Some(sent) = self.stored_before(tx).await? {
            return Ok(((sent, Outcome::StoredBefore), Outbox::default()));
        }
        check_relation(&addressees)?;
        if is_silenced {
            return Err(silenced());
        }
        let now = self.relay.now();
        self.check_rate(tx, now).await?;
        let message = self.stored(last_seq + 1, now);
        let sent =
            SentMessage { message_id: self.message_id, conversation_seq: message.conversation_seq };
        let message = (message, self.sender, now);
        let outbox = store.store(tx, &self.relay.minter, message, &addressees).await?;
        Ok(((sent, Outcome::Stored), outbox))
    }
}

impl Sending {
    pub(crate) fn new(
        relay: &Arc<Relay>,
        sender: Principal,
        conversation: ConversationId,
        message: NewMessage,
    ) -> Self {
        let message_id = relay.minter.mint();
        Self { sender, conversation, message, message_id, relay: Arc::clone(relay) }
    }

    /// The answer to the same message, if it was stored before.
    async fn stored_before(&self, tx: &mut Tx) -> Result<Option<SentMessage>, Refusal> {
        let earlier =
            self.relay.messages.find(tx, self.conversation, self.sender, &self.message).await?;
        match earlier {
            None => Ok(None),
            Some(earlier) if earlier.is_same() => Ok(Some(earlier.sent)),
            Some(_) => {
                let text = "another message was sent under this `client_message_id`; use a new one";
                Err(Refusal::new(ApiCode::MessageIdReused, text))
            }
        }
    }

    async fn check_rate(&self, tx: &mut Tx, now: UnixMillis) -> Result<(), Refusal> {
        let Principal::Agent(agent) = self.sender else { return Ok(()) };
        let messages = Limit {
            uses: self.relay.settings.limits.messages_per_second,
            window: Duration::from_secs(1),
        };
        rate_limits::take(tx, &format!("messages:{agent}"), messages, now).await?;
        if self.message.msg_subtype == MsgSubtype::ArtifactToolCall {
            let calls = Limit {
                uses: self.relay.settings.limits.tool_calls_per_minute,
                window: Duration::from_secs(60),
            };
            rate_limits::take(tx, &format!("tool_calls:{agent}"), calls, now).await?;
        }
        Ok(())
    }

    fn stored(&self, seq: i64, now: UnixMillis) -> Message {
        Message {
            message_id: self.message_id,
            conversation_id: self.conversation,
            conversation_seq: ConversationSeq(u64::try_from(seq).unwrap_or_default()),
            sender_type: SenderType::from(self.sender).into(),
            sender_id: Some(self.sender),
            client_message_id: self.message.client_message_id.clone(),
            msg_subtype: self.message.msg_subtype.into(),
            content_type: self.message.content_type.into(),
            envelope: self.message.envelope.as_str().to_owned(),
            created_at: now.into(),
            extra: Object::new(),
        }
    }
}

/// A private conversation is as alive as the relation that it belongs to.
fn check_relation(addressees: &Addressees) -> Result<(), Refusal> {
    match addressees.relation.as_deref() {
        None => Ok(()),
        Some(state) if state == RelationState::Active.as_str() => Ok(()),
        Some(state) => {
            let text = format!("the relation is {state}");
            Err(Refusal::new(ApiCode::RelationInactive, text))
        }
    }
}
