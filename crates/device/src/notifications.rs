//! Notifications of agents, for consoles and terminals that show them.

use std::sync::Arc;

use assent_builtin_tools::{Channel, Notifier};
use serde::Serialize;

use crate::{DeviceEvent, Interface, attachments::Attachments, events::Events};

/// A notification of an agent.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Notification {
    /// The title, which begins with the name of the agent.
    pub title: String,
    /// The text.
    pub body: String,
}

/// Passes notifications on to those who show them.
#[derive(Debug)]
pub(crate) struct Notifications {
    pub(crate) events: Events,
    pub(crate) attachments: Arc<Attachments>,
}

impl Notifier for Notifications {
    fn notify(&self, title: &str, body: &str) -> Option<Channel> {
        let channel = match self.attachments.any()? {
            Interface::Console => Channel::Console,
            Interface::Terminal => Channel::Terminal,
        };
        let notification = Notification { title: title.to_owned(), body: body.to_owned() };
        self.events.announce(DeviceEvent::Notification(notification));
        Some(channel)
    }
}
