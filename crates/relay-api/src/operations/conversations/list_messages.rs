//! `GET /conversations/{conversation_id}/messages`

use assent_ids::ConversationSeq;
use assent_protocol::a2h::{Message, Page};
use http::Method;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::{Access, Credential, Needs, Operation, Tag, path::ConversationPath, value::Limit};

/// Lists the messages of a conversation in their order.
#[derive(Clone, Copy, Debug)]
pub struct ListMessages;

impl Operation for ListMessages {
    const ID: &'static str = "list_messages";
    const METHOD: Method = Method::GET;
    const PATH: &'static str = "/conversations/{conversation_id}/messages";
    const ACCESS: Access = Access::new(Credential::UserOrAgent, Needs::MemberOfConversation);
    const TAG: Tag = Tag::Messages;
    const SUMMARY: &'static str = "Read messages";
    const DESCRIPTION: &'static str = "\
        Numbers begin at 1 and have no holes: a client that sees a number has seen, or can get, every \
        smaller one.";
    const IDEMPOTENT: bool = true;

    type Path = ConversationPath;
    type Query = MessagesQuery;
    type Body = ();
    type Reply = Page<Message>;
}

/// Which messages.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct MessagesQuery {
    /// Only messages after this one; 0 is before the first.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub after_seq: Option<ConversationSeq>,
    /// How many at most.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub limit: Option<Limit>,
}
