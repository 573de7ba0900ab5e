//! Hooks outside of the process, from outside: real processes, real sockets, a real runtime.
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

mod answers;
mod command;
mod desk;
mod documented;
mod file;
mod http;
mod in_the_pipeline;
mod moments;
mod processes;
mod secrets;
mod service;
mod tls;
