//! A device and an agent that know each other.

use assent_ids::{AgentId, ConversationId, DeviceId, GeneratedId, SystemEntropy, Ulid, UnixMillis};
use assent_protocol::a2h::{ContentType, MsgSubtype};
use assent_sealing::{
    Account, Endpoint, Envelope, Header, Layers, OpenContext, Outgoing, Peer, PrekeyBundle,
    Refusal, Routing, SealError, open, seal,
};

pub(crate) const NOW: UnixMillis = UnixMillis::new(1_790_000_000_000);

pub(crate) fn entropy() -> SystemEntropy {
    SystemEntropy::new().unwrap()
}

pub(crate) fn device(number: u128) -> Endpoint {
    Endpoint::Device(DeviceId::from_ulid(Ulid::from_bits(number)))
}

pub(crate) fn agent(number: u128) -> Endpoint {
    Endpoint::Agent(AgentId::from_ulid(Ulid::from_bits(number)))
}

pub(crate) fn conversation(number: u128) -> ConversationId {
    ConversationId::from_ulid(Ulid::from_bits(number))
}

/// One side, with what it knows about the other.
pub(crate) struct Side {
    pub(crate) endpoint: Endpoint,
    pub(crate) account: Account,
    pub(crate) peer: Peer,
    pub(crate) now: UnixMillis,
}

/// A device and an agent without a session.
pub(crate) fn strangers() -> (Side, Side) {
    let accounts = [(); 2].map(|()| Account::generate(NOW, &entropy()));
    let keys = [0, 1].map(|side: usize| accounts[side].public_keys());
    let [one, other] = accounts;
    let side = |endpoint, account, other: Endpoint, keys| Side {
        endpoint,
        account,
        peer: Peer::new(other, keys, Layers::Full),
        now: NOW,
    };
    (side(device(1), one, agent(2), keys[1]), side(agent(2), other, device(1), keys[0]))
}

/// A device and an agent; the device has set up a session and sent nothing yet.
pub(crate) fn acquainted() -> (Side, Side) {
    let (mut one, mut other) = strangers();
    one.claim(&mut other, 0);
    (one, other)
}

impl Side {
    /// What the relay hands out of this side's prekeys.
    pub(crate) fn bundle(&mut self, one_time: Option<usize>) -> PrekeyBundle {
        let prekeys = self.account.prekeys();
        PrekeyBundle {
            keys: self.account.public_keys(),
            signed_prekey: prekeys.signed_prekey,
            kem_prekey: prekeys.kem_prekey,
            one_time_prekey: one_time.map(|at| prekeys.one_time_prekeys[at].clone()),
        }
    }

    /// Sets up a session with a one-time prekey of the other side.
    pub(crate) fn claim(&mut self, other: &mut Self, one_time: usize) {
        let bundle = other.bundle(Some(one_time));
        self.peer
            .start_session(&self.account, self.endpoint, &bundle, self.now, &entropy())
            .unwrap();
    }

    pub(crate) fn header(&self, name: &str) -> Header {
        Header {
            conversation: conversation(3),
            sender: self.endpoint,
            client_message_id: name.parse().unwrap(),
            subtype: MsgSubtype::Text,
            content_type: ContentType::Text,
            sent_at: self.now,
            device_list_epoch: 0,
        }
    }

    pub(crate) fn try_seal(&mut self, name: &str, content: &[u8]) -> Result<Vec<u8>, SealError> {
        let header = self.header(name);
        let message = Outgoing { header: &header, content };
        seal(&self.account, &mut [&mut self.peer], message, self.now, &entropy())
    }

    pub(crate) fn seal(&mut self, name: &str, content: &[u8]) -> Vec<u8> {
        self.try_seal(name, content).unwrap()
    }

    /// Opens an envelope that the relay announces truthfully.
    pub(crate) fn open(&mut self, bytes: &[u8]) -> Result<Vec<u8>, Refusal> {
        self.open_with(bytes, |_| {}, false)
    }

    pub(crate) fn open_replayed(&mut self, bytes: &[u8]) -> Result<Vec<u8>, Refusal> {
        self.open_with(bytes, |_| {}, true)
    }

    /// Opens an envelope about which the relay announces something else.
    pub(crate) fn open_with(
        &mut self,
        bytes: &[u8],
        lie: impl FnOnce(&mut Routing),
        is_replay: bool,
    ) -> Result<Vec<u8>, Refusal> {
        let envelope = Envelope::parse(bytes.to_vec())?;
        let header = envelope.header();
        let mut routing = Routing {
            conversation: header.conversation,
            client_message_id: header.client_message_id.clone(),
            subtype: header.subtype,
            content_type: header.content_type,
            senders: vec![self.peer.endpoint()],
        };
        lie(&mut routing);
        let context =
            OpenContext { me: self.endpoint, routing: &routing, is_replay, now: self.now };
        let opened = open(&envelope, &mut self.account, Some(&mut self.peer), context);
        opened.map(|content| content.to_vec())
    }

    /// Account and peer, as they would be stored.
    pub(crate) fn state(&self) -> (Vec<u8>, Vec<u8>) {
        (self.account.to_json().unwrap().to_vec(), self.peer.to_json().unwrap().to_vec())
    }

    /// Goes on from what was stored.
    pub(crate) fn restart(&mut self) {
        let (account, peer) = self.state();
        self.account = Account::from_json(&account).unwrap();
        self.peer = Peer::from_json(&peer).unwrap();
    }
}
