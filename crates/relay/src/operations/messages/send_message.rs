//! `POST /conversations/{conversation_id}/messages`

use std::{sync::Arc, time::Duration};

use assent_ids::{ConversationId, ConversationSeq, MessageId, UnixMillis};
use assent_protocol::{
    a2h::{ApiCode, Message, MessageAck, MsgSubtype, RelayEventType},
    wire::Object,
};
use assent_relay_api::{
    model::RelationState,
    operations::messages::{NewMessage, SendMessage, SentMessage},
};
use assent_store::{Tx, Work};

use crate::{
    conversations::{Addressees, addressees},
    events::{self, Content, Recipient},
    operations::{Answer, Call, Outcome, Serve},
    outbox::Outbox,
    party::Party,
    rate::{self, Limit},
    refusal::Refusal,
    relay::Relay,
    times::millis,
    traffic::Counted,
};

impl Serve for SendMessage {
    async fn serve(relay: &Arc<Relay>, call: Call<Self>) -> Result<Answer<Self>, Refusal> {
        let send = Send {
            sender: call.caller.party()?,
            conversation: call.path.conversation_id,
            message: call.body,
            message_id: relay.minter.mint(),
            relay: Arc::clone(relay),
        };
        let (sent, outcome) = relay.commit(send).await?;
        Ok(Answer::of(sent, outcome))
    }
}

struct Send {
    sender: Party,
    conversation: ConversationId,
    message: NewMessage,
    message_id: MessageId,
    relay: Arc<Relay>,
}

const EARLIER: &str = "SELECT message_id, seq, msg_subtype, content_type, envelope FROM messages
    WHERE conversation_id = $1 AND sender_id = $2 AND client_message_id = $3";
const COUNT: &str = "UPDATE conversations SET last_seq = last_seq + 1, active_at = $2
    WHERE conversation_id = $1";
const INSERT: &str = "INSERT INTO messages (conversation_id, seq, message_id, sender_id,
        client_message_id, msg_subtype, content_type, envelope, created_at)
    VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9)";

impl Work for Send {
    type Output = ((SentMessage, Outcome), Outbox);
    type Error = Refusal;

    async fn run(&self, tx: &mut Tx) -> Result<Self::Output, Refusal> {
        // One message of a conversation after the other: each sees the one before, and numbers are
        // given in the order in which they become visible.
        let conversation_id = self.conversation.to_string();
        tx.lock(&conversation_id).await?;
        let addressees = addressees(tx, self.conversation, self.sender).await?;
        if let Some(sent) = self.stored_before(tx).await? {
            return Ok(((sent, Outcome::StoredBefore), Outbox::default()));
        }
        check_relation(&addressees)?;
        let now = self.relay.now();
        self.check_rate(tx, now).await?;
        tx.execute(COUNT, &[(&conversation_id).into(), millis(now).into()]).await?;
        let stored = self.stored(addressees.last_seq + 1, now);
        self.insert(tx, &stored, now).await?;
        let mut outbox = Outbox::default();
        self.tell(tx, addressees, &stored, &mut outbox).await?;
        let sent =
            SentMessage { message_id: self.message_id, conversation_seq: stored.conversation_seq };
        Ok(((sent, Outcome::Stored), outbox))
    }
}

impl Send {
    async fn stored_before(&self, tx: &mut Tx) -> Result<Option<SentMessage>, Refusal> {
        let client_id = self.message.client_message_id.to_string();
        let key = [self.conversation.to_string().into(), self.sender.into(), client_id.into()];
        let Some(mut row) = tx.optional(EARLIER, &key).await? else { return Ok(None) };
        let same = row.get::<String>(2)? == self.message.msg_subtype.as_str()
            && row.get::<String>(3)? == self.message.content_type.as_str()
            && row.get::<String>(4)? == self.message.envelope.as_str();
        if !same {
            let text = "another message was sent under this `client_message_id`; use a new one";
            return Err(Refusal::new(ApiCode::MessageIdReused, text));
        }
        let message_id = crate::party::stored(&row.get::<String>(0)?)?;
        Ok(Some(SentMessage { message_id, conversation_seq: ConversationSeq(row.get(1)?) }))
    }

    async fn check_rate(&self, tx: &mut Tx, now: UnixMillis) -> Result<(), Refusal> {
        let Party::Agent(agent) = self.sender else { return Ok(()) };
        let messages = Limit {
            uses: self.relay.settings.limits.messages_per_second,
            window: Duration::from_secs(1),
        };
        rate::take(tx, &format!("messages:{agent}"), messages, now).await?;
        if self.message.msg_subtype == MsgSubtype::ArtifactToolCall {
            let calls = Limit {
                uses: self.relay.settings.limits.tool_calls_per_minute,
                window: Duration::from_secs(60),
            };
            rate::take(tx, &format!("tool_calls:{agent}"), calls, now).await?;
        }
        Ok(())
    }

    fn stored(&self, seq: i64, now: UnixMillis) -> Message {
        let (sender_type, sender_id) = self.sender.sender();
        Message {
            message_id: self.message_id,
            conversation_id: self.conversation,
            conversation_seq: ConversationSeq(u64::try_from(seq).unwrap_or_default()),
            sender_type: sender_type.into(),
            sender_id: Some(sender_id),
            client_message_id: self.message.client_message_id.clone(),
            msg_subtype: self.message.msg_subtype.into(),
            content_type: self.message.content_type.into(),
            envelope: self.message.envelope.as_str().to_owned(),
            created_at: now.into(),
            extra: Object::new(),
        }
    }

    async fn insert(&self, tx: &mut Tx, message: &Message, now: UnixMillis) -> Result<(), Refusal> {
        let row = [
            message.conversation_id.to_string().into(),
            events::count(message.conversation_seq.0).into(),
            message.message_id.to_string().into(),
            self.sender.into(),
            message.client_message_id.to_string().into(),
            message.msg_subtype.as_str().into(),
            message.content_type.as_str().into(),
            (&message.envelope).into(),
            millis(now).into(),
        ];
        tx.execute(INSERT, &row).await?;
        Ok(())
    }

    /// The others get the message; the sender's devices learn where it stands.
    async fn tell(
        &self,
        tx: &mut Tx,
        addressees: Addressees,
        message: &Message,
        outbox: &mut Outbox,
    ) -> Result<(), Refusal> {
        let new = Content::message(message)?;
        let ack = Content::notice(
            RelayEventType::MessageAck,
            &MessageAck {
                client_message_id: message.client_message_id.clone(),
                message_id: message.message_id,
                conversation_id: message.conversation_id,
                conversation_seq: message.conversation_seq,
                extra: Object::new(),
            },
        )?;
        for member in addressees.members {
            let content = if member == self.sender { &ack } else { &new };
            let recipient = Recipient {
                party: member,
                is_called: addressees.called.contains(&member),
                counted: Counted::message(member, self.sender, self.message.msg_subtype),
            };
            events::append_to(tx, &self.relay.minter, recipient, content, outbox).await?;
        }
        Ok(())
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
