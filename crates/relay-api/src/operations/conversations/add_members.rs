//! `POST /conversations/{conversation_id}/members`

use assent_ids::{AgentId, UserId};
use assent_protocol::a2h::ApiCode;
use http::Method;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::{
    Access, Credential, Needs, Operation, Tag, model::Conversation, path::ConversationPath,
    value::List,
};

/// Brings people and agents into a group.
#[derive(Clone, Copy, Debug)]
pub struct AddMembers;

impl Operation for AddMembers {
    const ID: &'static str = "add_members";
    const METHOD: Method = Method::POST;
    const PATH: &'static str = "/conversations/{conversation_id}/members";
    const ACCESS: Access = Access::new(Credential::User, Needs::PersonInConversation);
    const TAG: Tag = Tag::Conversations;
    const SUMMARY: &'static str = "Add members";
    const DESCRIPTION: &'static str = "\
        Every person in a group may bring in others, and agents with which that person has an \
        active relation. The request names at least one of them; existing members stay. A private \
        conversation keeps its two members: `CONFLICT`. A group has at most 500.";
    const ERRORS: &'static [ApiCode] = &[ApiCode::Conflict, ApiCode::RelationInactive];
    const IDEMPOTENT: bool = true;
    const EXAMPLE: &'static str = include_str!("add_members.json");

    type Path = ConversationPath;
    type Query = ();
    type Body = NewMembers;
    type Reply = Conversation;
}

/// Who comes into the group.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct NewMembers {
    /// People.
    #[serde(default)]
    pub member_ids: List<UserId, 0, 499>,
    /// Agents.
    #[serde(default)]
    pub agent_ids: List<AgentId, 0, 499>,
}
