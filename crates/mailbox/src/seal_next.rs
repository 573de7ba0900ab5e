//! Sealing the messages of the outbox.

use assent_sealing::{
    BundleError, Endpoint, Header, Outgoing, Peer, PrekeyBundle, SealError, seal,
};
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
    /// A message needs a session with this peer first: claim its prekeys, then call
    /// [`Mailbox::start_session`].
    NeedsSession(Endpoint),
    /// No message can be sealed. Messages to peers whose keys have changed wait until the keys are accepted.
    Idle,
}

pub(crate) async fn run(mailbox: &Mailbox, tx: &mut Tx) -> Result<Sealing, MailboxError> {
    let me = identity::load(tx, &mailbox.cipher).await?;
    let mut after = 0;
    while let Some(unsealed) = outbox::next_unsealed(tx, &mailbox.cipher, after).await? {
        after = unsealed.position;
        let mut recipients = load_recipients(mailbox, tx, &unsealed).await?;
        if recipients.iter().any(Peer::has_changed) {
            continue;
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
        let envelope = seal(&me.account, &mut refs, outgoing, now, mailbox.entropy())?;
        for peer in &recipients {
            peers::save(tx, &mailbox.cipher, peer).await?;
        }
        outbox::set_envelope(tx, unsealed.position, envelope).await?;
        return Ok(Sealing::Sealed);
    }
    Ok(Sealing::Idle)
}

async fn load_recipients(
    mailbox: &Mailbox,
    tx: &mut Tx,
    unsealed: &UnsealedMessage,
) -> Result<Vec<Peer>, MailboxError> {
    let mut recipients = Vec::with_capacity(unsealed.message.recipients.len());
    for endpoint in &unsealed.message.recipients {
        let peer = peers::find(tx, &mailbox.cipher, *endpoint).await?;
        recipients.push(peer.ok_or(MailboxError::UnknownPeer)?);
    }
    if recipients.is_empty() { Err(SealError::Recipients.into()) } else { Ok(recipients) }
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
