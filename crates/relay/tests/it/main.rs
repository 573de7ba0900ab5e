//! Tests of the relay from outside, on both databases.
#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::indexing_slicing,
    reason = "a test may fail loudly"
)]

mod accounts;
mod operators;
mod person;
mod requests;
mod server;
mod strangers;
mod world;
