//! The mailbox: operations that run inside of the caller's transaction.

use std::{fmt, sync::Arc};

use assent_ids::{
    ClientMessageId, Clock, ConversationId, Entropy, EventSeq, Principal, UnixMillis,
};
use assent_protocol::a2h::RelayEvent;
use assent_sealing::{Account, Endpoint, Peer, PrekeyBundle, Prekeys, PublicKeys, StorageKey};
use assent_store::{Migration, Tx};
use zeroize::Zeroizing;

use crate::{
    InboxEntry, MailboxError, OutboxState, OutgoingMessage, RefusedMessage, SealedMessage, Sealing,
    identity, inbox, outbox, peers, receive, seal_next, sealed_row::RowCipher,
};

/// The tables of a mailbox, to be listed among the migrations of the database that it lives in.
pub const TABLES: Migration = Migration { name: "mailbox", sql: include_str!("tables.sql") };

/// The mailbox of a device or an agent. Cheap to clone; it holds no state but the key of its rows.
#[derive(Clone)]
pub struct Mailbox {
    pub(crate) cipher: RowCipher,
    pub(crate) clock: Arc<dyn Clock>,
}

/// The own keys, and how far events were received.
#[derive(Clone, Debug)]
pub struct OwnState {
    /// The id, once the device or agent is registered.
    pub endpoint: Option<Endpoint>,
    /// The identity keys.
    pub keys: PublicKeys,
    /// The prekeys that the relay should have.
    pub prekeys: Prekeys,
    /// The last event that was received.
    pub last_event_id: EventSeq,
}

impl Mailbox {
    /// A mailbox whose rows are encrypted under `key`.
    #[must_use]
    pub fn new(key: StorageKey, clock: Arc<dyn Clock>, entropy: Arc<dyn Entropy>) -> Self {
        Self { cipher: RowCipher { key, entropy }, clock }
    }

    pub(crate) fn now(&self) -> UnixMillis {
        self.clock.now()
    }

    pub(crate) fn entropy(&self) -> &dyn Entropy {
        &*self.cipher.entropy
    }

    /// Returns the own keys. The first time it makes them.
    ///
    /// # Errors
    /// If the store refuses, or the mailbox was encrypted under another key.
    pub async fn own_state(&self, tx: &mut Tx) -> Result<OwnState, MailboxError> {
        let found = identity::find(tx, &self.cipher).await?;
        let (account, endpoint, last_event_id) = match found {
            Some(found) => (found.account, found.endpoint, found.last_event_id),
            None => {
                let account = Account::generate(self.now(), self.entropy());
                identity::insert(tx, &self.cipher, &account).await?;
                (account, None, EventSeq::default())
            }
        };
        let (keys, prekeys) = (account.public_keys(), account.prekeys());
        Ok(OwnState { endpoint, keys, prekeys, last_event_id })
    }

    /// Stores the id under which the relay knows this device or agent.
    ///
    /// # Errors
    /// If the store refuses.
    pub async fn set_endpoint(&self, tx: &mut Tx, endpoint: Endpoint) -> Result<(), MailboxError> {
        identity::save_endpoint(tx, endpoint).await
    }

    /// Signs with the own identity key. Callers prefix a label of their own.
    ///
    /// # Errors
    /// If the store refuses.
    pub async fn sign(&self, tx: &mut Tx, message: &[u8]) -> Result<[u8; 64], MailboxError> {
        Ok(identity::load(tx, &self.cipher).await?.account.sign(message))
    }

    /// Replaces old prekeys and makes one-time prekeys if the relay has few. Returns those to publish, if any.
    ///
    /// # Errors
    /// If the store refuses.
    pub async fn renew_prekeys(
        &self,
        tx: &mut Tx,
        left_at_relay: usize,
    ) -> Result<Option<Prekeys>, MailboxError> {
        let mut account = identity::load(tx, &self.cipher).await?.account;
        let has_rotated = account.rotate_prekeys(self.now(), self.entropy());
        let is_refilled = account.refill_one_time_prekeys(left_at_relay);
        if has_rotated || is_refilled {
            identity::save_account(tx, &self.cipher, &account).await?;
        }
        let prekeys = account.prekeys();
        let is_due = has_rotated || !prekeys.one_time_prekeys.is_empty();
        Ok(is_due.then_some(prekeys))
    }

    /// Records that the relay has the prekeys.
    ///
    /// # Errors
    /// If the store refuses.
    pub async fn prekeys_published(&self, tx: &mut Tx) -> Result<(), MailboxError> {
        let mut account = identity::load(tx, &self.cipher).await?.account;
        account.mark_prekeys_published();
        identity::save_account(tx, &self.cipher, &account).await
    }

    /// Encrypts a value of the caller's own tables. It can be decrypted only for the same `place`, which names the
    /// table and the row.
    #[must_use]
    pub fn encrypt(&self, place: &str, value: &[u8]) -> Vec<u8> {
        self.cipher.seal(place, value)
    }

    /// Decrypts what [`Self::encrypt`] made.
    ///
    /// # Errors
    /// If it was made for another place, or with another key.
    pub fn decrypt(&self, place: &str, value: &[u8]) -> Result<Zeroizing<Vec<u8>>, MailboxError> {
        self.cipher.unseal(place, value)
    }

    /// Returns what is known about a device or an agent.
    ///
    /// # Errors
    /// If the store refuses.
    pub async fn peer(
        &self,
        tx: &mut Tx,
        endpoint: Endpoint,
    ) -> Result<Option<Peer>, MailboxError> {
        peers::find(tx, &self.cipher, endpoint).await
    }

    /// Returns the known devices of a person, or the agent itself.
    ///
    /// # Errors
    /// If the store refuses.
    pub async fn endpoints_of(
        &self,
        tx: &mut Tx,
        principal: Principal,
    ) -> Result<Vec<Endpoint>, MailboxError> {
        peers::endpoints_of(tx, principal).await
    }

    /// Returns the id of the person or agent that an endpoint belongs to.
    ///
    /// # Errors
    /// If the store refuses.
    pub async fn owner_of(
        &self,
        tx: &mut Tx,
        endpoint: Endpoint,
    ) -> Result<Option<Principal>, MailboxError> {
        peers::owner_of(tx, endpoint).await
    }

    /// Stores a peer and the person or agent that it belongs to.
    ///
    /// # Errors
    /// If the store refuses.
    pub async fn put_peer(
        &self,
        tx: &mut Tx,
        principal: Principal,
        peer: &Peer,
    ) -> Result<(), MailboxError> {
        peers::put(tx, &self.cipher, principal, peer).await
    }

    /// Forgets a peer with its sessions.
    ///
    /// # Errors
    /// If the store refuses.
    pub async fn remove_peer(&self, tx: &mut Tx, endpoint: Endpoint) -> Result<(), MailboxError> {
        peers::remove(tx, endpoint).await
    }

    /// Opens what the relay delivered and stores it. Returns `false` if the event was received before.
    ///
    /// # Errors
    /// If the store refuses. An envelope that cannot be opened is no error: it is stored as refused.
    pub async fn receive(&self, tx: &mut Tx, event: &RelayEvent) -> Result<bool, MailboxError> {
        receive::run(self, tx, event).await
    }

    /// Skips events that the relay no longer has.
    ///
    /// # Errors
    /// If the store refuses.
    pub async fn skip_to(&self, tx: &mut Tx, event_id: EventSeq) -> Result<(), MailboxError> {
        let last = identity::load(tx, &self.cipher).await?.last_event_id;
        if event_id > last { identity::save_event(tx, event_id).await } else { Ok(()) }
    }

    /// Returns the first entry of the inbox behind `after`.
    ///
    /// # Errors
    /// If the store refuses.
    pub async fn next_entry(
        &self,
        tx: &mut Tx,
        after: EventSeq,
    ) -> Result<Option<InboxEntry>, MailboxError> {
        inbox::next(tx, &self.cipher, after).await
    }

    /// Removes an entry that was handled.
    ///
    /// # Errors
    /// If the store refuses.
    pub async fn remove_entry(&self, tx: &mut Tx, event_id: EventSeq) -> Result<(), MailboxError> {
        inbox::remove(tx, event_id).await
    }

    /// Stores a message to send. The same message under the same id is stored once.
    ///
    /// # Errors
    /// If the store refuses, or another message has the same id.
    pub async fn enqueue(
        &self,
        tx: &mut Tx,
        message: &OutgoingMessage,
    ) -> Result<(), MailboxError> {
        outbox::insert(tx, &self.cipher, message, false).await
    }

    /// Seals the first message of the outbox that can be sealed. Messages to peers in `unreachable`, with which no
    /// session can be set up at present, are passed over.
    ///
    /// # Errors
    /// If the store refuses. A message that can never be sealed is no error: it is stored as refused.
    pub async fn seal_next(
        &self,
        tx: &mut Tx,
        unreachable: &[Endpoint],
    ) -> Result<Sealing, MailboxError> {
        seal_next::run(self, tx, unreachable).await
    }

    /// Sets up a session with a peer, from prekeys that the relay handed out. If they are other keys than known, the
    /// peer is marked as changed.
    ///
    /// # Errors
    /// If the store refuses, the peer is unknown, or its prekeys are not signed by it.
    pub async fn start_session(
        &self,
        tx: &mut Tx,
        endpoint: Endpoint,
        bundle: &PrekeyBundle,
    ) -> Result<(), MailboxError> {
        seal_next::start_session(self, tx, endpoint, bundle).await
    }

    /// Asks a peer for a new session, by a message that is sealed in one. The peer then repeats what has no answer.
    /// Once a minute; more often, nothing happens.
    ///
    /// # Errors
    /// If the store refuses.
    pub async fn request_new_session(
        &self,
        tx: &mut Tx,
        peer: Peer,
        conversation: ConversationId,
    ) -> Result<(), MailboxError> {
        receive::request_new_session(self, tx, peer, conversation).await
    }

    /// Returns `true` if a message waits to be sealed or acknowledged.
    ///
    /// # Errors
    /// If the store refuses.
    pub async fn is_waiting(
        &self,
        tx: &mut Tx,
        conversation: ConversationId,
        client_message_id: &ClientMessageId,
    ) -> Result<bool, MailboxError> {
        outbox::is_waiting(tx, conversation, client_message_id).await
    }

    /// Returns `true` if messages of a conversation wait to be sealed or acknowledged.
    ///
    /// # Errors
    /// If the store refuses.
    pub async fn has_outgoing(
        &self,
        tx: &mut Tx,
        conversation: ConversationId,
    ) -> Result<bool, MailboxError> {
        outbox::has_outgoing(tx, conversation).await
    }

    /// Returns the first message behind the position `after` that is sealed and not acknowledged.
    ///
    /// # Errors
    /// If the store refuses.
    pub async fn next_sealed(
        &self,
        tx: &mut Tx,
        after: u64,
    ) -> Result<Option<SealedMessage>, MailboxError> {
        outbox::next_sealed(tx, after).await
    }

    /// Records that the relay will never store a message. It stays in the outbox, where
    /// [`Self::next_refused`] finds it.
    ///
    /// # Errors
    /// If the store refuses.
    pub async fn refuse_message(
        &self,
        tx: &mut Tx,
        position: u64,
        code: &str,
    ) -> Result<(), MailboxError> {
        let position = i64::try_from(position).map_err(|_| MailboxError::Damaged("outbox"))?;
        outbox::refuse(tx, position, code).await
    }

    /// Returns the first message that the relay refused, until [`Self::remove_message`] removes it.
    ///
    /// # Errors
    /// If the store refuses.
    pub async fn next_refused(&self, tx: &mut Tx) -> Result<Option<RefusedMessage>, MailboxError> {
        outbox::next_refused(tx).await
    }

    /// Returns how far a message of the outbox is; `None` if it is not there any more.
    ///
    /// # Errors
    /// If the store refuses.
    pub async fn outbox_state(
        &self,
        tx: &mut Tx,
        conversation: ConversationId,
        client_message_id: &ClientMessageId,
    ) -> Result<Option<OutboxState>, MailboxError> {
        outbox::state(tx, conversation, client_message_id).await
    }

    /// Removes a message that the relay has acknowledged, or has refused for good.
    ///
    /// # Errors
    /// If the store refuses.
    pub async fn remove_message(
        &self,
        tx: &mut Tx,
        conversation: ConversationId,
        client_message_id: &ClientMessageId,
    ) -> Result<(), MailboxError> {
        outbox::remove(tx, conversation, client_message_id).await
    }
}

impl fmt::Debug for Mailbox {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Mailbox").finish_non_exhaustive()
    }
}
