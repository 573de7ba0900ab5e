//! What was used, and how often.

use std::sync::Arc;

use assent_ids::Table;

use crate::{Claim, JournalError};

/// How often each key was claimed.
#[derive(Default)]
pub(super) struct Claims {
    used: Table<Arc<str>, u32>,
}

impl Claims {
    /// Takes all of `claims`, or none of them and names the first that is used up.
    pub(super) fn take(&mut self, claims: &[Claim]) -> Result<(), JournalError> {
        for (at, claim) in claims.iter().enumerate() {
            if !self.take_one(claim) {
                self.give_back(claims.iter().take(at));
                return Err(JournalError::Claimed { key: Arc::clone(&claim.key) });
            }
        }
        Ok(())
    }

    pub(super) fn used(&self, key: &str) -> u32 {
        self.used.get(key).copied().unwrap_or_default()
    }

    fn take_one(&mut self, claim: &Claim) -> bool {
        if self.used(&claim.key) >= claim.limit {
            return false;
        }
        *self.used.entry(Arc::clone(&claim.key)).or_default() += 1;
        true
    }

    fn give_back<'a>(&mut self, claims: impl Iterator<Item = &'a Claim>) {
        for claim in claims {
            if let Some(used) = self.used.get_mut(&claim.key) {
                *used = used.saturating_sub(1);
            }
        }
    }
}
