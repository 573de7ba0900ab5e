//! Patterns for directories, matched by text only.

use assent_json::hidden_character;
use unicode_normalization::UnicodeNormalization;

use crate::{ProblemKind, truth::Truth};

/// A directory that paths are compared with, part by part: `/work` does not contain `/workshop`.
#[derive(Clone, Debug)]
pub(crate) struct Directory {
    absolute: bool,
    parts: Box<[Box<str>]>,
}

impl Directory {
    pub(crate) fn parse(text: &str) -> Result<Self, ProblemKind> {
        let path = Path::read(text)
            .ok_or_else(|| ProblemKind::Directory(assent_json::shorten(text, 80)))?;
        let parts = path.parts.into_iter().map(Into::into).collect();
        Ok(Self { absolute: path.absolute, parts })
    }

    /// Returns whether `text` is a path to the directory or to something in it.
    pub(crate) fn holds(&self, text: &str) -> Truth {
        // The working directory is not known here, so a relative path can only be compared with a
        // relative directory.
        let path = Path::read(text).filter(|path| path.absolute == self.absolute);
        let Some(path) = path else { return Truth::Unknown };
        let mut parts = path.parts.into_iter();
        let mut all = Truth::Holds;
        for ours in &self.parts {
            all = all.min(parts.next().map_or(Truth::Fails, |theirs| is_same_name(ours, theirs)));
            if all == Truth::Fails {
                break;
            }
        }
        all
    }
}

/// A path without `.`, `..` and empty parts.
struct Path<'t> {
    absolute: bool,
    parts: Vec<&'t str>,
}

impl<'t> Path<'t> {
    /// Returns `None` if the text is ambiguous or leads above its own start.
    fn read(text: &'t str) -> Option<Self> {
        // Systems disagree about these.
        if text.is_empty() || text.starts_with('~') || text.contains(['\0', '\\']) {
            return None;
        }
        let absolute = text.starts_with('/');
        let mut parts = Vec::new();
        for part in text.split('/') {
            match part {
                "" | "." => {}
                // The parent of the root is the root; the parent of the start is unknown.
                ".." => {
                    let is_at_start = parts.pop().is_none();
                    if is_at_start && !absolute {
                        return None;
                    }
                }
                name => parts.push(name),
            }
        }
        Some(Self { absolute, parts })
    }
}

/// Some file systems treat names as equal that differ in case, in the composition of accents, in
/// invisible characters, or in trailing dots and spaces. Whether this one does is not known.
fn is_same_name(ours: &str, theirs: &str) -> Truth {
    let is_plain = |name: &str| name.bytes().all(|b| b.is_ascii_graphic());
    if ours == theirs {
        Truth::Holds
    } else if is_plain(ours) && is_plain(theirs) {
        // The common case.
        let same = ours.trim_end_matches('.').eq_ignore_ascii_case(theirs.trim_end_matches('.'));
        if same { Truth::Unknown } else { Truth::Fails }
    } else if folded(ours) == folded(theirs) {
        Truth::Unknown
    } else {
        Truth::Fails
    }
}

fn folded(name: &str) -> String {
    // Upper case first, so that the long s folds to s.
    let cased = name.nfkc().flat_map(char::to_uppercase).flat_map(char::to_lowercase);
    let mut folded: String = cased.filter(|c| !is_hidden(*c)).collect();
    folded.truncate(folded.trim_end_matches(['.', ' ']).len());
    folded
}

fn is_hidden(c: char) -> bool {
    hidden_character(c.encode_utf8(&mut [0; 4])).is_some()
}

/// Returns the directory of an absolute path that is not at the root, as a pattern.
pub(crate) fn parent(text: &str) -> Option<String> {
    let mut path = Path::read(text).filter(|path| path.absolute)?;
    path.parts.pop()?;
    (!path.parts.is_empty()).then(|| format!("/{}", path.parts.join("/")))
}
