//! Tests of the relay from outside, on both databases.
#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::indexing_slicing,
    reason = "a test may fail loudly"
)]

mod accounts;
mod agent;
mod agents;
mod asker;
mod changed_keys;
mod clocks;
mod devices;
mod document;
mod event_streams;
mod garbage;
mod group_agents;
mod groups;
mod keys;
mod limits;
mod manifests;
mod matrix;
mod messages;
mod operators;
mod person;
mod planted_secrets;
mod planted_values;
mod prekeys;
mod publications;
mod reauth;
mod relations;
mod requests;
mod retention;
mod sealed_secrets;
mod search;
mod sending;
mod server;
mod sessions;
mod socket;
mod sockets;
mod strangers;
mod webhooks;
mod world;
mod wrong_types;
