//! Reads documents that people write, and reports every mistake at once with its line.
//!
//! JSON, YAML and TOML become the same tree, in which every value knows where it is written. A
//! *reader* is a function from a [`Node`] of that tree to a value. A reader that finds a mistake
//! reports it and returns `None`; the other readers go on, so that all mistakes are found in one run.
//! Keys that no reader asked for are mistakes as well.
//!
//! ```
//! use assent_document::{Fields, Format, Node, read, readers::{list, text, whole}};
//!
//! #[derive(Debug)]
//! struct Job {
//!     name: String,
//!     retries: u64,
//! }
//!
//! fn job(node: &Node<'_>) -> Option<Job> {
//!     let mut fields = Fields::of(node)?;
//!     let name = fields.required("name", text);
//!     let retries = fields.optional("retries", |node| whole(node, 0..=10)).unwrap_or(3);
//!     Some(Job { name: name?, retries })
//! }
//!
//! let jobs = read(b"- name: backup\n  retries: 5\n", Format::Yaml, |node| list(node, job))?;
//! assert_eq!((jobs[0].name.as_str(), jobs[0].retries), ("backup", 5));
//!
//! let wrong = b"- retrys: 5\n- name: 7\n  retries: 11\n";
//! let problems = read(wrong, Format::Yaml, |node| list(node, job)).unwrap_err();
//! let lines: Vec<String> = problems.iter().map(ToString::to_string).collect();
//! assert_eq!(lines, [
//!     "/0 (1:3): `name` is missing",
//!     "/0/retrys (1:3): the key `retrys` is not known here; did you mean `retries`?",
//!     "/1/name (2:9): expected text, found a number; put it into quotes",
//!     "/1/retries (3:12): expected a whole number from 0 to 10, found 11",
//! ]);
//! # Ok::<(), assent_document::Problems>(())
//! ```
//!
//! Whatever parsers of a format disagree about is refused: see [`Format`]. The size of a document, its
//! depth and what YAML aliases expand to are bounded.

mod budget;
mod fields;
mod format;
mod node;
mod parse;
mod problems;
pub mod readers;
mod report;
mod suggest;
mod tree;

use assent_json::{Pointer, Position, ReadErrorKind};

pub use assent_json::Problem;
pub use budget::MAX_TREE_BYTES;
pub use fields::Fields;
pub use format::Format;
pub use node::{Location, Node};
pub use problems::Problems;
pub use report::MAX_PROBLEMS;
pub use suggest::{nearest, quoted};
pub use tree::Kind;

use report::{Report, Values};
use tree::Located;

/// The longest document that is read.
pub const MAX_DOCUMENT_BYTES: usize = assent_json::MAX_DOCUMENT_BYTES;

/// Reads a document with `reader`, which gets its root.
///
/// # Errors
///
/// Every mistake, in the order of the text: at most [`MAX_PROBLEMS`], and a last one that says how many
/// more there are. A JSON or YAML document with a syntax error has that one problem; TOML is read on
/// after a syntax error.
pub fn read<T>(
    text: &[u8],
    format: Format,
    reader: impl FnOnce(&Node<'_>) -> Option<T>,
) -> Result<T, Problems> {
    read_with(text, format, Values::Shown, reader)
}

/// Like [`read`], but no problem repeats a value of the document, only its keys.
///
/// # Errors
///
/// Every mistake, as in [`read`].
pub fn read_confidential<T>(
    text: &[u8],
    format: Format,
    reader: impl FnOnce(&Node<'_>) -> Option<T>,
) -> Result<T, Problems> {
    read_with(text, format, Values::Hidden, reader)
}

fn read_with<T>(
    text: &[u8],
    format: Format,
    values: Values,
    reader: impl FnOnce(&Node<'_>) -> Option<T>,
) -> Result<T, Problems> {
    let report = Report::new(text, values);
    let tree = tree(text, format, &report);
    let read = tree.and_then(|root| reader(&Node::root(&root, &report)));
    report.finish(read)
}

/// Returns the position of the value at `path`, or of the nearest value around it. For problems that
/// are found after a document was read.
#[must_use]
pub fn locate(text: &[u8], format: Format, path: &str) -> Position {
    let tree = tree(text, format, &Report::new(text, Values::Hidden));
    Position::of(text, tree.map_or(0, |root| root.locate(path)))
}

fn tree(text: &[u8], format: Format, report: &Report<'_>) -> Option<Located> {
    if text.len() > MAX_DOCUMENT_BYTES {
        report.problem(0, &Pointer::root(), ReadErrorKind::TooLarge.to_string());
        return None;
    }
    match format {
        Format::Json => parse::json(text, report),
        Format::Yaml => parse::yaml(text, report),
        Format::Toml => parse::toml(text, report),
    }
}
