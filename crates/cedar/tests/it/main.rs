//! Cedar policies as a part of a policy.
#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::indexing_slicing,
    clippy::needless_pass_by_value,
    clippy::string_slice,
    clippy::too_many_lines,
    reason = "a test that cannot go on should stop loudly"
)]

mod cost;
mod hostile;
mod policies;
mod support;
