//! Tests of the protocol from outside.
#![allow(
    clippy::unwrap_used,
    clippy::panic,
    clippy::indexing_slicing,
    clippy::needless_pass_by_value,
    clippy::string_slice,
    clippy::too_many_lines,
    reason = "a test that cannot go on should stop loudly"
)]

mod a2h;
mod agent_tool;
mod error_pages;
mod support;
mod wire;
