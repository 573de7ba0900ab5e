//! A device and an agent, each with a mailbox in a database of its own.

use std::sync::Arc;

use assent_ids::{
    AgentId, ConversationId, DeviceId, EventSeq, Minter, Principal, SystemClock, SystemEntropy,
    UserId,
};
use assent_mailbox::{
    InboxEntry, Mailbox, MailboxError, OutgoingMessage, OwnState, RefusedMessage, SealedMessage,
    Sealing, TABLES,
};
use assent_protocol::a2h::{ContentType, MsgSubtype, RelayEvent};
use assent_sealing::{Endpoint, Layers, Peer, PrekeyBundle, StorageKey};
use assent_store::{Database, Location, Migration, Tx, Work};
use base64::{Engine as _, engine::general_purpose::STANDARD};
use serde_json::json;
use tempfile::TempDir;
use zeroize::Zeroizing;

const MIGRATIONS: &[Migration] = &[TABLES];

/// One side.
pub(crate) struct Side {
    pub(crate) mailbox: Mailbox,
    pub(crate) database: Database,
    pub(crate) endpoint: Endpoint,
    pub(crate) principal: Principal,
    events: u64,
    pub(crate) directory: TempDir,
}

/// A device and an agent that know each other.
pub(crate) struct Pair {
    pub(crate) device: Side,
    pub(crate) agent: Side,
    pub(crate) conversation: ConversationId,
}

pub(crate) fn minter() -> Minter {
    Minter::new(Arc::new(SystemClock), Arc::new(SystemEntropy::new().unwrap()))
}

impl Side {
    async fn new(endpoint: Endpoint, principal: Principal) -> Self {
        let directory = tempfile::tempdir().unwrap();
        let location = Location::Sqlite(directory.path().join("mailbox.db"));
        let database = Database::open(&location, MIGRATIONS).await.unwrap();
        let entropy = Arc::new(SystemEntropy::new().unwrap());
        let key = StorageKey::generate(&*entropy);
        let mailbox = Mailbox::new(key, Arc::new(SystemClock), entropy);
        let side = Self { mailbox, database, endpoint, principal, events: 0, directory };
        side.own().await;
        side.database.write(Register(side.mailbox.clone(), endpoint)).await.unwrap();
        side
    }

    pub(crate) async fn own(&self) -> OwnState {
        self.database.write(Own(self.mailbox.clone())).await.unwrap()
    }

    pub(crate) async fn knows(&self, other: &Self) {
        let peer = Peer::new(other.endpoint, other.own().await.keys, Layers::Full);
        let put = PutPeer(self.mailbox.clone(), other.principal, peer);
        self.database.write(put).await.unwrap();
    }

    pub(crate) async fn enqueue(&self, message: OutgoingMessage) -> Result<(), MailboxError> {
        self.database.write(Enqueue(self.mailbox.clone(), message)).await
    }

    /// Seals everything that waits, with sessions from the prekeys of `other`.
    pub(crate) async fn seal_all(&self, other: &Self) {
        for _ in 0..100 {
            match self.database.write(SealNext(self.mailbox.clone())).await.unwrap() {
                Sealing::Sealed | Sealing::Refused => {}
                Sealing::Idle => return,
                Sealing::NeedsSession(endpoint) => {
                    assert_eq!(endpoint, other.endpoint);
                    self.start_session(other).await;
                }
            }
        }
        panic!("sealing does not end");
    }

    async fn start_session(&self, other: &Self) {
        let own = other.own().await;
        let bundle = PrekeyBundle {
            keys: own.keys,
            signed_prekey: own.prekeys.signed_prekey,
            kem_prekey: own.prekeys.kem_prekey,
            one_time_prekey: None,
        };
        let start = StartSession(self.mailbox.clone(), other.endpoint, bundle);
        self.database.write(start).await.unwrap();
    }

    pub(crate) async fn sealed(&self) -> Vec<SealedMessage> {
        let mut sealed = Vec::new();
        let mut after = 0;
        loop {
            let next = NextSealed(self.mailbox.clone(), after);
            let Some(message) = self.database.read(next).await.unwrap() else { return sealed };
            after = message.position;
            sealed.push(message);
        }
    }

    /// The code of the first message that was refused.
    pub(crate) async fn refusal(&self) -> Option<String> {
        let refused = self.database.read(NextRefused(self.mailbox.clone())).await.unwrap();
        refused.map(|refused| refused.code)
    }

    pub(crate) async fn acknowledge(&self, message: &SealedMessage) {
        let remove = Acknowledge(self.mailbox.clone(), message.clone());
        self.database.write(remove).await.unwrap();
    }

    /// The event with which the relay delivers a message of `sender`.
    pub(crate) fn event(&mut self, sender: Principal, message: &SealedMessage) -> RelayEvent {
        self.events += 1;
        let kind = match sender {
            Principal::User(_) => "human",
            Principal::Agent(_) => "agent",
        };
        let message_id: assent_ids::MessageId = minter().mint();
        let event = json!({
            "type": "message.new",
            "event_id": self.events,
            "data": {
                "message_id": message_id,
                "conversation_id": message.conversation,
                "conversation_seq": self.events,
                "sender_type": kind,
                "sender_id": sender,
                "client_message_id": message.client_message_id,
                "msg_subtype": message.subtype.as_str(),
                "content_type": message.content_type.as_str(),
                "envelope": STANDARD.encode(&message.envelope),
                "created_at": "2026-01-01T00:00:00Z",
            },
        });
        serde_json::from_value(event).unwrap()
    }

    pub(crate) async fn receive(&self, event: &RelayEvent) -> bool {
        let receive = Receive(self.mailbox.clone(), event.clone());
        self.database.write(receive).await.unwrap()
    }

    pub(crate) async fn entries(&self) -> Vec<InboxEntry> {
        let mut entries = Vec::new();
        let mut after = EventSeq::default();
        loop {
            let next = NextEntry(self.mailbox.clone(), after);
            let Some(entry) = self.database.read(next).await.unwrap() else { return entries };
            after = entry.event_id;
            entries.push(entry);
        }
    }

    pub(crate) async fn remove_entry(&self, event_id: EventSeq) {
        self.database.write(RemoveEntry(self.mailbox.clone(), event_id)).await.unwrap();
    }
}

impl Pair {
    pub(crate) async fn new() -> Self {
        let minter = minter();
        let (device, user): (DeviceId, UserId) = (minter.mint(), minter.mint());
        let agent: AgentId = minter.mint();
        let device = Side::new(Endpoint::Device(device), user.into()).await;
        let agent = Side::new(Endpoint::Agent(agent), agent.into()).await;
        device.knows(&agent).await;
        agent.knows(&device).await;
        Self { device, agent, conversation: minter.mint() }
    }

    pub(crate) fn text(&self, name: &str, text: &str, to: Endpoint) -> OutgoingMessage {
        OutgoingMessage {
            conversation: self.conversation,
            client_message_id: name.parse().unwrap(),
            subtype: MsgSubtype::Text,
            content_type: ContentType::Text,
            recipients: vec![to],
            content: Zeroizing::new(json!({"type": "text", "text": text}).to_string().into()),
        }
    }
}

struct Own(Mailbox);
struct Register(Mailbox, Endpoint);
struct PutPeer(Mailbox, Principal, Peer);
struct Enqueue(Mailbox, OutgoingMessage);
struct SealNext(Mailbox);
struct StartSession(Mailbox, Endpoint, PrekeyBundle);
struct NextSealed(Mailbox, u64);
struct NextRefused(Mailbox);
struct Acknowledge(Mailbox, SealedMessage);
struct Receive(Mailbox, RelayEvent);
struct NextEntry(Mailbox, EventSeq);
struct RemoveEntry(Mailbox, EventSeq);

impl Work for Own {
    type Output = OwnState;
    type Error = MailboxError;
    async fn run(&self, tx: &mut Tx) -> Result<OwnState, MailboxError> {
        self.0.own_state(tx).await
    }
}

impl Work for Register {
    type Output = ();
    type Error = MailboxError;
    async fn run(&self, tx: &mut Tx) -> Result<(), MailboxError> {
        self.0.set_endpoint(tx, self.1).await
    }
}

impl Work for PutPeer {
    type Output = ();
    type Error = MailboxError;
    async fn run(&self, tx: &mut Tx) -> Result<(), MailboxError> {
        self.0.put_peer(tx, self.1, &self.2).await
    }
}

impl Work for Enqueue {
    type Output = ();
    type Error = MailboxError;
    async fn run(&self, tx: &mut Tx) -> Result<(), MailboxError> {
        self.0.enqueue(tx, &self.1).await
    }
}

impl Work for SealNext {
    type Output = Sealing;
    type Error = MailboxError;
    async fn run(&self, tx: &mut Tx) -> Result<Sealing, MailboxError> {
        self.0.seal_next(tx, &[]).await
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

impl Work for NextRefused {
    type Output = Option<RefusedMessage>;
    type Error = MailboxError;
    async fn run(&self, tx: &mut Tx) -> Result<Option<RefusedMessage>, MailboxError> {
        self.0.next_refused(tx).await
    }
}

impl Work for Acknowledge {
    type Output = ();
    type Error = MailboxError;
    async fn run(&self, tx: &mut Tx) -> Result<(), MailboxError> {
        self.0.remove_message(tx, self.1.conversation, &self.1.client_message_id).await
    }
}

impl Work for Receive {
    type Output = bool;
    type Error = MailboxError;
    async fn run(&self, tx: &mut Tx) -> Result<bool, MailboxError> {
        self.0.receive(tx, &self.1).await
    }
}

impl Work for NextEntry {
    type Output = Option<InboxEntry>;
    type Error = MailboxError;
    async fn run(&self, tx: &mut Tx) -> Result<Option<InboxEntry>, MailboxError> {
        self.0.next_entry(tx, self.1).await
    }
}

impl Work for RemoveEntry {
    type Output = ();
    type Error = MailboxError;
    async fn run(&self, tx: &mut Tx) -> Result<(), MailboxError> {
        self.0.remove_entry(tx, self.1).await
    }
}
