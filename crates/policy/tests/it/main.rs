//! Tests of the policy from outside.
#![allow(
    clippy::unwrap_used,
    clippy::panic,
    clippy::indexing_slicing,
    clippy::needless_pass_by_value,
    clippy::string_slice,
    clippy::too_many_lines,
    clippy::print_stdout,
    reason = "a test that cannot go on should stop loudly"
)]

mod commands;
mod conditions;
mod cost;
mod directories;
mod documents;
mod every_combination;
mod grants;
mod hostile;
mod hosts;
mod problems;
mod rules;
mod suggestions;
mod support;
mod urls;
mod words;
