//! Conversations and who is in them.

use assent_ids::{ConversationId, ConversationSeq, Principal, UserId};
use assent_protocol::{
    a2h::SenderType,
    wire::{Open, Timestamp, never_null},
    words,
};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::Reply;

/// A conversation.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Conversation {
    /// Which conversation.
    pub conversation_id: ConversationId,
    /// What kind of conversation.
    pub kind: Open<ConversationKind>,
    /// Who is in it.
    pub members: Vec<Member>,
    /// The number of its last message; 0 if there is none.
    pub last_seq: ConversationSeq,
    /// When it began.
    pub created_at: Timestamp,
}

/// A member of a conversation.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[schemars(transform = never_null)]
pub struct Member {
    /// Who.
    pub member_id: Principal,
    /// A person or an agent.
    pub member_type: Open<SenderType>,
    /// What the member is called.
    pub name: String,
    /// What the member may do.
    pub role: Open<MemberRole>,
    /// The person who brought the agent in; absent for people.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub added_by: Option<UserId>,
    /// Since when.
    pub joined_at: Timestamp,
}

words! {
    /// What kind of conversation.
    ConversationKind {
        /// A person and an agent; it comes with their relation.
        Private = "private",
        /// Several people and agents. Tools are not called here.
        Group = "group",
    }
}

words! {
    /// What a member may do.
    MemberRole {
        /// Founded the group, and can remove members.
        Founder = "founder",
        /// Reads and writes.
        Member = "member",
    }
}

impl Reply for Conversation {}
