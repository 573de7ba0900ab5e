//! Documents in three formats: what they mean, and what is reported about them.
#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::indexing_slicing,
    clippy::needless_pass_by_value,
    reason = "a test that cannot go on should stop loudly"
)]

mod any_text;
mod formats;
mod problems;

use assent_document::{Format, Problems};

fn shown(problems: &Problems) -> Vec<String> {
    problems.iter().map(ToString::to_string).collect()
}

/// The value of a document that has no mistakes.
fn value(text: &str, format: Format) -> serde_json::Value {
    assent_document::read(text.as_bytes(), format, assent_document::readers::any).unwrap()
}
