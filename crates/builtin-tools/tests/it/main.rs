//! The built-in tools in the pipeline.
#![allow(
    clippy::unwrap_used,
    clippy::panic,
    clippy::indexing_slicing,
    clippy::needless_pass_by_value,
    unreachable_pub,
    reason = "a test that cannot go on should stop loudly"
)]

mod fetch_url;
mod location_and_clipboard;
mod pipeline;
mod read_file;
mod serving;
