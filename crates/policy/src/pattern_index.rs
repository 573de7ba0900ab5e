//! An index of patterns by name.

use assent_ids::Table;

use crate::{Glob, prefix_index::PrefixIndex};

/// Patterns without wildcards by their name, all others by the prefix of their matches.
#[derive(Clone, Debug, Default)]
pub(crate) struct PatternIndex {
    names: Table<Box<str>, Vec<u32>>,
    prefixes: PrefixIndex,
}

impl PatternIndex {
    /// Creates an index of numbered patterns. `None` matches every name.
    pub(crate) fn new<'p>(patterns: impl Iterator<Item = (Option<&'p Glob>, u32)>) -> Self {
        let mut index = Self::default();
        let mut prefixes = Vec::new();
        for (pattern, number) in patterns {
            match pattern.and_then(Glob::literal) {
                Some(name) => index.names.entry(name.into()).or_default().push(number),
                None => prefixes.push((pattern.map(Glob::prefix).unwrap_or_default(), number)),
            }
        }
        index.prefixes = PrefixIndex::new(prefixes.into_iter());
        index
    }

    /// Returns the patterns that may match `name`.
    pub(crate) fn candidates<'s>(&'s self, name: &'s str) -> impl Iterator<Item = u32> + 's {
        let named = self.names.get(name).into_iter().flatten().copied();
        named.chain(self.prefixes.candidates(name))
    }
}

#[cfg(test)]
mod tests {
    use super::PatternIndex;
    use crate::Glob;

    #[test]
    fn every_pattern_that_matches_is_a_candidate_and_no_other_name_is() {
        let texts = ["read", "re*", "*", "read", "write", r"re\*", "rea?", "bank/pay"];
        let globs: Vec<Glob> = texts.iter().map(|text| Glob::parse(text).unwrap()).collect();
        let numbered = globs.iter().map(Some).chain([None]).zip(0..);
        let index = PatternIndex::new(numbered);
        for name in ["read", "write", "re*", "real", "bank/pay", "", "é"] {
            let found: Vec<u32> = index.candidates(name).collect();
            for (glob, number) in globs.iter().zip(0..) {
                let is_plain = glob.literal().is_some();
                assert!(found.contains(&number) || !glob.matches(name), "{name} {number}");
                assert!(
                    !is_plain || found.contains(&number) == glob.matches(name),
                    "{name} {number}"
                );
            }
            assert!(found.contains(&8), "no pattern stands for every name");
        }
    }
}
