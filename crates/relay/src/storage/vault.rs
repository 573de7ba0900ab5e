//! Secrets that the relay has to read itself, and that lie in the database all the same: what signs access
//! tokens, and what signs webhooks.
//!
//! An operator can have them sealed under a key that is not in the database. Then a copy of the
//! database is not enough to impersonate a person or the relay.

mod key_file;
mod reseal;

use std::{
    collections::BTreeMap,
    fmt,
    path::{Path, PathBuf},
    sync::Arc,
};

use assent_ids::Entropy;
use assent_store::{Row, StoreError, Value};
use aws_lc_rs::{
    aead::{AES_256_GCM, Aad, LessSafeKey, NONCE_LEN, Nonce, UnboundKey},
    error::Unspecified,
};
use sha2::{Digest as _, Sha256};
use zeroize::Zeroizing;

use self::key_file::{Entry, Key};

/// The keys of the operator. The default has none: secrets are stored as they are.
#[derive(Clone, Default)]
pub struct Vault(Arc<Keys>);

#[derive(Default)]
struct Keys {
    /// Where they were read from.
    file: Option<PathBuf>,
    /// The one under which new secrets are sealed.
    sealing: Option<KeyId>,
    /// All that open.
    opening: BTreeMap<KeyId, LessSafeKey>,
}

/// Tells keys apart, and nothing else about them.
type KeyId = String;

/// Why there are no keys in a file.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum VaultError {
    /// It cannot be read.
    #[error("the file `{}` cannot be read: {error}", path.display())]
    Unreadable {
        /// Which file.
        path: PathBuf,
        /// What the system said.
        error: std::io::Error,
    },
    /// Something else is in it.
    #[error(
        "line {line} of `{}` is no key: expected 64 hexadecimal digits, as `openssl rand -hex 32` prints \
         them, or `plain`", path.display()
    )]
    NoKey {
        /// Which file.
        path: PathBuf,
        /// Which line.
        line: usize,
    },
    /// There is nothing in it.
    #[error("there is no key in `{}`: put one there with `openssl rand -hex 32`", .0.display())]
    Empty(PathBuf),
    /// The cipher takes none of such a form.
    #[error("the cipher refuses a key of `{}`", .0.display())]
    Unusable(PathBuf),
}

/// A secret as it is stored.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Stored {
    pub(crate) secret: Zeroizing<Vec<u8>>,
    /// The key that opens it; none if it is stored as it is.
    pub(crate) under: Option<KeyId>,
}

/// Why a stored secret cannot be read.
#[derive(Debug, PartialEq, Eq, thiserror::Error)]
pub(crate) enum Closed {
    #[error(
        "a secret in the database is sealed under the key {0}, which is not in the file that `secrets_key` \
         names; add it there"
    )]
    UnknownKey(KeyId),
    #[error(
        "a secret in the database is sealed under the key {0}, and the relay was started without a key: name the \
         file that holds it, with `--secrets-key` or `secrets_key`"
    )]
    NoKeys(KeyId),
    #[error("a secret in the database was changed: it cannot be opened")]
    Changed,
}

impl From<Closed> for StoreError {
    fn from(closed: Closed) -> Self {
        Self::Refused(closed.to_string())
    }
}

impl Vault {
    /// Reads a file with a key in each line. The first is the one under which secrets are sealed, and all
    /// of them open. `plain` stands for none: as the first line, secrets are stored as they are.
    ///
    /// # Errors
    ///
    /// If the file cannot be read, or something else is in it.
    pub fn read(path: &Path) -> Result<Self, VaultError> {
        let unreadable = |error| VaultError::Unreadable { path: path.to_owned(), error };
        let bytes = Zeroizing::new(std::fs::read(path).map_err(unreadable)?);
        let entries = key_file::parse(&bytes)
            .map_err(|line| VaultError::NoKey { path: path.to_owned(), line })?;
        if entries.is_empty() {
            return Err(VaultError::Empty(path.to_owned()));
        }
        let keys = Keys::new(&entries, path);
        Ok(Self(Arc::new(keys.map_err(|Unspecified| VaultError::Unusable(path.to_owned()))?)))
    }

    /// The file that the keys were read from.
    #[must_use]
    pub fn file(&self) -> Option<&Path> {
        self.0.file.as_deref()
    }

    /// Makes a secret ready to be stored. `place` says where: it opens nowhere else.
    pub(crate) fn seal(
        &self,
        place: &str,
        secret: &[u8],
        entropy: &dyn Entropy,
    ) -> Result<Stored, Closed> {
        let sealing = self.0.sealing.as_ref();
        let Some((id, key)) = sealing.and_then(|id| self.0.opening.get_key_value(id)) else {
            return Ok(Stored { secret: Zeroizing::new(secret.to_vec()), under: None });
        };
        let mut nonce = [0; NONCE_LEN];
        entropy.fill(&mut nonce);
        let mut sealed = Zeroizing::new(secret.to_vec());
        let place = Aad::from(place.as_bytes());
        key.seal_in_place_append_tag(Nonce::assume_unique_for_key(nonce), place, &mut *sealed)
            .map_err(|_| Closed::Changed)?;
        sealed.splice(..0, nonce);
        Ok(Stored { secret: sealed, under: Some(id.clone()) })
    }

    /// The secret that is stored at `place`.
    pub(crate) fn open(&self, place: &str, stored: Stored) -> Result<Zeroizing<Vec<u8>>, Closed> {
        let Stored { mut secret, under } = stored;
        let Some(under) = under else { return Ok(secret) };
        let Some(key) = self.0.opening.get(&under) else { return Err(self.missing(under)) };
        let (nonce, sealed) = secret.split_at_mut_checked(NONCE_LEN).ok_or(Closed::Changed)?;
        let nonce = Nonce::try_assume_unique_for_key(nonce).map_err(|_| Closed::Changed)?;
        let opened = key.open_in_place(nonce, Aad::from(place.as_bytes()), sealed);
        opened.map(|opened| Zeroizing::new(opened.to_vec())).map_err(|_| Closed::Changed)
    }

    /// Why there is no such key.
    fn missing(&self, key: KeyId) -> Closed {
        if self.0.file.is_some() { Closed::UnknownKey(key) } else { Closed::NoKeys(key) }
    }
}

impl Keys {
    fn new(entries: &[Entry], file: &Path) -> Result<Self, Unspecified> {
        let mut keys = Self { file: Some(file.to_owned()), ..Self::default() };
        for (place, entry) in entries.iter().enumerate() {
            let Entry::Key(key) = entry else { continue };
            let id = id_of(key);
            if place == 0 {
                keys.sealing = Some(id.clone());
            }
            keys.opening.insert(id, LessSafeKey::new(UnboundKey::new(&AES_256_GCM, &**key)?));
        }
        Ok(keys)
    }
}

impl Stored {
    /// The secret whose two columns begin at `first`.
    pub(crate) fn read(row: &Row, first: usize) -> Result<Self, StoreError> {
        Ok(Self { secret: Zeroizing::new(row.get(first)?), under: row.get(first + 1)? })
    }

    /// What goes into the two columns.
    pub(crate) fn columns(&self) -> [Value<'_>; 2] {
        [self.secret.as_slice().into(), self.under.as_deref().into()]
    }
}

/// The first letters of a hash: there are a handful of keys.
fn id_of(key: &Key) -> KeyId {
    let hash = Sha256::new().chain_update(b"assent secrets key\0").chain_update(**key).finalize();
    hash.iter().take(8).map(|byte| format!("{byte:02x}")).collect()
}

/// Keys are not printed.
impl fmt::Debug for Vault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Vault({:?})", self.0.opening.keys())
    }
}

#[cfg(test)]
mod tests;
