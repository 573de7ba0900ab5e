//! From the text of a file to a [`Scenario`].
//!
//! Both formats become one tree in which every node knows where it stands ([`tree`]). One set of
//! readers goes over it, one per concept; each takes what it needs, reports what is wrong and goes
//! on, so that all problems are told at once. At last names are checked that point across the file.

mod action;
mod approval;
mod at;
mod budget;
mod call;
mod core_schema;
mod dependencies;
mod expectation;
mod fields;
mod hook;
mod input_answer;
mod json;
mod leaf;
mod load;
mod names;
mod nearest;
mod reading;
mod recipient;
mod rule;
mod scenario;
mod scheduler;
mod schema;
mod script;
mod search;
mod surface;
mod tool;
mod tree;
mod yaml;

use assent_json::{Pointer, Position, ReadErrorKind};

use self::{at::At, reading::Reading, tree::Spanned};
use crate::{Problem, Scenario};

pub use self::{budget::MAX_TREE_BYTES, reading::MAX_PROBLEMS};

/// The longest file that is read.
pub const MAX_FILE_BYTES: usize = assent_json::MAX_DOCUMENT_BYTES;

/// How a file is written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Format {
    /// YAML 1.2 with its core schema; one document, no tags, no directives, no merge keys.
    Yaml,
    /// JSON, as strictly as [`assent_json::read`] reads it.
    Json,
}

impl Format {
    /// The format of a file: by the ending of its name, else JSON if it begins with a brace.
    #[must_use]
    pub fn of(name: &str, text: &[u8]) -> Self {
        let ending = name.rsplit_once('.').map(|(_, ending)| ending.to_ascii_lowercase());
        match ending.as_deref() {
            Some("json") => Self::Json,
            Some("yaml" | "yml") => Self::Yaml,
            _ if text.trim_ascii_start().starts_with(b"{") => Self::Json,
            _ => Self::Yaml,
        }
    }
}

/// Reads a rehearsal file.
///
/// # Errors
///
/// Everything that is wrong with it, in the order of the text; at most [`MAX_PROBLEMS`] and a last
/// one that says how many more there are. A text that is not YAML or JSON at all has one problem.
pub fn read(text: &[u8], format: Format) -> Result<Scenario, Vec<Problem>> {
    let reading = Reading::new(text);
    let scenario = tree(text, format, &reading)
        .and_then(|root| scenario::scenario(&At::root(&root, &reading)));
    reading.finish(scenario)
}

/// Reads a document that is no rehearsal, such as a file of rules, as strictly as one.
///
/// # Errors
///
/// What is wrong with it. Whether it says what it should is another question.
pub fn read_value(text: &[u8], format: Format) -> Result<serde_json::Value, Vec<Problem>> {
    let reading = Reading::new(text);
    let value = tree(text, format, &reading).map(|root| root.to_value());
    reading.finish(value)
}

/// Where the value stands that `path` leads to, or the nearest one around it: for problems that are
/// found only later, such as a policy that does not compile or an expectation that does not hold.
#[must_use]
pub fn locate(text: &[u8], format: Format, path: &str) -> Position {
    let tree = tree(text, format, &Reading::new(text));
    Position::of(text, tree.map_or(0, |root| root.locate(path)))
}

fn tree(text: &[u8], format: Format, reading: &Reading<'_>) -> Option<Spanned> {
    if text.len() > MAX_FILE_BYTES {
        reading.problem(0, &Pointer::root(), ReadErrorKind::TooLarge.to_string());
        return None;
    }
    match format {
        Format::Yaml => yaml::parse(text, reading),
        Format::Json => json::parse(text, reading),
    }
}

#[cfg(test)]
mod tests {
    use super::Format;

    #[test]
    fn the_ending_says_the_format_and_the_first_character_if_it_does_not() {
        for (name, text, expected) in [
            ("a.json", "a: 1", Format::Json),
            ("a.YAML", "{}", Format::Yaml),
            ("a.b.yml", "{}", Format::Yaml),
            ("-", "\n {}", Format::Json),
            ("a.txt", "# {}", Format::Yaml),
            ("", "", Format::Yaml),
        ] {
            assert_eq!(Format::of(name, text.as_bytes()), expected, "{name} {text}");
        }
    }
}
