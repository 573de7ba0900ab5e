//! What is known of calls, by id.

#[expect(
    clippy::disallowed_types,
    reason = "looked up by key only, so order cannot show; a tree of all calls costs three times the time"
)]
use std::collections::HashMap;
use std::hash::{BuildHasher, Hasher, RandomState};

use assent_ids::InvocationId;

/// A table of calls.
#[expect(clippy::disallowed_types, reason = "looked up by key only, so order cannot show")]
pub(super) type CallMap<Known> = HashMap<InvocationId, Known, Folding>;

/// Hashes ids by folded multiplication with a secret of this table. Most bits of an id are random, and
/// whoever chooses his own does not know the secret: more than that is not needed to keep a table flat,
/// and an id is looked up many times in the life of a call.
#[derive(Clone, Debug)]
pub(super) struct Folding {
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
pub(super) struct Folded {
    secret: u64,
    state: u64,
}

impl Hasher for Folded {
    #[expect(clippy::cast_possible_truncation, reason = "both halves are folded into one word")]
    fn write_u64(&mut self, word: u64) {
        let product = u128::from(self.state ^ word) * u128::from(self.secret);
        self.state = (product >> u64::BITS) as u64 ^ product as u64;
    }

    fn write(&mut self, bytes: &[u8]) {
        bytes.iter().for_each(|byte| self.write_u64(u64::from(*byte)));
    }

    fn finish(&self) -> u64 {
        self.state
    }
}
