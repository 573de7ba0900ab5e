//! Conversations, their members and their sealed messages.

mod add_members;
mod create_conversation;
mod get_conversation;
mod list_conversations;
mod list_messages;
mod poll_messages;
mod remove_member;
mod send_message;

pub use add_members::{AddMembers, NewMembers};
pub use create_conversation::{CreateConversation, GroupKind, NewConversation};
pub use get_conversation::GetConversation;
pub use list_conversations::{ConversationsQuery, ListConversations};
pub use list_messages::{ListMessages, MessagesQuery};
pub use poll_messages::{PollMessages, PollQuery};
pub use remove_member::{MemberPath, RemoveMember};
pub use send_message::{NewMessage, SendMessage, SentMessage};
