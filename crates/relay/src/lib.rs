//! The blind relay: it stores and carries what it cannot read, and loses nothing that it acknowledged.
//!
//! - [`operations`](self) has one file per operation of `assent-relay-api`: a unit of work and its answer.
//! - `http` turns requests into calls of operations, and answers into responses.
//! - `events` numbers and stores what happens for everybody whom it concerns; `hub` and `bus` push it.
//! - [`Server`] is all of it, listening.
//!
//! Invariant: an answer leaves only after its transaction is durable, and events only after that.

mod access_tokens;
mod addresses;
mod agent_keys;
mod agent_suspension;
mod agents;
mod alive_logins;
mod announce;
mod backup;
mod broadcasts;
mod bus;
mod caller;
mod catalog;
mod clock_watch;
mod columns;
mod conversations;
mod cursor;
mod data_directory;
mod devices;
mod events;
mod fresh;
mod http;
mod hub;
mod login_failures;
mod manifests;
mod messages;
mod metrics;
mod operations;
mod outbox;
mod pages;
mod passwords;
mod prekeys;
mod public_keys;
mod rate;
mod readiness;
mod reading;
mod refusal;
mod relations;
mod relay;
mod retention;
mod schema;
mod secrets;
mod server;
mod sessions;
mod settings;
mod signing_keys;
mod socket;
mod standing;
mod stored_id;
mod telemetry;
mod times;
mod tokens;
mod traffic;
mod tray;
#[cfg(test)]
mod trial;
mod vault;
mod webhooks;

pub use assent_manifest::RuleSet;
pub use assent_outbound::{Origin, Origins};
pub use assent_store::{Location, OpenError, Reached};
pub use bus::BusError;
pub use server::{Server, StartError};
pub use settings::{BusSetting, BusSettingError, Limits, Retention, Settings};
pub use vault::{Vault, VaultError};
