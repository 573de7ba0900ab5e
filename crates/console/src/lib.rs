//! The console of a device: pages on which a person decides, and the interface behind them.
//!
//! A [`Console`] serves a [`Device`](assent_device::Device) in two places: on a loopback address for the browser of the
//! person, and on a Unix socket for commands. Both have the same routes below `/api/v1`.
//!
//! - A browser needs a session. It gets one for the token of a link ([`Console::new_link`]), which works once.
//! - Requests of the browser are checked before routing: the host, the origin, the page that sends them, and the user
//!   who owns the connection. The Unix socket accepts processes of the same user only.
//! - Pages hold no data; their scripts fetch it. Nothing is loaded from elsewhere.
//!
//! **Invariant:** no request is routed that a check refuses, and no request without a session reads or changes anything.

mod app;
mod code;
mod console;
mod error;
mod events;
mod pages;
mod reply;
mod request;
mod routes;
mod sessions;
mod socket_owner;
mod state;

pub use console::{Console, ConsoleOptions, StartError};
