//! Opening: an envelope becomes content, or is refused without a trace.
//!
//! The checks run in this order: the envelope is what the relay says it is, its sender is known and its
//! keys are the pinned ones, the signature is valid, it is sealed to us with the layers that the sender
//! must use, and it is new. Only then is anything decrypted, on copies of the state.

use assent_ids::{ClientMessageId, ConversationId, UnixMillis};
use assent_protocol::a2h::{ContentType, MsgSubtype};
use vodozemac::{
    Curve25519PublicKey,
    olm::{
        DecryptionError, InboundCreationResult, Message, OlmMessage, PreKeyMessage, SessionConfig,
        SessionCreationError,
    },
};
use zeroize::Zeroizing;

use crate::{
    Account, Endpoint, Envelope, Header, Layers, Malformed, Peer, content,
    envelope::{BlockBody, SESSION_PREFIX_BYTES, WRAPPED_KEY_BYTES},
    kem::{WRAP_BYTES, wrapped_for},
    random::Secret,
    seal::stateless_info,
    session::{Session, session_id, wrap_info},
};

/// Why an envelope was refused, in the order of the checks.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, thiserror::Error)]
pub enum Refusal {
    /// The bytes are not an envelope.
    #[error("the message is not an envelope of version 1")]
    Malformed,
    /// The routing fields are not those that the relay announced.
    #[error("the relay announced another message than the one in the envelope")]
    RoutingMismatch,
    /// The sender is unknown.
    #[error("the sender is unknown")]
    UnknownSender,
    /// The keys or layers of the sender have changed and were not accepted yet.
    #[error("the keys of the sender have changed")]
    KeyChanged,
    /// The signature is wrong.
    #[error("the message is not signed by its sender")]
    BadSignature,
    /// There is no block for us.
    #[error("the message is not sealed to this device or agent")]
    NotForMe,
    /// The message uses other layers of encryption than the sender must.
    #[error("the message is sealed with other layers than agreed")]
    LayerDowngrade,
    /// The message was opened before.
    #[error("the message was opened before")]
    Replay,
    /// The session is unknown.
    #[error("the session of the message is unknown")]
    NoSession,
    /// A prekey was used up or forgotten.
    #[error("a prekey of the message was used before or has expired")]
    PrekeyUsed,
    /// Too many messages of the session are missing.
    #[error("too many messages of the session are missing")]
    GapTooLarge,
    /// The message does not decrypt.
    #[error("the message cannot be decrypted")]
    CannotOpen,
}

impl Refusal {
    /// All of them, in the order of the checks.
    pub const ALL: [Self; 12] = [
        Self::Malformed,
        Self::RoutingMismatch,
        Self::UnknownSender,
        Self::KeyChanged,
        Self::BadSignature,
        Self::NotForMe,
        Self::LayerDowngrade,
        Self::Replay,
        Self::NoSession,
        Self::PrekeyUsed,
        Self::GapTooLarge,
        Self::CannotOpen,
    ];

    /// The stable code, as metrics and activity name it.
    #[must_use]
    pub const fn code(self) -> &'static str {
        match self {
            Self::Malformed => "malformed",
            Self::RoutingMismatch => "routing_mismatch",
            Self::UnknownSender => "unknown_sender",
            Self::KeyChanged => "key_changed",
            Self::BadSignature => "bad_signature",
            Self::NotForMe => "not_for_me",
            Self::LayerDowngrade => "layer_downgrade",
            Self::Replay => "replay",
            Self::NoSession => "no_session",
            Self::PrekeyUsed => "prekey_used",
            Self::GapTooLarge => "gap_too_large",
            Self::CannotOpen => "cannot_open",
        }
    }

    /// Whether a new session repairs it: the two sides no longer have the same one.
    #[must_use]
    pub const fn needs_new_session(self) -> bool {
        matches!(self, Self::NoSession | Self::PrekeyUsed | Self::GapTooLarge | Self::CannotOpen)
    }
}

impl From<Malformed> for Refusal {
    fn from(_: Malformed) -> Self {
        Self::Malformed
    }
}

/// What the relay announced about a message. The envelope must say the same.
#[derive(Clone, Debug)]
pub struct Routing {
    /// Where the message was sent.
    pub conversation: ConversationId,
    /// The sender's name for the message.
    pub client_message_id: ClientMessageId,
    /// What the message is for.
    pub subtype: MsgSubtype,
    /// What the message holds.
    pub content_type: ContentType,
    /// The endpoints that the announced sender may speak as: the agent itself, or the known devices of a
    /// person.
    pub senders: Vec<Endpoint>,
}

impl Routing {
    fn matches(&self, header: &Header) -> bool {
        self.conversation == header.conversation
            && self.client_message_id == header.client_message_id
            && self.subtype == header.subtype
            && self.content_type == header.content_type
            && self.senders.contains(&header.sender)
    }
}

/// The facts that opening depends on, besides keys.
#[derive(Clone, Copy, Debug)]
pub struct OpenContext<'a> {
    /// The device or agent that opens.
    pub me: Endpoint,
    /// What the relay announced.
    pub routing: &'a Routing,
    /// Whether a message of this sender with this name was opened in the last 30 days.
    pub is_replay: bool,
    /// The time.
    pub now: UnixMillis,
}

/// Opens an envelope and advances the session that it came in.
///
/// `peer` is what is known about the envelope's sender, if anything. The caller stores account and peer in
/// the transaction that stores the content.
///
/// # Errors
/// If any check fails. Then neither the account nor the peer has changed.
pub fn open(
    envelope: &Envelope,
    account: &mut Account,
    peer: Option<&mut Peer>,
    context: OpenContext<'_>,
) -> Result<Zeroizing<Vec<u8>>, Refusal> {
    let header = envelope.header();
    if !context.routing.matches(header) {
        return Err(Refusal::RoutingMismatch);
    }
    let peer = peer.filter(|peer| peer.endpoint() == header.sender);
    let peer = peer.ok_or(Refusal::UnknownSender)?;
    if peer.has_changed() {
        return Err(Refusal::KeyChanged);
    }
    if !envelope.is_signed_by(&peer.keys().signing) {
        return Err(Refusal::BadSignature);
    }
    let block = envelope.block_for(context.me).ok_or(Refusal::NotForMe)?;
    check_layers(peer.layers(), &block.body)?;
    if context.is_replay {
        return Err(Refusal::Replay);
    }
    let opening = Opening { envelope, context };
    match &block.body {
        BlockBody::Stateless { wrap } => opening.stateless(account, wrap),
        BlockBody::Session { session, key, olm } => opening.session(peer, session, key, olm),
        BlockBody::First { wrap, key, olm } => opening.first(account, peer, wrap, key, olm),
    }
}

fn check_layers(layers: &Layers, body: &BlockBody) -> Result<(), Refusal> {
    let is_stateless = matches!(body, BlockBody::Stateless { .. });
    let must_be_stateless = matches!(layers, Layers::Stateless { .. });
    if is_stateless == must_be_stateless { Ok(()) } else { Err(Refusal::LayerDowngrade) }
}

/// An envelope that passed every check that needs no secret.
struct Opening<'a> {
    envelope: &'a Envelope,
    context: OpenContext<'a>,
}

impl Opening<'_> {
    fn stateless(
        &self,
        account: &Account,
        wrap: &[u8; WRAP_BYTES],
    ) -> Result<Zeroizing<Vec<u8>>, Refusal> {
        let key = account.kem_key(wrapped_for(wrap)).ok_or(Refusal::PrekeyUsed)?;
        let info = stateless_info(self.envelope.header_bytes(), self.context.me);
        let content_key = key.unwrap_secret(wrap, &info).map_err(|_| Refusal::CannotOpen)?;
        self.content(&content_key)
    }

    fn session(
        &self,
        peer: &mut Peer,
        prefix: &[u8; SESSION_PREFIX_BYTES],
        key: &[u8; WRAPPED_KEY_BYTES],
        olm: &[u8],
    ) -> Result<Zeroizing<Vec<u8>>, Refusal> {
        let message = Message::from_bytes(olm).map_err(|_| Refusal::CannotOpen)?.into();
        let known = peer.sessions().iter().find(|session| session.prefix() == *prefix);
        let session = known.ok_or(Refusal::NoSession)?.copy();
        self.in_session(peer, session, &message, key)
    }

    fn first(
        &self,
        account: &mut Account,
        peer: &mut Peer,
        wrap: &[u8; WRAP_BYTES],
        key: &[u8; WRAPPED_KEY_BYTES],
        olm: &[u8],
    ) -> Result<Zeroizing<Vec<u8>>, Refusal> {
        let message = PreKeyMessage::from_bytes(olm).map_err(|_| Refusal::CannotOpen)?;
        let id = session_id(&message.session_keys());
        match peer.sessions().iter().find(|session| session.id() == id) {
            Some(known) => self.in_session(peer, known.copy(), &message.into(), key),
            None => self.new_session(account, peer, wrap, key, &message),
        }
    }

    /// A message in a session that is known.
    fn in_session(
        &self,
        peer: &mut Peer,
        mut session: Session,
        message: &OlmMessage,
        key: &[u8; WRAPPED_KEY_BYTES],
    ) -> Result<Zeroizing<Vec<u8>>, Refusal> {
        let message_secret =
            Zeroizing::new(session.decrypt_message(message).map_err(|error| refusal_of(&error))?);
        let content = self.with_message_secret(&session, &message_secret, key)?;
        peer.put_first(session);
        Ok(content)
    }

    /// The first message of a session that the peer set up.
    fn new_session(
        &self,
        account: &mut Account,
        peer: &mut Peer,
        wrap: &[u8; WRAP_BYTES],
        key: &[u8; WRAPPED_KEY_BYTES],
        message: &PreKeyMessage,
    ) -> Result<Zeroizing<Vec<u8>>, Refusal> {
        let id = session_id(&message.session_keys());
        let kem_key = account.kem_key(wrapped_for(wrap)).ok_or(Refusal::PrekeyUsed)?;
        let info = wrap_info(self.envelope.header().sender, self.context.me, &id);
        let secret = kem_key.unwrap_secret(wrap, &info).map_err(|_| Refusal::CannotOpen)?;
        let mut olm = account.copy_of_olm();
        let identity = Curve25519PublicKey::from_bytes(peer.keys().identity);
        let created = olm.create_inbound_session(SessionConfig::version_1(), identity, message);
        let InboundCreationResult { session, plaintext } = created.map_err(creation_refusal)?;
        let message_secret = Zeroizing::new(plaintext);
        let session = Session::new(session, secret, None, self.context.now);
        let content = self.with_message_secret(&session, &message_secret, key)?;
        account.replace_olm(olm, message.one_time_key().to_bytes());
        peer.put_first(session);
        Ok(content)
    }

    fn with_message_secret(
        &self,
        session: &Session,
        message_secret: &[u8],
        key: &[u8; WRAPPED_KEY_BYTES],
    ) -> Result<Zeroizing<Vec<u8>>, Refusal> {
        let header = self.envelope.header_bytes();
        let content_key = session.decrypt_key(message_secret, key, header, self.context.me);
        self.content(&content_key.ok_or(Refusal::CannotOpen)?)
    }

    fn content(&self, content_key: &Secret) -> Result<Zeroizing<Vec<u8>>, Refusal> {
        let (header, aad) = (self.envelope.header_bytes(), self.envelope.authenticated_bytes());
        let content = content::decrypt(content_key, header, aad, self.envelope.ciphertext());
        content.ok_or(Refusal::CannotOpen)
    }
}

fn refusal_of(error: &DecryptionError) -> Refusal {
    match error {
        DecryptionError::MissingMessageKey(_) => Refusal::Replay,
        DecryptionError::TooBigMessageGap(..) => Refusal::GapTooLarge,
        DecryptionError::InvalidMAC(_)
        | DecryptionError::InvalidMACLength(..)
        | DecryptionError::InvalidPadding(_)
        | DecryptionError::NonContributoryKey => Refusal::CannotOpen,
    }
}

fn creation_refusal(error: SessionCreationError) -> Refusal {
    match error {
        SessionCreationError::MissingOneTimeKey(_) => Refusal::PrekeyUsed,
        SessionCreationError::Decryption(error) => refusal_of(&error),
        SessionCreationError::MismatchedIdentityKey(..)
        | SessionCreationError::MismatchedSessionConfig { .. }
        | SessionCreationError::NonContributoryKey => Refusal::CannotOpen,
    }
}
