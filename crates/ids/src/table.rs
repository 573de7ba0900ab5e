//! Tables that are looked up by key only, so that their order cannot show.

#[expect(clippy::disallowed_types, reason = "this is the place where they are allowed")]
use std::collections::HashMap;
use std::hash::{BuildHasher, Hasher, RandomState};

/// A table of ids or names. Whoever goes through all of it has to sort what he finds.
#[expect(clippy::disallowed_types, reason = "this is the place where they are allowed")]
pub type Table<Key, Value> = HashMap<Key, Value, Folding>;

/// Hashes by folded multiplication with a secret of this table. Whoever chooses ids and names does not know
/// the secret: more than that is not needed to keep a table flat, and several are looked up for every call.
#[derive(Clone, Debug)]
pub struct Folding {
    secret: u64,
}

impl Default for Folding {
    fn default() -> Self {
        Self { secret: RandomState::new().hash_one(0_u8) | 1 }
    }
}

impl BuildHasher for Folding {
    type Hasher = Folded;

    fn build_hasher(&self) -> Folded {
        Folded { secret: self.secret, state: self.secret.rotate_left(32) }
    }
}

/// A hash on its way.
#[derive(Debug)]
pub struct Folded {
    secret: u64,
    state: u64,
}

impl Hasher for Folded {
    #[expect(clippy::cast_possible_truncation, reason = "both halves are folded into one word")]
    fn write_u64(&mut self, word: u64) {
        let product = u128::from(self.state ^ word) * u128::from(self.secret);
        self.state = (product >> u64::BITS) as u64 ^ product as u64;
    }

    fn write_u8(&mut self, byte: u8) {
        self.write_u64(u64::from(byte));
    }

    fn write(&mut self, bytes: &[u8]) {
        let (words, rest) = bytes.as_chunks();
        words.iter().for_each(|word| self.write_u64(u64::from_le_bytes(*word)));
        // The rest is shorter than a word, so its length has room beside it.
        let last = rest.iter().fold(rest.len() as u64, |last, byte| last << 8 | u64::from(*byte));
        self.write_u64(last);
    }

    fn finish(&self) -> u64 {
        self.state
    }
}

#[cfg(test)]
mod tests {
    use std::{collections::BTreeSet, hash::BuildHasher};

    use super::{Folding, Table};

    #[test]
    fn texts_that_differ_in_a_bit_or_in_their_length_have_different_hashes() {
        let folding = Folding::default();
        let mut texts: Vec<String> = (0..40).map(|length| "a".repeat(length)).collect();
        texts.extend((0..40).map(|length| "\0".repeat(length)));
        texts.extend((0..40).map(|at| format!("{}b{}", "a".repeat(at), "a".repeat(39 - at))));
        let distinct: BTreeSet<&String> = texts.iter().collect();
        let hashes: BTreeSet<u64> = texts.iter().map(|text| folding.hash_one(text)).collect();
        assert_eq!(hashes.len(), distinct.len());
    }

    #[test]
    fn similar_names_fill_the_low_bits_and_the_high_bits_evenly() {
        let folding = Folding::default();
        let hashes: Vec<u64> = (0..4096).map(|at| folding.hash_one(format!("tool_{at}"))).collect();
        for shift in [0, 57] {
            let mut counts = [0_usize; 128];
            for hash in &hashes {
                let bucket = usize::try_from((hash >> shift) & 127).unwrap();
                counts[bucket] += 1;
            }
            assert!(counts.iter().all(|count| (8..72).contains(count)), "{counts:?}");
        }
    }

    #[test]
    fn tables_hash_differently() {
        let hash = |table: &Table<u8, ()>| table.hasher().hash_one("a name");
        assert_ne!(hash(&Table::default()), hash(&Table::default()));
    }

    #[test]
    fn what_was_put_in_is_found() {
        let table: Table<String, usize> = (0..1000).map(|at| (format!("name {at}"), at)).collect();
        assert!((0..1000).all(|at| table.get(format!("name {at}").as_str()) == Some(&at)));
        assert_eq!(table.get("another"), None);
    }
}
