//! Sealing: content for one or more recipients becomes an envelope.

use assent_ids::{Entropy, UnixMillis};

use crate::{
    Account, Endpoint, Header, Layers, MAX_ENVELOPE_BYTES, MAX_RECIPIENTS, Peer, content,
    envelope::{Block, BlockBody, signed_message, write_blocks},
    kem::wrap_secret,
    random::{Secret, secret},
    session::Session,
};

/// A message to seal.
#[derive(Clone, Copy, Debug)]
pub struct Outgoing<'a> {
    /// The routing fields.
    pub header: &'a Header,
    /// The content, as JSON.
    pub content: &'a [u8],
}

/// A message could not be sealed. Nothing was changed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum SealError {
    /// There is no session with this peer that can be sent in: set one up first.
    #[error("there is no session with {0} yet")]
    NoSession(Endpoint),
    /// Keys or layers of this peer have changed: nothing is sealed until a person accepts them.
    #[error("the keys of {0} have changed")]
    KeysChanged(Endpoint),
    /// The content does not fit into a message, or the envelope would be too large.
    #[error("the message is too large")]
    TooLarge,
    /// There are no recipients, too many, or one twice.
    #[error("a message needs between 1 and 1,024 different recipients")]
    Recipients,
    /// The name of the message is not 1 to 64 visible characters of ASCII.
    #[error("the client message id must be 1 to 64 visible ASCII characters")]
    Name,
}

/// Seals a message to all peers and advances their sessions.
///
/// The caller stores the peers before the envelope leaves.
///
/// # Errors
/// If it cannot be sealed to one of them. Then no peer has changed.
pub fn seal(
    account: &Account,
    peers: &mut [&mut Peer],
    message: Outgoing<'_>,
    now: UnixMillis,
    entropy: &dyn Entropy,
) -> Result<Vec<u8>, SealError> {
    check_recipients(peers)?;
    let content_key = secret(entropy);
    let header = message.header.to_bytes().ok_or(SealError::Name)?;
    let mut blocks = Vec::with_capacity(peers.len());
    let mut advanced = Vec::with_capacity(peers.len());
    for peer in peers.iter() {
        let (body, session) = seal_key(peer, &content_key, &header, now, entropy)?;
        blocks.push(Block { recipient: peer.endpoint(), body });
        advanced.push(session);
    }
    let mut envelope = header.clone();
    write_blocks(&blocks, &mut envelope).ok_or(SealError::TooLarge)?;
    let ciphertext = content::encrypt(&content_key, &header, &envelope, message.content);
    let ciphertext = ciphertext.ok_or(SealError::TooLarge)?;
    let length = u32::try_from(ciphertext.len()).map_err(|_| SealError::TooLarge)?;
    envelope.extend_from_slice(&length.to_be_bytes());
    envelope.extend_from_slice(&ciphertext);
    let signature = account.sign(&signed_message(&envelope));
    envelope.extend_from_slice(&signature);
    if envelope.len() > MAX_ENVELOPE_BYTES {
        return Err(SealError::TooLarge);
    }
    for (peer, session) in peers.iter_mut().zip(advanced) {
        session.into_iter().for_each(|session| peer.put_first(session));
    }
    Ok(envelope)
}

fn check_recipients(peers: &[&mut Peer]) -> Result<(), SealError> {
    let mut endpoints: Vec<Endpoint> = peers.iter().map(|peer| peer.endpoint()).collect();
    endpoints.sort_unstable();
    endpoints.dedup();
    let is_valid = endpoints.len() == peers.len() && (1..=MAX_RECIPIENTS).contains(&peers.len());
    if is_valid { Ok(()) } else { Err(SealError::Recipients) }
}

/// The content key for one peer, and the state of its session afterwards.
fn seal_key(
    peer: &Peer,
    content_key: &Secret,
    header: &[u8],
    now: UnixMillis,
    entropy: &dyn Entropy,
) -> Result<(BlockBody, Option<Session>), SealError> {
    let recipient = peer.endpoint();
    if peer.has_changed() {
        return Err(SealError::KeysChanged(recipient));
    }
    match peer.layers() {
        Layers::Full => {
            let no_session = SealError::NoSession(recipient);
            let mut session = peer.copy_of_sending_session(now).ok_or(no_session)?;
            let body = session.encrypt_key(content_key, header, recipient, entropy);
            Ok((body.ok_or(no_session)?, Some(session)))
        }
        Layers::Stateless { kem_key } => {
            let info = stateless_info(header, recipient);
            let wrap = wrap_secret(kem_key, content_key, &info, entropy).ok();
            let wrap = wrap.and_then(|wrap| wrap.try_into().ok()).map(Box::new);
            let wrap = wrap.ok_or(SealError::KeysChanged(recipient))?;
            Ok((BlockBody::Stateless { wrap }, None))
        }
    }
}

/// What a content key that is wrapped for a stateless peer is bound to.
pub(crate) fn stateless_info(header: &[u8], recipient: Endpoint) -> Vec<u8> {
    [&b"assent/v1/wrap"[..], header, &recipient.to_bytes()].concat()
}
