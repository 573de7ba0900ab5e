//! Encrypts the journal under the storage key of the device.

use assent_journal::Cipher;
use assent_mailbox::Mailbox;

/// Encrypts as the mailbox encrypts its rows.
pub(crate) struct JournalCipher(pub(crate) Mailbox);

fn place(place: &str) -> String {
    format!("journal/{place}")
}

impl Cipher for JournalCipher {
    fn encrypt(&self, at: &str, data: &[u8]) -> Vec<u8> {
        self.0.encrypt(&place(at), data)
    }

    fn decrypt(&self, at: &str, data: &[u8]) -> Option<Vec<u8>> {
        self.0.decrypt(&place(at), data).ok().map(|plain| plain.to_vec())
    }
}
