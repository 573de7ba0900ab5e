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
use assent_store::{StoreError, Tx, Work};

use crate::{
    agents::traffic::Counted,
    conversations::{self, Addressees, messages, silenced, unknown},
    delivery::{
        events::{self, Content, Recipient},
        outbox::Outbox,
    },
    http::{
        Answer, Call, Outcome, Refusal, Serve,
        rate_limits::{self, Limit},
    },
    state::Relay,
    storage::{
        times::millis,
        tray::{Accepted, MAX_ENVELOPE, Told, Tray},
    },
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

const EARLIER: &str = "SELECT message_id, seq, msg_subtype, content_type, envelope FROM messages
    WHERE conversation_id = $1 AND sender_id = $2 AND client_message_id = $3";
const COUNT: &str = "UPDATE conversations SET last_seq = last_seq + 1, active_at = $2
    WHERE conversation_id = $1";

impl Work for Sending {
    type Output = ((SentMessage, Outcome), Outbox);
    type Error = Refusal;

    fn looks(&self) -> bool {
        self.relay.tray.is_none() || self.message.envelope.as_str().len() > MAX_ENVELOPE
    }

    async fn run(&self, tx: &mut Tx) -> Result<Self::Output, Refusal> {
        // One message of a conversation after the other: each sees the one before, and numbers are
        // given in the order in which they become visible.
        let conversation_id = self.conversation.to_string();
        tx.lock(&conversation_id).await?;
        let (addressees, last_seq) = self.addressees(tx).await?;
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
        let outbox = match &self.relay.tray {
            Some(tray) => self.accept(tx, tray, &addressees, message, now).await?,
            None => self.store(tx, &addressees, &message, now).await?,
        };
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

    /// Whom it concerns, and the number of the message before.
    async fn addressees(&self, tx: &mut Tx) -> Result<(Arc<Addressees>, i64), StoreError> {
        if let Some(tray) = &self.relay.tray {
            return tray.addressees(tx, self.conversation).await;
        }
        let found = conversations::addressees(tx, self.conversation).await?;
        let last_seq = found.last_seq;
        Ok((Arc::new(found), last_seq))
    }

    async fn stored_before(&self, tx: &mut Tx) -> Result<Option<SentMessage>, Refusal> {
        let client_id = &self.message.client_message_id;
        let tray = self.relay.tray.as_ref();
        if let Some(earlier) =
            tray.and_then(|tray| tray.find(self.conversation, self.sender, client_id))
        {
            let Message { msg_subtype, content_type, envelope, .. } = &earlier.message;
            self.check_same([msg_subtype.as_str(), content_type.as_str(), envelope])?;
            let Message { message_id, conversation_seq, .. } = earlier.message;
            return Ok(Some(SentMessage { message_id, conversation_seq }));
        }
        let key = [
            self.conversation.to_string().into(),
            self.sender.to_string().into(),
            client_id.as_str().into(),
        ];
        let Some(row) = tx.optional(EARLIER, &key).await? else { return Ok(None) };
        let texts = [row.get::<String>(2)?, row.get(3)?, row.get(4)?];
        self.check_same(texts.each_ref().map(String::as_str))?;
        let message_id = crate::storage::stored_id::stored(&row.get::<String>(0)?)?;
        Ok(Some(SentMessage { message_id, conversation_seq: ConversationSeq(row.get(1)?) }))
    }

    /// What was sent before under the same name has to be the same message.
    fn check_same(&self, [subtype, content_type, envelope]: [&str; 3]) -> Result<(), Refusal> {
        let is_same = subtype == self.message.msg_subtype.as_str()
            && content_type == self.message.content_type.as_str()
            && envelope == self.message.envelope.as_str();
        if is_same {
            return Ok(());
        }
        let text = "another message was sent under this `client_message_id`; use a new one";
        Err(Refusal::new(ApiCode::MessageIdReused, text))
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

    /// The others get the message; the sender's devices learn where it stands.
    fn recipients(&self, addressees: &Addressees) -> impl Iterator<Item = Recipient> {
        addressees.members.iter().map(|member| Recipient {
            party: *member,
            is_called: addressees.called.contains(member),
            counted: Counted::message(*member, self.sender, self.message.msg_subtype),
        })
    }

    /// Puts the message and the events that it becomes into their tables.
    async fn store(
        &self,
        tx: &mut Tx,
        addressees: &Addressees,
        message: &Message,
        now: UnixMillis,
    ) -> Result<Outbox, Refusal> {
        let (new, ack) = (Content::message(message)?, messages::acknowledged(message)?);
        let conversation_id = self.conversation.to_string();
        tx.execute(COUNT, &[conversation_id.into(), millis(now).into()]).await?;
        messages::insert(tx, message, self.sender, now).await?;
        let mut outbox = Outbox::default();
        for recipient in self.recipients(addressees) {
            let content = if recipient.party == self.sender { &ack } else { &new };
            events::append_to(tx, &self.relay.minter, recipient, content, &mut outbox).await?;
        }
        Ok(outbox)
    }

    /// Puts the message into the tray, with the numbers that its events will have.
    async fn accept(
        &self,
        tx: &mut Tx,
        tray: &Tray,
        addressees: &Addressees,
        message: Message,
        at: UnixMillis,
    ) -> Result<Outbox, Refusal> {
        let (new, ack) = (Content::message(&message)?, messages::acknowledged(&message)?);
        let mut told = Vec::with_capacity(addressees.members.len());
        let mut outbox = Outbox::default();
        for recipient in self.recipients(addressees) {
            let party = recipient.party;
            let event = tray.last_event(tx, party).await? + 1;
            let content = if party == self.sender { &ack } else { &new };
            events::tell(tx, &self.relay.minter, recipient, (event, content), &mut outbox).await?;
            told.push(Told { party, event });
        }
        tray.accept(Accepted { message, sender: self.sender, at, new, ack, told });
        Ok(outbox)
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
