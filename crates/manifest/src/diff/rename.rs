//! Recognises what is gone and what is new as the same thing under another name.

use std::collections::BTreeMap;

/// Pairs each of `gone` with the one of `fresh` that is most like it.
///
/// `likeness` is 0 for things that have nothing to do with each other. Where two candidates are
/// equally alike, the choice is ambiguous, and nothing is paired.
pub(super) fn renames<T>(
    gone: &[T],
    fresh: &[T],
    likeness: impl Fn(&T, &T) -> u32,
) -> BTreeMap<usize, usize> {
    let best = |of: &T, among: &[T], likeness: &dyn Fn(&T, &T) -> u32| {
        let scores: Vec<u32> = among.iter().map(|other| likeness(of, other)).collect();
        let highest = scores.iter().copied().max().filter(|score| *score > 0)?;
        let mut holders = scores.iter().enumerate().filter(|(_, score)| **score == highest);
        match (holders.next(), holders.next()) {
            (Some((index, _)), None) => Some(index),
            _ => None,
        }
    };
    let mut pairs = BTreeMap::new();
    for (index, item) in gone.iter().enumerate() {
        let Some(partner) = best(item, fresh, &likeness) else { continue };
        let back = fresh
            .get(partner)
            .and_then(|partner| best(partner, gone, &|fresh, gone| likeness(gone, fresh)));
        if back == Some(index) {
            pairs.insert(index, partner);
        }
    }
    pairs
}

#[cfg(test)]
mod tests {
    use super::renames;

    fn same_length(a: &&str, b: &&str) -> u32 {
        u32::from(a.len() == b.len())
    }

    #[test]
    fn a_single_candidate_is_paired() {
        let pairs = renames(&["aa", "b"], &["c", "ddd"], same_length);
        assert_eq!(pairs.into_iter().collect::<Vec<_>>(), [(1, 0)]);
    }

    #[test]
    fn two_equal_candidates_are_left_alone() {
        assert!(renames(&["a"], &["b", "c"], same_length).is_empty());
        assert!(renames(&["a", "b"], &["c"], same_length).is_empty());
    }
}
