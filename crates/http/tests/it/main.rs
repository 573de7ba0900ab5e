//! A server, as its clients see it.
#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::indexing_slicing,
    reason = "a test may fail loudly"
)]

mod client;
mod connections;
mod guards;
mod handlers;
mod service;
