//! The interface of the console, of a real device with an agent and a relay.

#![expect(
    clippy::expect_used,
    clippy::indexing_slicing,
    clippy::panic,
    clippy::unwrap_used,
    reason = "a test that fails panics"
)]

mod agents;
mod guards;
mod records;
mod scene;
