//! Conversations.

mod add_members;
mod create_conversation;
mod get_conversation;
mod joining;
mod list_conversations;
mod remove_member;

use assent_relay_api::operations::conversations::{
    AddMembers, CreateConversation, GetConversation, ListConversations, RemoveMember,
};

use crate::http::Routes;

/// Adds the operations on conversations.
pub(super) fn routes(routes: Routes) -> Routes {
    routes
        .serve::<ListConversations>()
        .serve::<CreateConversation>()
        .serve::<GetConversation>()
        .serve::<AddMembers>()
        .serve::<RemoveMember>()
}
