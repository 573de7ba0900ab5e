//! Notifications of agents, for consoles and terminals that show them.

use assent_builtin_tools::{Channel, Notifier};
use tokio::sync::broadcast;

/// The most notifications that a reader may be behind.
const CAPACITY: usize = 64;

/// A notification of an agent.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Notification {
    /// The title, which begins with the name of the agent.
    pub title: String,
    /// The text.
    pub body: String,
}

/// Passes notifications on to those who show them.
#[derive(Debug)]
pub(crate) struct Notifications {
    sender: broadcast::Sender<Notification>,
}

impl Default for Notifications {
    fn default() -> Self {
        Self { sender: broadcast::Sender::new(CAPACITY) }
    }
}

impl Notifications {
    pub(crate) fn subscribe(&self) -> broadcast::Receiver<Notification> {
        self.sender.subscribe()
    }
}

impl Notifier for Notifications {
    fn notify(&self, title: &str, body: &str) -> Option<Channel> {
        let notification = Notification { title: title.to_owned(), body: body.to_owned() };
        // Without a subscriber nothing can show it.
        self.sender.send(notification).ok().map(|_| Channel::Console)
    }
}
