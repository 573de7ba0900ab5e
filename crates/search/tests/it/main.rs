//! The index, against a scorer that looks at every tool.
#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::indexing_slicing,
    clippy::needless_pass_by_value,
    clippy::cast_possible_truncation,
    clippy::cast_sign_loss,
    clippy::string_slice,
    clippy::too_many_lines,
    reason = "a test that cannot go on should stop loudly"
)]

mod any_text;
mod chinese;
mod hits;
mod limits;
mod naive;
mod same_as_naive;

use assent_search::{Index, ToolText};

/// A tool with a name and a description.
fn tool<'a>(name: &'a str, description: &'a str) -> ToolText<'a> {
    ToolText { name, description, ..ToolText::default() }
}

/// An index of tools whose keys are their places.
fn index_of(tools: &[(&str, &str)]) -> Index {
    let mut index = Index::new();
    for (key, (name, description)) in (0..).zip(tools) {
        index.insert(key, &tool(name, description));
    }
    index
}

/// The keys of the hits, best first.
fn keys(index: &Index, query: &str) -> Vec<u32> {
    index.search(query, 10).into_iter().map(|hit| hit.key).collect()
}
