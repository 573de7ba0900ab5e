//! What somebody probably meant.

use assent_protocol::wire::Word;

/// Longer texts are not compared: nobody mistypes them, and comparing costs the square.
const MAX_COMPARED: usize = 64;

/// The candidate that differs least from `text`, if at most every third character differs.
pub(super) fn nearest<'c>(
    text: &str,
    candidates: impl Iterator<Item = &'c str>,
) -> Option<&'c str> {
    let text: Vec<char> = text.chars().take(MAX_COMPARED + 1).collect();
    if text.len() > MAX_COMPARED {
        return None;
    }
    let limit = (text.len() / 3).max(1);
    candidates
        .filter(|candidate| candidate.len() <= MAX_COMPARED)
        .map(|candidate| (distance(&text, &candidate.chars().collect::<Vec<_>>()), candidate))
        .filter(|(distance, candidate)| *distance <= limit && *distance < candidate.len())
        .min_by_key(|(distance, _)| *distance)
        .map(|(_, candidate)| candidate)
}

/// How many characters have to be inserted, removed, replaced or swapped with their neighbour.
fn distance(left: &[char], right: &[char]) -> usize {
    // Rows of the usual table: the one before the last, the last one, the new one.
    let mut older: Vec<usize> = Vec::new();
    let mut last: Vec<usize> = (0..=right.len()).collect();
    let mut before_left = None;
    for (row, &here) in left.iter().enumerate() {
        let mut new = vec![row + 1];
        let mut before_right = None;
        for (column, &there) in right.iter().enumerate() {
            let at = |row: &[usize], column: usize| row.get(column).copied().unwrap_or(usize::MAX);
            let replaced = at(&last, column) + usize::from(here != there);
            let inserted = at(&new, column) + 1;
            let removed = at(&last, column + 1) + 1;
            let mut least = replaced.min(inserted).min(removed);
            if before_left == Some(there) && before_right == Some(here) {
                least = least.min(at(&older, column.saturating_sub(1)).saturating_add(1));
            }
            new.push(least);
            before_right = Some(there);
        }
        older = std::mem::replace(&mut last, new);
        before_left = Some(here);
    }
    last.last().copied().unwrap_or_default()
}

/// All these words, as a part of a sentence.
pub(super) fn listed<W: Word>(words: impl Iterator<Item = W>) -> String {
    let words: Vec<String> = words.map(|word| format!("`{}`", word.word())).collect();
    words.join(", ")
}

/// A text of the file, short and harmless enough for a message.
pub(super) fn shown(text: &str) -> String {
    assent_json::shorten(text, 60).chars().flat_map(char::escape_debug).collect()
}

#[cfg(test)]
mod tests {
    use super::{distance, nearest};

    fn between(left: &str, right: &str) -> usize {
        let chars = |text: &str| text.chars().collect::<Vec<_>>();
        distance(&chars(left), &chars(right))
    }

    #[test]
    fn the_distance_counts_edits_and_swapped_neighbours() {
        for (left, right, expected) in [
            ("", "", 0),
            ("", "abc", 3),
            ("abc", "", 3),
            ("input", "inptu", 1),
            ("kitten", "sitting", 3),
            ("ab", "ba", 1),
            ("dependsOn", "depends_on", 2),
        ] {
            assert_eq!(between(left, right), expected, "{left} {right}");
        }
    }

    #[test]
    fn only_what_is_near_is_suggested() {
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
