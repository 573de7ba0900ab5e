//! The blind relay: it stores and carries what it cannot read, and loses nothing that it acknowledged.
//!
//! Each area has its operations (one file per operation of `assent-relay-api`), storage and tests in one folder:
//!
//! - `accounts`, `agents`, `manifests`, `relations`, `conversations`, `keys` and `webhooks` are what clients use;
//!   `admin` is what operators use.
//! - `delivery` numbers and stores events and pushes them.
//! - `http` turns requests into calls of operations, `storage` has the tables, `observability` health and metrics.
//! - [`Server`] is all of it, listening.
//!
//! Invariant: an answer leaves only after its transaction is durable, and events only after that.

mod accounts;
mod admin;
mod agents;
mod conversations;
mod delivery;
mod http;
mod keys;
mod manifests;
mod observability;
mod relations;
mod server;
mod settings;
mod state;
mod storage;
mod webhooks;

pub use assent_manifest::RuleSet;
pub use assent_outbound::{Origin, Origins};
pub use assent_store::{Location, OpenError, Reached};
pub use delivery::bus::BusError;
pub use server::{Server, StartError};
pub use settings::{BusSetting, BusSettingError, Limits, Retention, Settings};
pub use storage::vault::{Vault, VaultError};
