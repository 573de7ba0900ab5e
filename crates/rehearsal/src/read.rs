//! From the text of a file to a [`Scenario`].
//!
//! There is one reader per part of a scenario; each reports its mistakes and goes on
//! ([`assent_document`]). Names that refer across the file are checked at the end.

mod action;
mod approval;
mod call;
mod context;
mod dependencies;
mod expectation;
mod hook;
mod input_answer;
mod leaf;
mod load;
mod names;
mod recipient;
mod scenario;
mod scheduler;
mod schema;
mod script;
mod search;
mod surface;
mod tool;

use assent_document::{Format, Problems};

use self::context::Context;
use crate::Scenario;

/// Reads a rehearsal file.
///
/// # Errors
///
/// Every mistake in the file, with its line.
pub fn read(text: &[u8], format: Format) -> Result<Scenario, Problems> {
    let context = Context::default();
    assent_document::read(text, format, |node| scenario::scenario(node, &context))
}
