//! `GET /conversations/{conversation_id}`

use http::Method;

use crate::{
    Access, Credential, Needs, Operation, Tag, model::Conversation, path::ConversationPath,
};

/// Gets a conversation that the caller is in.
#[derive(Clone, Copy, Debug)]
pub struct GetConversation;

impl Operation for GetConversation {
    const ID: &'static str = "get_conversation";
    const METHOD: Method = Method::GET;
    const PATH: &'static str = "/conversations/{conversation_id}";
    const ACCESS: Access = Access::new(Credential::UserOrAgent, Needs::MemberOfConversation);
    const TAG: Tag = Tag::Conversations;
    const SUMMARY: &'static str = "Get a conversation";
    const IDEMPOTENT: bool = true;

    type Path = ConversationPath;
    type Query = ();
    type Body = ();
    type Reply = Conversation;
}
