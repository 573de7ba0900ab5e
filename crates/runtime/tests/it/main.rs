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

mod actors;
mod answers;
mod approvals;
mod batches;
mod calls;
mod cancellation;
mod catalog;
mod changes;
mod deadlines;
mod definitions;
mod dependencies;
mod desk;
mod disk;
mod embedding;
mod events;
mod execution;
mod hook_patterns;
mod hooks;
mod inputs;
mod integrity;
mod interop;
mod ordered_results;
mod outcomes;
mod permissions;
mod progress;
mod resolution;
mod restarts;
mod results;
mod retries;
mod search;
mod secrets;
mod story;
mod surface;
mod telemetry;
mod under_load;
