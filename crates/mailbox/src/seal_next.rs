//! Sealing the messages of the outbox.

use assent_sealing::{BundleError, Endpoint, Header, Outgoing, Peer, PrekeyBundle, seal};
use assent_store::Tx;

use crate::{
    Mailbox, MailboxError, identity,
    outbox::{self, UnsealedMessage},
    peers,
};

/// What came of sealing the next message.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Sealing {
    /// A message was sealed.
    Sealed,
    /// A message can never be sealed, and was refused.
    Refused,
    /// A message needs a session with this peer first: claim its prekeys, then call
    /// [`Mailbox::start_session`].
    NeedsSession(Endpoint),
    /// No message can be sealed. Messages to agents whose keys have changed wait until the keys are accepted.
    Idle,
}

/// The code of messages that can never be sealed.
const UNSEALABLE: &str = "UNSEALABLE";

/// The code of refused messages to devices whose keys have changed.
pub const KEYS_CHANGED: &str = "KEYS_CHANGED";

pub(crate) async fn run(
    mailbox: &Mailbox,
    tx: &mut Tx,
    unreachable: &[Endpoint],
) -> Result<Sealing, MailboxError> {
    let me = identity::load(tx, &mailbox.cipher).await?;
    let mut after = 0;
    while let Some(unsealed) = outbox::next_unsealed(tx, &mailbox.cipher, after).await? {
        after = unsealed.position;
        if unsealed.message.recipients.iter().any(|peer| unreachable.contains(peer)) {
            continue;
        }
        let Some(mut recipients) = load_recipients(mailbox, tx, &unsealed).await? else {
            outbox::refuse(tx, unsealed.position, UNSEALABLE).await?;
            return Ok(Sealing::Refused);
        };
        if let Some(changed) = recipients.iter().find(|peer| peer.has_changed()) {
            // A person can accept other keys of an agent. Other keys of a device are final.
            match changed.endpoint() {
                Endpoint::Agent(_) => continue,
                Endpoint::Device(_) => {
                    outbox::refuse(tx, unsealed.position, KEYS_CHANGED).await?;
                    return Ok(Sealing::Refused);
                }
            }
        }
        let now = mailbox.now();
        let lacks_session = |peer: &&Peer| unsealed.needs_new_session || !peer.can_seal(now);
        if let Some(peer) = recipients.iter().find(lacks_session) {
            return Ok(Sealing::NeedsSession(peer.endpoint()));
        }
        let message = &unsealed.message;
        let header = Header {
            conversation: message.conversation,
            sender: me.registered()?,
            client_message_id: message.client_message_id.clone(),
            subtype: message.subtype,
            content_type: message.content_type,
            sent_at: now,
            device_list_epoch: 0,
        };
        let outgoing = Outgoing { header: &header, content: &message.content };
        let mut refs: Vec<&mut Peer> = recipients.iter_mut().collect();
        let sealed = seal(&me.account, &mut refs, outgoing, now, mailbox.entropy());
        let Ok(envelope) = sealed else {
            outbox::refuse(tx, unsealed.position, UNSEALABLE).await?;
            return Ok(Sealing::Refused);
        };
        for peer in &recipients {
            peers::save(tx, &mailbox.cipher, peer).await?;
        }
        outbox::set_envelope(tx, unsealed.position, envelope).await?;
        return Ok(Sealing::Sealed);
    }
    Ok(Sealing::Idle)
}

/// The recipients of a message; `None` if there are none, or one of them is not known.
async fn load_recipients(
    mailbox: &Mailbox,
    tx: &mut Tx,
    unsealed: &UnsealedMessage,
) -> Result<Option<Vec<Peer>>, MailboxError> {
    let mut recipients = Vec::with_capacity(unsealed.message.recipients.len());
    for endpoint in &unsealed.message.recipients {
        let Some(peer) = peers::find(tx, &mailbox.cipher, *endpoint).await? else {
            return Ok(None);
        };
        recipients.push(peer);
    }
    Ok(if recipients.is_empty() { None } else { Some(recipients) })
}

pub(crate) async fn start_session(
    mailbox: &Mailbox,
    tx: &mut Tx,
    endpoint: Endpoint,
    bundle: &PrekeyBundle,
) -> Result<(), MailboxError> {
    let me = identity::load(tx, &mailbox.cipher).await?;
    let peer = peers::find(tx, &mailbox.cipher, endpoint).await?;
    let mut peer = peer.ok_or(MailboxError::UnknownPeer)?;
    let (now, sender) = (mailbox.now(), me.registered()?);
    match peer.start_session(&me.account, sender, bundle, now, mailbox.entropy()) {
        Ok(()) => outbox::has_new_session(tx, endpoint).await?,
        Err(BundleError::KeysChanged) => peer.mark_changed(),
        Err(error) => return Err(error.into()),
    }
    peers::save(tx, &mailbox.cipher, &peer).await
}
