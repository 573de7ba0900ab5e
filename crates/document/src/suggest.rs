//! Suggestions for names that are not known.

use assent_json::{shorten, visible};
use assent_protocol::wire::Word;

/// Longer texts are not compared: comparing takes time in the product of the lengths.
const MAX_COMPARED: usize = 64;

/// The longest part of a document that a problem repeats, in characters.
const MAX_QUOTED: usize = 60;

/// Returns the candidate that differs least from `text`, if at most a third of the characters differ.
#[must_use]
pub fn nearest<'c>(text: &str, candidates: impl Iterator<Item = &'c str>) -> Option<&'c str> {
    let length = text.chars().take(MAX_COMPARED + 1).count();
    if length > MAX_COMPARED {
        return None;
    }
    let limit = (length / 3).max(1);
    candidates
        .filter(|candidate| candidate.len() <= MAX_COMPARED)
        .map(|candidate| (strsim::osa_distance(text, candidate), candidate))
        .filter(|(distance, candidate)| *distance <= limit && *distance < candidate.len())
        .min_by_key(|(distance, _)| *distance)
        .map(|(_, candidate)| candidate)
}

/// Shortens a text of a document and makes its invisible characters visible, for use in a problem.
#[must_use]
pub fn quoted(text: &str) -> String {
    visible(&shorten(text, MAX_QUOTED))
}

/// Lists words as a part of a sentence.
pub(crate) fn words<W: Word>(words: impl Iterator<Item = W>) -> String {
    let words: Vec<String> = words.map(|word| format!("`{}`", word.word())).collect();
    words.join(", ")
}

#[cfg(test)]
mod tests {
    use super::nearest;

    #[test]
    fn only_a_close_name_is_suggested() {
        let keys = ["input", "id", "tool", "depends_on"];
        for (text, expected) in [
            ("inptu", Some("input")),
            ("dependsOn", Some("depends_on")),
            ("tools", Some("tool")),
            ("x", None),
            ("something", None),
            ("", None),
        ] {
            assert_eq!(nearest(text, keys.into_iter()), expected, "{text}");
        }
        assert_eq!(nearest(&"tool".repeat(20), keys.into_iter()), None);
    }
}
