//! `POST /conversations`

use assent_ids::{AgentId, UserId};
use assent_protocol::{a2h::ApiCode, words};
use http::Method;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::{Access, Operation, Tag, model::Conversation, value::List};

/// Founds a group.
#[derive(Clone, Copy, Debug)]
pub struct CreateConversation;

impl Operation for CreateConversation {
    const ID: &'static str = "create_conversation";
    const METHOD: Method = Method::POST;
    const PATH: &'static str = "/conversations";
    const ACCESS: Access = Access::USER;
    const TAG: Tag = Tag::Conversations;
    const SUMMARY: &'static str = "Found a group";
    const DESCRIPTION: &'static str = "\
        Private conversations come with relations; only groups are made here. The caller is in \
        the group, named or not, and needs an active relation with every agent. Tool calls in a \
        group are denied.";
    const SUCCESS: u16 = 201;
    const ERRORS: &'static [ApiCode] = &[ApiCode::NotFound, ApiCode::RelationInactive];
    const IDEMPOTENT: bool = false;
    const EXAMPLE: &'static str = include_str!("create_conversation.json");

    type Path = ();
    type Query = ();
    type Body = NewConversation;
    type Reply = Conversation;
}

/// A group to be founded.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct NewConversation {
    /// `group`.
    pub kind: GroupKind,
    /// The people in it, besides the caller.
    #[serde(default)]
    pub member_ids: List<UserId, 0, 499>,
    /// The agents in it.
    #[serde(default)]
    pub agent_ids: List<AgentId, 0, 499>,
}

words! {
    /// The kind of conversation that can be made.
    GroupKind {
        /// Several people and agents.
        Group = "group",
    }
}
