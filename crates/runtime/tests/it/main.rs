//! The runtime from outside: catalog, surfaces, search, and calls that go all the way.
#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::indexing_slicing,
    clippy::needless_pass_by_value,
    clippy::print_stdout,
    clippy::string_slice,
    clippy::too_many_lines,
    unreachable_pub,
    missing_docs,
    reason = "a test that cannot go on should stop loudly"
)]

mod calls;
mod catalog;
mod definitions;
mod desk;
mod integrity;
mod search;
mod secrets;
mod surface;
mod under_load;
