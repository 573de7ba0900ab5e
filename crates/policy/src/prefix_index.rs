//! An index of items by prefix.

use std::collections::BTreeMap;

/// Items by prefix. A lookup is one binary search and a walk along the prefixes of the subject, whatever
/// the number of items.
#[derive(Clone, Debug, Default)]
pub(crate) struct PrefixIndex {
    /// Sorted by prefix.
    entries: Vec<Entry>,
}

#[derive(Clone, Debug)]
struct Entry {
    prefix: Box<str>,
    /// The longest other prefix of this prefix.
    parent: Option<usize>,
    items: Vec<u32>,
}

impl PrefixIndex {
    pub(crate) fn new(items: impl Iterator<Item = (String, u32)>) -> Self {
        let mut by_prefix: BTreeMap<String, Vec<u32>> = BTreeMap::new();
        for (prefix, item) in items {
            by_prefix.entry(prefix).or_default().push(item);
        }
        let mut entries: Vec<Entry> = Vec::with_capacity(by_prefix.len());
        for (prefix, items) in by_prefix {
            let before = entries.len().checked_sub(1);
            let parent = climb(&entries, before, &prefix);
            entries.push(Entry { prefix: prefix.into(), parent, items });
        }
        Self { entries }
    }

    /// Returns the items with a prefix of `subject`.
    pub(crate) fn candidates<'s>(&'s self, subject: &'s str) -> impl Iterator<Item = u32> + 's {
        // INVARIANT: every entry between a prefix of the subject and the subject itself begins with
        // that prefix, so all prefixes are ancestors of the last entry before the subject.
        let behind = self.entries.partition_point(|entry| *entry.prefix <= *subject);
        let first = climb(&self.entries, behind.checked_sub(1), subject);
        let chain = std::iter::successors(self.at(first), |entry| self.at(entry.parent));
        chain.flat_map(|entry| entry.items.iter().copied())
    }

    fn at(&self, index: Option<usize>) -> Option<&Entry> {
        index.and_then(|index| self.entries.get(index))
    }
}

/// Returns the nearest of `from` and its ancestors that is a prefix of `text`.
fn climb(entries: &[Entry], from: Option<usize>, text: &str) -> Option<usize> {
    let mut at = from;
    while let Some(entry) = at.and_then(|index| entries.get(index)) {
        if text.starts_with(&*entry.prefix) {
            return at;
        }
        at = entry.parent;
    }
    None
}

#[cfg(test)]
mod tests {
    use super::PrefixIndex;

    fn found(index: &PrefixIndex, subject: &str) -> Vec<u32> {
        let mut found: Vec<_> = index.candidates(subject).collect();
        found.sort_unstable();
        found
    }

    #[test]
    fn exactly_the_prefixes_of_the_subject_are_found() {
        let texts = ["", "a", "ab", "abc", "abd", "b", "ab", "é", "abca"];
        let pairs = texts.iter().map(|text| (*text).to_owned()).zip(0..);
        let index = PrefixIndex::new(pairs);
        for subject in ["", "a", "abc", "abcz", "abe", "abd", "b", "c", "éa", "\u{10ffff}", "abcb"]
        {
            let expected: Vec<u32> = texts
                .iter()
                .zip(0..)
                .filter(|(t, _)| subject.starts_with(*t))
                .map(|p| p.1)
                .collect();
            assert_eq!(found(&index, subject), expected, "{subject}");
        }
    }

    #[test]
    fn an_empty_index_finds_nothing() {
        assert!(found(&PrefixIndex::default(), "a").is_empty());
    }
}
