//! A session with a peer: the Olm ratchet, and the post-quantum secret that is mixed into every message.

use assent_ids::{Entropy, UnixMillis};
use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};
use vodozemac::olm::{self, OlmMessage, SessionKeys, SessionPickle};
use zeroize::Zeroizing;

use crate::{
    Endpoint,
    derive::DerivedCipher,
    envelope::{BlockBody, SESSION_PREFIX_BYTES, WRAPPED_KEY_BYTES},
    kem::WRAP_BYTES,
    random::{Secret, secret},
};

/// The SHA-256 over the keys that set the session up.
pub(crate) type SessionId = [u8; 32];

/// One session with one peer.
pub(crate) struct Session {
    olm: olm::Session,
    /// K2, the secret that was encapsulated with X-Wing when the session was set up.
    secret: Secret,
    /// K2 as it was wrapped for the peer, sent again with every message until the peer answers.
    wrap: Option<Box<[u8; WRAP_BYTES]>>,
    created_at: UnixMillis,
}

/// A session as it is stored.
#[derive(Serialize, Deserialize)]
pub(crate) struct StoredSession {
    olm: SessionPickle,
    secret: Secret,
    wrap: Option<Vec<u8>>,
    created_at: u64,
}

impl Session {
    pub(crate) const fn new(
        olm: olm::Session,
        secret: Secret,
        wrap: Option<Box<[u8; WRAP_BYTES]>>,
        created_at: UnixMillis,
    ) -> Self {
        Self { olm, secret, wrap, created_at }
    }

    pub(crate) fn id(&self) -> SessionId {
        session_id(&self.olm.session_keys())
    }

    pub(crate) fn prefix(&self) -> [u8; SESSION_PREFIX_BYTES] {
        prefix(&self.id())
    }

    pub(crate) const fn created_at(&self) -> UnixMillis {
        self.created_at
    }

    /// Encrypts a content key for the peer, and advances the ratchet.
    pub(crate) fn encrypt_key(
        &mut self,
        content_key: &Secret,
        header: &[u8],
        recipient: Endpoint,
        entropy: &dyn Entropy,
    ) -> Option<BlockBody> {
        let message_secret = secret(entropy);
        let message = self.olm.encrypt(*message_secret).ok()?;
        let cipher = self.key_cipher(&message_secret, header, recipient);
        let key = cipher.encrypt(&**content_key, &[]).try_into().ok()?;
        match (message, &self.wrap) {
            (OlmMessage::PreKey(message), Some(wrap)) => {
                Some(BlockBody::First { wrap: wrap.clone(), key, olm: message.to_bytes() })
            }
            (OlmMessage::Normal(message), _) => {
                Some(BlockBody::Session { session: self.prefix(), key, olm: message.to_bytes() })
            }
            // A session that was set up by the peer never sends pre-key messages.
            (OlmMessage::PreKey(_), None) => None,
        }
    }

    /// Decrypts the secret of a message, and advances the ratchet.
    pub(crate) fn decrypt_message(
        &mut self,
        message: &OlmMessage,
    ) -> Result<Vec<u8>, olm::DecryptionError> {
        self.olm.decrypt(message)
    }

    /// Decrypts a content key with the secret of its message.
    pub(crate) fn decrypt_key(
        &self,
        message_secret: &[u8],
        key: &[u8; WRAPPED_KEY_BYTES],
        header: &[u8],
        recipient: Endpoint,
    ) -> Option<Secret> {
        let message_secret = Zeroizing::new(message_secret.try_into().ok()?);
        let cipher = self.key_cipher(&message_secret, header, recipient);
        let content_key = cipher.decrypt(key, &[]).ok()?;
        Some(Zeroizing::new(content_key.as_slice().try_into().ok()?))
    }

    fn key_cipher(
        &self,
        message_secret: &Secret,
        header: &[u8],
        recipient: Endpoint,
    ) -> DerivedCipher {
        let (digest, recipient) = (Sha256::digest(header), recipient.to_bytes());
        DerivedCipher::derive(
            &self.secret,
            message_secret,
            &[b"assent/v1/key", &digest, &recipient],
        )
    }

    /// A copy that can be thrown away if a message turns out to be unreadable.
    pub(crate) fn copy(&self) -> Self {
        Self {
            olm: olm::Session::from_pickle(self.olm.pickle()),
            secret: self.secret.clone(),
            wrap: self.wrap.clone(),
            created_at: self.created_at,
        }
    }

    pub(crate) fn store(&self) -> StoredSession {
        StoredSession {
            olm: self.olm.pickle(),
            secret: self.secret.clone(),
            wrap: self.wrap.as_ref().map(|wrap| wrap.to_vec()),
            created_at: self.created_at.get(),
        }
    }
}

impl TryFrom<StoredSession> for Session {
    type Error = ();

    fn try_from(stored: StoredSession) -> Result<Self, ()> {
        let wrap = match stored.wrap {
            Some(wrap) => Some(Box::new(<[u8; WRAP_BYTES]>::try_from(wrap).map_err(|_| ())?)),
            None => None,
        };
        let created_at = UnixMillis::new(stored.created_at);
        Ok(Self::new(olm::Session::from_pickle(stored.olm), stored.secret, wrap, created_at))
    }
}

/// The id that Olm gives to a session with these keys.
pub(crate) fn session_id(keys: &SessionKeys) -> SessionId {
    let digest = Sha256::new()
        .chain_update(keys.identity_key.as_bytes())
        .chain_update(keys.base_key.as_bytes())
        .chain_update(keys.one_time_key.as_bytes());
    digest.finalize().into()
}

fn prefix(id: &SessionId) -> [u8; SESSION_PREFIX_BYTES] {
    let mut prefix = [0; SESSION_PREFIX_BYTES];
    prefix.iter_mut().zip(id).for_each(|(to, from)| *to = *from);
    prefix
}

/// What the wrapped secret of a session is bound to.
pub(crate) fn wrap_info(sender: Endpoint, recipient: Endpoint, session: &SessionId) -> Vec<u8> {
    [&b"assent/v1/session"[..], &sender.to_bytes(), &recipient.to_bytes(), session].concat()
}
