//! Conversations and their members.

mod add_members;
mod create_conversation;
mod get_conversation;
mod list_conversations;
mod remove_member;

pub use add_members::{AddMembers, NewMembers};
pub use create_conversation::{CreateConversation, GroupKind, NewConversation};
pub use get_conversation::GetConversation;
pub use list_conversations::{ConversationsQuery, ListConversations};
pub use remove_member::{MemberPath, RemoveMember};
