//! Sealed messages.

mod list_messages;
mod poll_messages;
mod send_message;

pub use list_messages::{ListMessages, MessagesQuery};
pub use poll_messages::{PollMessages, PollQuery};
pub use send_message::{NewMessage, SendMessage, SentMessage};
