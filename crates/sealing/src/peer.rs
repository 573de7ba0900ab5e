//! What is known about the other side.

use std::{fmt, time::Duration};

use assent_ids::{Entropy, UnixMillis};
use serde::{Deserialize, Serialize};
use zeroize::Zeroizing;

use crate::{
    Account, BundleError, Endpoint, PickleError, PrekeyBundle,
    session::{Session, SessionId, StoredSession},
};

/// A session is used for sending for this long.
const SENDING_PERIOD: Duration = Duration::from_hours(7 * 24);

/// A session is kept for reading for this long.
const KEEPING_PERIOD: Duration = Duration::from_hours(14 * 24);

/// The most sessions that are kept with one peer.
const MAX_SESSIONS: usize = 5;

/// A new session may be forced upon a peer this often.
const RESET_PERIOD: Duration = Duration::from_mins(1);

/// The two identity keys of a device or an agent.
#[derive(Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct PublicKeys {
    /// IK, the Curve25519 key.
    pub identity: [u8; 32],
    /// SK, the Ed25519 key.
    pub signing: [u8; 32],
}

impl fmt::Debug for PublicKeys {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("PublicKeys").finish_non_exhaustive()
    }
}

/// Which layers of encryption a peer takes part in. They are decided once, from the client's own record, and
/// never because the relay says so.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Layers {
    /// The peer keeps state: messages go through a session.
    Full,
    /// The peer keeps no state: content keys are wrapped for its KEM key.
    Stateless {
        /// The peer's X-Wing key.
        kem_key: Vec<u8>,
    },
}

/// A device or an agent that messages are exchanged with.
pub struct Peer {
    endpoint: Endpoint,
    keys: PublicKeys,
    layers: Layers,
    /// The keys, the layers or the mode are no longer those that were pinned.
    has_changed: bool,
    /// The session that was set up or opened in last comes first.
    sessions: Vec<Session>,
    reset_at: Option<UnixMillis>,
}

/// A peer as it is stored.
#[derive(Serialize, Deserialize)]
struct StoredPeer {
    endpoint: Endpoint,
    keys: PublicKeys,
    layers: Layers,
    has_changed: bool,
    sessions: Vec<StoredSession>,
    reset_at: Option<u64>,
}

impl Peer {
    /// A peer whose keys and layers are pinned now.
    #[must_use]
    pub const fn new(endpoint: Endpoint, keys: PublicKeys, layers: Layers) -> Self {
        Self { endpoint, keys, layers, has_changed: false, sessions: Vec::new(), reset_at: None }
    }

    /// Which device or agent this is.
    #[must_use]
    pub const fn endpoint(&self) -> Endpoint {
        self.endpoint
    }

    /// The pinned keys.
    #[must_use]
    pub const fn keys(&self) -> &PublicKeys {
        &self.keys
    }

    /// The pinned layers.
    #[must_use]
    pub const fn layers(&self) -> &Layers {
        &self.layers
    }

    /// Whether other keys or other layers were seen than those that are pinned. Nothing is sealed or opened
    /// until a person accepts them.
    #[must_use]
    pub const fn has_changed(&self) -> bool {
        self.has_changed
    }

    /// Records that other keys or other layers were seen.
    pub const fn mark_changed(&mut self) {
        self.has_changed = true;
    }

    /// Records that the pinned keys and layers are those that the peer has now.
    pub const fn mark_unchanged(&mut self) {
        self.has_changed = false;
    }

    /// Whether a message can be sealed without a new session.
    #[must_use]
    pub fn can_seal(&self, now: UnixMillis) -> bool {
        match self.layers {
            Layers::Stateless { .. } => true,
            Layers::Full => self.sending_session(now).is_some(),
        }
    }

    /// Sets up a session with the prekeys that the relay handed out.
    ///
    /// # Errors
    /// If the keys are not the pinned ones, or a signature is wrong.
    pub fn start_session(
        &mut self,
        account: &Account,
        sender: Endpoint,
        bundle: &PrekeyBundle,
        now: UnixMillis,
        entropy: &dyn Entropy,
    ) -> Result<(), BundleError> {
        let session = bundle.start_session(account, sender, self, now, entropy)?;
        self.put_first(session);
        Ok(())
    }

    /// Whether a new session may be forced upon the peer because a message could not be read. If so, the
    /// time is recorded: it is allowed once a minute.
    pub fn may_reset(&mut self, now: UnixMillis) -> bool {
        let is_due = self.reset_at.is_none_or(|last| now.since(last) >= RESET_PERIOD);
        if is_due {
            self.reset_at = Some(now);
        }
        is_due
    }

    /// Forgets sessions that are too old to read from. Called once every waiting message has been read.
    pub fn forget_old_sessions(&mut self, now: UnixMillis) {
        self.sessions.retain(|session| now.since(session.created_at()) < KEEPING_PERIOD);
    }

    /// Forgets all sessions, as after changed keys or a restored copy of the state.
    pub fn forget_sessions(&mut self) {
        self.sessions.clear();
    }

    fn sending_session(&self, now: UnixMillis) -> Option<&Session> {
        let first = self.sessions.first()?;
        (now.since(first.created_at()) < SENDING_PERIOD).then_some(first)
    }

    /// A copy of the session that messages are sent in.
    pub(crate) fn copy_of_sending_session(&self, now: UnixMillis) -> Option<Session> {
        self.sending_session(now).map(Session::copy)
    }

    pub(crate) fn sessions(&self) -> &[Session] {
        &self.sessions
    }

    /// Makes a session the one that messages are sent in, in place of its earlier state.
    pub(crate) fn put_first(&mut self, session: Session) {
        let id: SessionId = session.id();
        self.sessions.retain(|kept| kept.id() != id);
        self.sessions.insert(0, session);
        self.sessions.truncate(MAX_SESSIONS);
    }

    /// The peer as JSON. It contains secrets: the caller encrypts it.
    ///
    /// # Errors
    /// If the state cannot be written as JSON, which does not happen.
    pub fn to_json(&self) -> Result<Zeroizing<Vec<u8>>, PickleError> {
        let stored = StoredPeer {
            endpoint: self.endpoint,
            keys: self.keys,
            layers: self.layers.clone(),
            has_changed: self.has_changed,
            sessions: self.sessions.iter().map(Session::store).collect(),
            reset_at: self.reset_at.map(UnixMillis::get),
        };
        serde_json::to_vec(&stored).map(Zeroizing::new).map_err(|_| PickleError)
    }

    /// Reads what [`Self::to_json`] wrote.
    ///
    /// # Errors
    /// If these bytes are something else.
    pub fn from_json(bytes: &[u8]) -> Result<Self, PickleError> {
        let stored: StoredPeer = serde_json::from_slice(bytes).map_err(|_| PickleError)?;
        let sessions: Result<_, ()> = stored.sessions.into_iter().map(Session::try_from).collect();
        Ok(Self {
            endpoint: stored.endpoint,
            keys: stored.keys,
            layers: stored.layers,
            has_changed: stored.has_changed,
            sessions: sessions.map_err(|()| PickleError)?,
            reset_at: stored.reset_at.map(UnixMillis::new),
        })
    }
}

impl fmt::Debug for Peer {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut peer = f.debug_struct("Peer");
        peer.field("endpoint", &self.endpoint).field("has_changed", &self.has_changed);
        peer.field("sessions", &self.sessions.len()).finish_non_exhaustive()
    }
}
