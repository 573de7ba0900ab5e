//! `DELETE /conversations/{conversation_id}/members/{member_id}`

use assent_ids::{ConversationId, Principal};
use assent_protocol::a2h::ApiCode;
use http::Method;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::{Access, Credential, Needs, Operation, Tag, model::Empty};

/// Removes a member from a group, or leaves it.
#[derive(Clone, Copy, Debug)]
pub struct RemoveMember;

impl Operation for RemoveMember {
    const ID: &'static str = "remove_member";
    const METHOD: Method = Method::DELETE;
    const PATH: &'static str = "/conversations/{conversation_id}/members/{member_id}";
    const ACCESS: Access = Access::new(Credential::UserOrAgent, Needs::FounderOrLeavingMember);
    const TAG: Tag = Tag::Conversations;
    const SUMMARY: &'static str = "Remove a member, or leave";
    const DESCRIPTION: &'static str = "\
        The founder of a group removes any member; other members only leave. If the founder \
        leaves, the person who has been in it longest takes over. A private conversation has its \
        two members: `CONFLICT`.";
    const ERRORS: &'static [ApiCode] = &[ApiCode::Conflict];
    const IDEMPOTENT: bool = true;

    type Path = MemberPath;
    type Query = ();
    type Body = ();
    type Reply = Empty;
}

/// `{conversation_id}` and `{member_id}`
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct MemberPath {
    /// The conversation.
    pub conversation_id: ConversationId,
    /// The person or the agent.
    pub member_id: Principal,
}
