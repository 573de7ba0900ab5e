//! Encryption of the columns that hold secrets.

use std::sync::Arc;

use assent_ids::Entropy;
use assent_sealing::StorageKey;
use serde::{Serialize, de::DeserializeOwned};
use zeroize::Zeroizing;

use crate::MailboxError;

/// Encrypts and decrypts columns. A value decrypts only in the table and row that it was written for.
#[derive(Clone)]
pub(crate) struct RowCipher {
    pub(crate) key: StorageKey,
    pub(crate) entropy: Arc<dyn Entropy>,
}

impl RowCipher {
    pub(crate) fn seal(&self, place: &str, data: &[u8]) -> Vec<u8> {
        self.key.seal(place, data, &*self.entropy)
    }

    pub(crate) fn unseal(
        &self,
        place: &str,
        sealed: &[u8],
    ) -> Result<Zeroizing<Vec<u8>>, MailboxError> {
        Ok(self.key.unseal(place, sealed)?)
    }

    pub(crate) fn seal_json(
        &self,
        place: &str,
        value: &impl Serialize,
    ) -> Result<Vec<u8>, MailboxError> {
        let json = serde_json::to_vec(value).map_err(|_| MailboxError::Damaged("entry"))?;
        Ok(self.seal(place, &Zeroizing::new(json)))
    }

    pub(crate) fn unseal_json<T: DeserializeOwned>(
        &self,
        place: &str,
        sealed: &[u8],
    ) -> Result<T, MailboxError> {
        let json = self.unseal(place, sealed)?;
        serde_json::from_slice(&json).map_err(|_| MailboxError::Damaged("entry"))
    }
}
