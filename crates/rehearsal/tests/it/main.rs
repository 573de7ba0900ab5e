//! Rehearsal files: what they say, what is wrong with them, and what they must not do to us.
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

mod acceptance;
mod bounds;
mod complete;
mod examples;
mod formats;
mod harness;
mod hook_problems;
mod loading;
mod never_panics;
mod problems;
mod replays;
mod runs;
mod timelines;
mod tool_names;

use assent_rehearsal::{Format, read};

/// The problems of a YAML file, as they are shown.
fn problems(text: &str) -> Vec<String> {
    problems_of(text, Format::Yaml)
}

fn problems_of(text: &str, format: Format) -> Vec<String> {
    match read(text.as_bytes(), format) {
        Ok(_) => Vec::new(),
        Err(problems) => problems.iter().map(ToString::to_string).collect(),
    }
}
