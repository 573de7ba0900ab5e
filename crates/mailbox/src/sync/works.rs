//! The transactions of synchronization.

use assent_ids::{EventSeq, Principal};
use assent_protocol::a2h::RelayEvent;
use assent_sealing::{Endpoint, Peer, PrekeyBundle, Prekeys};
use assent_store::{Tx, Work};

use crate::{Mailbox, MailboxError, OwnState, SealedMessage, Sealing};

/// Returns the own keys and the last event.
pub(super) struct LoadOwnState(pub(super) Mailbox);

/// Opens an event and stores it, after the peers that it needs.
pub(super) struct Receive {
    pub(super) mailbox: Mailbox,
    pub(super) event: RelayEvent,
    pub(super) new_peers: Vec<(Principal, Peer)>,
}

/// Skips events that the relay has deleted.
pub(super) struct SkipTo(pub(super) Mailbox, pub(super) EventSeq);

/// Seals a message of the outbox.
pub(super) struct SealNext(pub(super) Mailbox, pub(super) Vec<Endpoint>);

/// Sets up a session.
pub(super) struct StartSession(pub(super) Mailbox, pub(super) Endpoint, pub(super) PrekeyBundle);

/// Finds a sealed message.
pub(super) struct NextSealed(pub(super) Mailbox, pub(super) u64);

/// Finds the person that a device belongs to.
pub(super) struct OwnerOf(pub(super) Mailbox, pub(super) Endpoint);

/// Removes a message that the relay has stored.
pub(super) struct Acknowledge(pub(super) Mailbox, pub(super) SealedMessage);

/// Records that the relay will never store a message.
pub(super) struct Refuse(pub(super) Mailbox, pub(super) SealedMessage, pub(super) String);

/// Makes prekeys.
pub(super) struct RenewPrekeys(pub(super) Mailbox, pub(super) usize);

/// Records that the relay has the prekeys.
pub(super) struct PrekeysPublished(pub(super) Mailbox);

impl Work for LoadOwnState {
    type Output = OwnState;
    type Error = MailboxError;
    async fn run(&self, tx: &mut Tx) -> Result<OwnState, MailboxError> {
        self.0.own_state(tx).await
    }
}

impl Work for Receive {
    type Output = bool;
    type Error = MailboxError;
    async fn run(&self, tx: &mut Tx) -> Result<bool, MailboxError> {
        for (principal, peer) in &self.new_peers {
            if self.mailbox.peer(tx, peer.endpoint()).await?.is_none() {
                self.mailbox.put_peer(tx, *principal, peer).await?;
            }
        }
        self.mailbox.receive(tx, &self.event).await
    }
}

impl Work for SkipTo {
    type Output = ();
    type Error = MailboxError;
    async fn run(&self, tx: &mut Tx) -> Result<(), MailboxError> {
        self.0.skip_to(tx, self.1).await
    }
}

impl Work for SealNext {
    type Output = Sealing;
    type Error = MailboxError;
    async fn run(&self, tx: &mut Tx) -> Result<Sealing, MailboxError> {
        self.0.seal_next(tx, &self.1).await
    }
}

impl Work for StartSession {
    type Output = ();
    type Error = MailboxError;
    async fn run(&self, tx: &mut Tx) -> Result<(), MailboxError> {
        self.0.start_session(tx, self.1, &self.2).await
    }
}

impl Work for NextSealed {
    type Output = Option<SealedMessage>;
    type Error = MailboxError;
    async fn run(&self, tx: &mut Tx) -> Result<Option<SealedMessage>, MailboxError> {
        self.0.next_sealed(tx, self.1).await
    }
}

impl Work for OwnerOf {
    type Output = Option<Principal>;
    type Error = MailboxError;
    async fn run(&self, tx: &mut Tx) -> Result<Option<Principal>, MailboxError> {
        self.0.owner_of(tx, self.1).await
    }
}

impl Work for Acknowledge {
    type Output = ();
    type Error = MailboxError;
    async fn run(&self, tx: &mut Tx) -> Result<(), MailboxError> {
        self.0.remove_message(tx, self.1.conversation, &self.1.client_message_id).await
    }
}

impl Work for Refuse {
    type Output = ();
    type Error = MailboxError;
    async fn run(&self, tx: &mut Tx) -> Result<(), MailboxError> {
        self.0.refuse_message(tx, self.1.position, &self.2).await
    }
}

impl Work for RenewPrekeys {
    type Output = Option<Prekeys>;
    type Error = MailboxError;
    async fn run(&self, tx: &mut Tx) -> Result<Option<Prekeys>, MailboxError> {
        self.0.renew_prekeys(tx, self.1).await
    }
}

impl Work for PrekeysPublished {
    type Output = ();
    type Error = MailboxError;
    async fn run(&self, tx: &mut Tx) -> Result<(), MailboxError> {
        self.0.prekeys_published(tx).await
    }
}
