//! Sealed messages.

mod list_messages;
mod poll_messages;
mod send_message;

use crate::http::Routes;
pub(crate) use send_message::Sending;

/// Adds the operations on messages.
pub(super) fn routes(routes: Routes) -> Routes {
    use assent_relay_api::operations::conversations::{ListMessages, PollMessages, SendMessage};
    routes.serve::<SendMessage>().serve::<ListMessages>().serve::<PollMessages>()
}
