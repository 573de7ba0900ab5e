//! Tests of the journal from outside.
#![allow(
    clippy::unwrap_used,
    clippy::panic,
    clippy::indexing_slicing,
    clippy::string_slice,
    clippy::print_stdout,
    reason = "a test that cannot go on should stop loudly"
)]

mod checking;
mod commit;
mod explanation;
mod lines;
mod memory;
mod projection;
mod sqlite;
mod support;
