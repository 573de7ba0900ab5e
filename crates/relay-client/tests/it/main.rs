//! The typed client, from outside.
#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::indexing_slicing,
    clippy::needless_pass_by_value,
    clippy::string_slice,
    clippy::too_many_lines,
    unreachable_pub,
    missing_docs,
    reason = "a test that cannot go on should stop loudly"
)]

mod client;
mod scripted_relay;
mod sending;
mod service;
mod streams;
