//! The blind relay: it stores and carries what it cannot read, and loses nothing that it acknowledged.
//!
//! - [`operations`](self) has one file per operation of `assent-relay-api`: a unit of work and its answer.
//! - `http` turns requests into calls of operations, and answers into responses.
//! - `events` numbers and stores what happens for everybody whom it concerns; `hub` and `bus` push it.
//! - [`Server`] is all of it, listening.
//!
//! Invariant: an answer leaves only after its transaction is durable, and events only after that.

mod access_tokens;
#[cfg(unix)]
mod admin_socket;
mod agent_suspension;
mod announce;
mod backup;
mod bus;
mod caller;
mod conversations;
mod cursor;
mod data_directory;
mod events;
mod fresh;
mod http;
mod hub;
mod messages;
mod metrics;
mod operations;
mod outbox;
mod party;
mod passwords;
mod place;
mod rate;
mod readiness;
mod reading;
mod refusal;
mod relay;
mod retention;
mod schema;
mod secrets;
mod server;
mod settings;
mod signing_keys;
mod socket;
mod times;
mod webhooks;

pub use assent_manifest::RuleSet;
pub use assent_outbound::{Origin, Origins};
pub use assent_store::{Location, OpenError, Reached};
pub use server::{Server, StartError};
pub use settings::{BusSetting, BusSettingError, Limits, Retention, Settings};
