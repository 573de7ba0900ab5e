//! `POST /conversations/{conversation_id}/messages`

use assent_ids::{ClientMessageId, ConversationSeq, MessageId};
use assent_protocol::a2h::{ApiCode, ContentType, MsgSubtype};
use http::Method;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::{
    Access, Credential, Needs, Operation, Reply, Tag, path::ConversationPath, value::SealedEnvelope,
};

/// Sends a sealed message.
#[derive(Clone, Copy, Debug)]
pub struct SendMessage;

impl Operation for SendMessage {
    const ID: &'static str = "send_message";
    const METHOD: Method = Method::POST;
    const PATH: &'static str = "/conversations/{conversation_id}/messages";
    const ACCESS: Access = Access::new(Credential::UserOrAgent, Needs::MemberOfConversation);
    const TAG: Tag = Tag::Messages;
    const SUMMARY: &'static str = "Send a message";
    const DESCRIPTION: &'static str = "\
        The sender names the message and uses the same name when it tries again: the message is \
        stored once, and the answer is the same. Another content under the same name is \
        `MESSAGE_ID_REUSED`. An agent sends at most 5 messages in any second and 60 tool calls \
        in any 60 seconds.";
    const SUCCESS: u16 = 201;
    const EXTRA_SUCCESS: &'static [(u16, &'static str)] =
        &[(200, "The message was stored before: the same answer again.")];
    const ERRORS: &'static [ApiCode] =
        &[ApiCode::MessageIdReused, ApiCode::EnvelopeTooLarge, ApiCode::RelationInactive];
    const IDEMPOTENT: bool = true;
    const BODY_LIMIT: usize = 2 * 1024 * 1024;
    const EXAMPLE: &'static str = include_str!("send_message.json");

    type Path = ConversationPath;
    type Query = ();
    type Body = NewMessage;
    type Reply = SentMessage;
}

/// A message to be sent.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct NewMessage {
    /// Which message, as its sender names it.
    pub client_message_id: ClientMessageId,
    /// What it is for. Tool calls and their answers use the artifact subtypes.
    pub msg_subtype: MsgSubtype,
    /// What it holds.
    pub content_type: ContentType,
    /// The sealed content.
    pub envelope: SealedEnvelope,
}

/// A message that is stored: it will be delivered, whatever happens to the server.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct SentMessage {
    /// Which message, as the server names it.
    pub message_id: MessageId,
    /// Its place in the conversation.
    pub conversation_seq: ConversationSeq,
}

impl Reply for SentMessage {}
