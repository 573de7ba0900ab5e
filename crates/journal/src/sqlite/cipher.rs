//! Encryption of what the file holds about calls.

use std::{borrow::Cow, sync::Arc};

use base64::{Engine as _, engine::general_purpose::STANDARD_NO_PAD};

use crate::JournalError;

/// Encrypts the facts and the saved states of a journal. Ids, times of files and numbers of uses stay readable.
pub trait Cipher: Send + Sync {
    /// Encrypts data for one place. It must not decrypt for another place.
    fn encrypt(&self, place: &str, data: &[u8]) -> Vec<u8>;

    /// Decrypts what [`Self::encrypt`] made for the same place; `None` if it was changed, moved, or encrypted under
    /// another key.
    fn decrypt(&self, place: &str, data: &[u8]) -> Option<Vec<u8>>;
}

/// The cipher of a file, if it has one.
#[derive(Clone, Default)]
pub(super) struct FileCipher(Option<Arc<dyn Cipher>>);

/// How encrypted facts begin; plain ones begin with a bracket.
const PREFIX: &[u8] = b"encrypted:";

impl FileCipher {
    pub(super) fn new(cipher: Arc<dyn Cipher>) -> Self {
        Self(Some(cipher))
    }

    /// The facts of the run that begins with `first`, as they are stored.
    pub(super) fn write_run<'b>(&self, first: u64, body: &'b [u8]) -> Cow<'b, [u8]> {
        let Some(cipher) = &self.0 else { return Cow::Borrowed(body) };
        let encrypted = cipher.encrypt(&run_place(first), body);
        let mut text = PREFIX.to_vec();
        text.extend(STANDARD_NO_PAD.encode(encrypted).into_bytes());
        Cow::Owned(text)
    }

    /// The facts of the run that begins with `first`, from what is stored.
    pub(super) fn read_run<'b>(
        &self,
        first: u64,
        stored: &'b [u8],
    ) -> Result<Cow<'b, [u8]>, JournalError> {
        match (&self.0, stored.strip_prefix(PREFIX)) {
            (None, None) => Ok(Cow::Borrowed(stored)),
            (Some(cipher), Some(text)) => {
                let encrypted = STANDARD_NO_PAD.decode(text).ok();
                let plain = encrypted.and_then(|data| cipher.decrypt(&run_place(first), &data));
                plain.map(Cow::Owned).ok_or_else(|| damaged(first))
            }
            (None, Some(_)) => Err(JournalError::Corrupt {
                what: format!("entry {first} is encrypted: the journal can be read by its device"),
            }),
            (Some(_), None) => Err(damaged(first)),
        }
    }

    /// The saved state of a call, as it is stored.
    pub(super) fn write_state<'b>(&self, call: [u8; 16], state: &'b [u8]) -> Cow<'b, [u8]> {
        match &self.0 {
            Some(cipher) => Cow::Owned(cipher.encrypt(&state_place(call), state)),
            None => Cow::Borrowed(state),
        }
    }

    /// The saved state of a call, from what is stored.
    pub(super) fn read_state(
        &self,
        call: [u8; 16],
        stored: Vec<u8>,
    ) -> Result<Vec<u8>, JournalError> {
        let Some(cipher) = &self.0 else { return Ok(stored) };
        cipher.decrypt(&state_place(call), &stored).ok_or_else(|| JournalError::Corrupt {
            what: "the state of a call was changed, or encrypted under another key".to_owned(),
        })
    }
}

fn run_place(first: u64) -> String {
    format!("runs/{first}")
}

fn state_place(call: [u8; 16]) -> String {
    format!("held/{:032x}", u128::from_be_bytes(call))
}

fn damaged(first: u64) -> JournalError {
    let what = format!("entry {first} was changed, or encrypted under another key");
    JournalError::Corrupt { what }
}
