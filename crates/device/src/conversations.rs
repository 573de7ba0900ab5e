//! The conversations of the person with agents.

use assent_ids::{ClientMessageId, ConversationId, EventSeq, MessageId, UnixMillis};
use assent_mailbox::{Mailbox, MailboxError, OutgoingMessage};
use assent_protocol::a2h::{ContentType, MsgSubtype};
use assent_sealing::Endpoint;
use assent_store::{Tx, Work};
use serde::Serialize;
use zeroize::Zeroizing;

use crate::{
    CallItem, Device, DeviceError, DeviceEvent, DeviceRelation, PromptAgent,
    activity::StoredCall,
    call_record,
    events::timestamp,
    messages::{self, MessageBody, MessageRecord, Side},
    prompt_record,
};

/// The most entries of a conversation that are returned at once.
const MAX_ENTRIES: u32 = 200;

/// The longest text, in bytes.
const MAX_TEXT: usize = 64 * 1024;

/// A conversation with an agent.
#[derive(Clone, Debug, Serialize)]
pub struct Conversation {
    /// The id.
    pub conversation_id: ConversationId,
    /// The agent.
    pub agent: PromptAgent,
    /// The last text; `None` if there is none.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub last_text: Option<String>,
    /// When the last message was written.
    #[serde(skip_serializing_if = "Option::is_none", serialize_with = "optional_timestamp")]
    pub last_at: Option<UnixMillis>,
}

/// An entry of a conversation.
#[derive(Clone, Debug, Serialize)]
#[serde(untagged)]
pub enum ConversationEntry {
    /// A message.
    Message {
        /// Who wrote it.
        from: Side,
        /// What it holds.
        #[serde(flatten)]
        body: MessageBody,
        /// When it was written.
        #[serde(serialize_with = "timestamp")]
        at: UnixMillis,
        /// Whether the relay has it.
        is_sent: bool,
    },
    /// A call of the agent.
    Call {
        /// The word `call`.
        kind: &'static str,
        /// When it came.
        #[serde(serialize_with = "timestamp")]
        at: UnixMillis,
        /// The call.
        call: Box<CallItem>,
    },
}

fn optional_timestamp<S: serde::Serializer>(
    time: &Option<UnixMillis>,
    serializer: S,
) -> Result<S::Ok, S::Error> {
    match time {
        Some(time) => timestamp(time, serializer),
        None => serializer.serialize_none(),
    }
}

/// Stores a message of an agent and removes it from the inbox.
pub(crate) struct FileMessage {
    pub(crate) mailbox: Mailbox,
    pub(crate) entry: EventSeq,
    pub(crate) conversation: ConversationId,
    pub(crate) message: MessageRecord,
}

impl Work for FileMessage {
    type Output = ();
    type Error = MailboxError;
    async fn run(&self, tx: &mut Tx) -> Result<(), MailboxError> {
        messages::insert(tx, &self.mailbox, self.conversation, &self.message).await?;
        self.mailbox.remove_entry(tx, self.entry).await
    }
}

/// Stores a message of the person and puts it into the outbox.
struct SendMessage {
    mailbox: Mailbox,
    outgoing: OutgoingMessage,
    message: MessageRecord,
}

impl Work for SendMessage {
    type Output = ();
    type Error = MailboxError;
    async fn run(&self, tx: &mut Tx) -> Result<(), MailboxError> {
        let conversation = self.outgoing.conversation;
        messages::insert(tx, &self.mailbox, conversation, &self.message).await?;
        self.mailbox.enqueue(tx, &self.outgoing).await
    }
}

/// Reads the last messages and calls of a conversation.
struct ReadConversation {
    mailbox: Mailbox,
    conversation: ConversationId,
    before: UnixMillis,
    limit: u32,
}

/// The messages, each with whether it was sent, and the calls of a conversation, newest first.
struct Entries {
    messages: Vec<(MessageRecord, bool)>,
    calls: Vec<StoredCall>,
}

impl Work for ReadConversation {
    type Output = Entries;
    type Error = MailboxError;
    async fn run(&self, tx: &mut Tx) -> Result<Entries, MailboxError> {
        let Self { mailbox, conversation, before, limit } = self;
        let mut entries = Entries { messages: Vec::new(), calls: Vec::new() };
        for message in messages::list(tx, mailbox, *conversation, *before, *limit).await? {
            let id: Option<ClientMessageId> = message.message_id.parse().ok();
            let is_waiting = match (message.from, id) {
                (Side::Person, Some(id)) => mailbox.is_waiting(tx, *conversation, &id).await?,
                _ => false,
            };
            let is_sent = !is_waiting && !message.is_refused;
            entries.messages.push((message, is_sent));
        }
        let calls =
            call_record::list_of_conversation(tx, mailbox, *conversation, *before, *limit).await?;
        for record in calls {
            let prompt = prompt_record::of_call(tx, mailbox, record.call.invocation).await?;
            entries.calls.push(StoredCall { record, prompt });
        }
        Ok(entries)
    }
}

impl Device {
    /// The conversations with agents, the one with the last message first.
    ///
    /// # Errors
    /// If the state cannot be read.
    pub async fn conversations(&self) -> Result<Vec<Conversation>, DeviceError> {
        let mut conversations = Vec::new();
        for relation in self.relations().await? {
            let Some(known) = relation.established else { continue };
            let conversation_id = known.conversation_id;
            let read = self.read_conversation(conversation_id, UnixMillis::MAX, 1);
            let last = self.shared.database.read(read).await?.messages.into_iter().next();
            let last = last.map(|(message, _)| message);
            let text = last.as_ref().and_then(|message| match &message.body {
                MessageBody::Text { text } => Some(text.clone()),
                MessageBody::Artifact { .. } => None,
            });
            conversations.push(Conversation {
                conversation_id,
                agent: PromptAgent::of(&relation),
                last_text: text,
                last_at: last.map(|message| message.at),
            });
        }
        conversations.sort_by_key(|conversation| std::cmp::Reverse(conversation.last_at));
        Ok(conversations)
    }

    fn read_conversation(
        &self,
        conversation: ConversationId,
        before: UnixMillis,
        limit: u32,
    ) -> ReadConversation {
        ReadConversation { mailbox: self.shared.mailbox.clone(), conversation, before, limit }
    }

    /// The last messages and calls of a conversation before a time, oldest first; at most 200.
    ///
    /// # Errors
    /// If there is no such conversation, or the state cannot be read.
    pub async fn conversation_entries(
        &self,
        conversation: ConversationId,
        before: Option<UnixMillis>,
    ) -> Result<Vec<ConversationEntry>, DeviceError> {
        let relation = self.relation_of(conversation).await?;
        let before = before.unwrap_or(UnixMillis::MAX);
        let read = self.read_conversation(conversation, before, MAX_ENTRIES);
        let Entries { messages, calls } = self.shared.database.read(read).await?;
        let messages = messages.into_iter().map(|(message, is_sent)| {
            let MessageRecord { from, body, at, .. } = message;
            (at, ConversationEntry::Message { from, body, at, is_sent })
        });
        let calls = calls.iter().map(|stored| {
            let call = Box::new(CallItem::new(&self.shared, Some(&relation), stored));
            (call.at, ConversationEntry::Call { kind: "call", at: call.at, call })
        });
        let mut entries: Vec<_> = messages.chain(calls).collect();
        entries.sort_by_key(|(at, _)| *at);
        let extra = entries.len().saturating_sub(usize::try_from(MAX_ENTRIES).unwrap_or_default());
        Ok(entries.into_iter().skip(extra).map(|(_, entry)| entry).collect())
    }

    async fn relation_of(
        &self,
        conversation: ConversationId,
    ) -> Result<DeviceRelation, DeviceError> {
        let is_this = |relation: &DeviceRelation| {
            relation.established.is_some_and(|known| known.conversation_id == conversation)
        };
        let relation = self.relations().await?.into_iter().find(is_this);
        relation.ok_or(DeviceError::UnknownConversation(conversation))
    }

    /// Sends a text to the agent of a conversation. It is stored when this returns, and sent until the relay has it.
    ///
    /// # Errors
    /// If there is no such conversation, the text is empty or too long, or the state cannot be written.
    pub async fn send_message(
        &self,
        conversation: ConversationId,
        text: &str,
    ) -> Result<(), DeviceError> {
        let relation = self.relation_of(conversation).await?;
        if text.trim().is_empty() || text.len() > MAX_TEXT {
            let message =
                format!("a message has at least one character and at most {MAX_TEXT} bytes");
            return Err(DeviceError::Input(message));
        }
        let shared = &self.shared;
        let content = serde_json::json!({ "type": "text", "text": text }).to_string();
        let id: MessageId = shared.minter.mint();
        let outgoing = OutgoingMessage {
            conversation,
            client_message_id: id.to_string().parse()?,
            subtype: MsgSubtype::Text,
            content_type: ContentType::Text,
            recipients: vec![Endpoint::Agent(relation.agent_id)],
            content: Zeroizing::new(content.into_bytes()),
        };
        let message = MessageRecord {
            message_id: id.to_string(),
            from: Side::Person,
            body: MessageBody::Text { text: text.to_owned() },
            at: shared.now(),
            is_refused: false,
        };
        let mailbox = shared.mailbox.clone();
        shared.database.write(SendMessage { mailbox, outgoing, message }).await?;
        shared.outbox_changed();
        shared.events.announce(DeviceEvent::Message { conversation_id: conversation });
        Ok(())
    }
}
