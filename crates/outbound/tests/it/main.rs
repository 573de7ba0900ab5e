//! Calls to strangers, from outside: real sockets, real TLS, resolvers that lie.
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

mod addresses;
mod bounds;
mod calls;
mod desk;
mod dialling;
mod interop;
mod listed;
mod server;
mod signatures;
mod targets;
mod tls;
