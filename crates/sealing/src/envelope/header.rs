//! Fields 1-9: what the relay needs in order to deliver a message.

use assent_ids::{ClientMessageId, ConversationId, GeneratedId, Ulid, UnixMillis};
use assent_protocol::a2h::{ContentType, MsgSubtype};

use super::{Malformed, reader::Reader};
use crate::Endpoint;

const MAGIC: [u8; 8] = *b"ASNTENV1";

/// The one suite: Olm, X-Wing, AES-256-GCM, Ed25519.
const SUITE: u8 = 1;

const MAX_NAME_BYTES: usize = 64;

/// The codes of these lists are places in them, from 1.
const SUBTYPES: [MsgSubtype; 6] = [
    MsgSubtype::Text,
    MsgSubtype::Artifact,
    MsgSubtype::ArtifactToolCall,
    MsgSubtype::ArtifactResponse,
    MsgSubtype::ArtifactUpdate,
    MsgSubtype::System,
];

const CONTENT_TYPES: [ContentType; 7] = [
    ContentType::Text,
    ContentType::Image,
    ContentType::Video,
    ContentType::Audio,
    ContentType::File,
    ContentType::Artifact,
    ContentType::System,
];

/// The routing fields of an envelope. The relay can read them, the recipients verify them.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Header {
    /// Where the message is sent.
    pub conversation: ConversationId,
    /// The device or agent that sends it.
    pub sender: Endpoint,
    /// The sender's name for the message; the same on every retry.
    pub client_message_id: ClientMessageId,
    /// What the message is for.
    pub subtype: MsgSubtype,
    /// What the message holds.
    pub content_type: ContentType,
    /// When it was sealed, by the sender's clock.
    pub sent_at: UnixMillis,
    /// The epoch of the device list that the recipients were taken from; 0 if there is none.
    pub device_list_epoch: u32,
}

impl Header {
    /// Returns `None` if the client message id is longer than an envelope can hold.
    pub(crate) fn to_bytes(&self) -> Option<Vec<u8>> {
        let name = self.client_message_id.as_str();
        if !is_name(name.as_bytes()) {
            return None;
        }
        let mut out = Vec::with_capacity(64 + name.len());
        out.extend_from_slice(&MAGIC);
        out.push(SUITE);
        out.extend_from_slice(&self.conversation.ulid().bits().to_be_bytes());
        out.extend_from_slice(&self.sender.to_bytes());
        out.push(u8::try_from(name.len()).ok()?);
        out.extend_from_slice(name.as_bytes());
        out.push(code(&SUBTYPES, &self.subtype)?);
        out.push(code(&CONTENT_TYPES, &self.content_type)?);
        out.extend_from_slice(&self.sent_at.get().to_be_bytes());
        out.extend_from_slice(&self.device_list_epoch.to_be_bytes());
        Some(out)
    }

    pub(super) fn read(reader: &mut Reader<'_>) -> Result<Self, Malformed> {
        if reader.array()? != MAGIC || reader.u8()? != SUITE {
            return Err(Malformed);
        }
        let conversation = Ulid::from_bits(u128::from_be_bytes(reader.array()?));
        Ok(Self {
            conversation: ConversationId::from_ulid(conversation),
            sender: Endpoint::from_bytes(reader.array()?).ok_or(Malformed)?,
            client_message_id: read_name(reader)?,
            subtype: word(&SUBTYPES, reader.u8()?)?,
            content_type: word(&CONTENT_TYPES, reader.u8()?)?,
            sent_at: read_time(reader)?,
            device_list_epoch: reader.u32()?,
        })
    }
}

fn read_name(reader: &mut Reader<'_>) -> Result<ClientMessageId, Malformed> {
    let length = usize::from(reader.u8()?);
    let name = reader.take(length)?;
    if !is_name(name) {
        return Err(Malformed);
    }
    let name = std::str::from_utf8(name).map_err(|_| Malformed)?;
    name.parse().map_err(|_| Malformed)
}

fn is_name(name: &[u8]) -> bool {
    (1..=MAX_NAME_BYTES).contains(&name.len()) && name.iter().all(u8::is_ascii_graphic)
}

/// Times beyond what an id can hold have no second encoding: they are refused.
fn read_time(reader: &mut Reader<'_>) -> Result<UnixMillis, Malformed> {
    let millis = reader.u64()?;
    let time = UnixMillis::new(millis);
    if time.get() == millis { Ok(time) } else { Err(Malformed) }
}

fn code<W: PartialEq>(list: &[W], word: &W) -> Option<u8> {
    let place = list.iter().position(|listed| listed == word)?;
    u8::try_from(place).ok()?.checked_add(1)
}

fn word<W: Copy>(list: &[W], code: u8) -> Result<W, Malformed> {
    let place = usize::from(code).checked_sub(1).ok_or(Malformed)?;
    list.get(place).copied().ok_or(Malformed)
}
