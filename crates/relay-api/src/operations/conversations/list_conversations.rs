//! `GET /conversations`

use assent_protocol::a2h::Page;
use http::Method;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::{
    Access, Operation, Tag,
    model::{Conversation, ConversationKind},
    value::{Cursor, Limit},
};

/// Lists the conversations that the caller is in, the latest message first.
#[derive(Clone, Copy, Debug)]
pub struct ListConversations;

impl Operation for ListConversations {
    const ID: &'static str = "list_conversations";
    const METHOD: Method = Method::GET;
    const PATH: &'static str = "/conversations";
    const ACCESS: Access = Access::USER_OR_AGENT;
    const TAG: Tag = Tag::Conversations;
    const SUMMARY: &'static str = "List conversations";
    const IDEMPOTENT: bool = true;

    type Path = ();
    type Query = ConversationsQuery;
    type Body = ();
    type Reply = Page<Conversation>;
}

/// Which conversations.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct ConversationsQuery {
    /// Only those of this kind.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub kind: Option<ConversationKind>,
    /// Where to go on.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub cursor: Option<Cursor>,
    /// How many at most.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub limit: Option<Limit>,
}
