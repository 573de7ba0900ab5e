//! Events: the stored list and the two WebSockets.

mod connect_agent;
mod connect_human;
mod event_page;
mod list_events;
mod upgrade;

pub use connect_agent::{AgentSocketQuery, ConnectAgent};
pub use connect_human::ConnectHuman;
pub use event_page::EventPage;
pub use list_events::{EventsQuery, ListEvents};
pub use upgrade::Upgrade;
