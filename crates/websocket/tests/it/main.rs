//! The server's side of the protocol, seen from the other side.
#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::indexing_slicing,
    reason = "a test may fail loudly"
)]

mod client;
mod reader;
mod socket;
