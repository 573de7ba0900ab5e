//! Field 10: the content key, once for each recipient.
//!
//! ```text
//! kind 1, stateless: wrapped content key 1176
//! kind 2, session:   session id prefix 8 | content key 48 | Olm message
//! kind 3, first:     wrapped session secret 1176 | content key 48 | Olm pre-key message
//! ```

use super::{Malformed, reader::Reader};
use crate::{Endpoint, derive::TAG_BYTES, kem::WRAP_BYTES};

/// How many bytes of the Olm session id a block names.
pub(crate) const SESSION_PREFIX_BYTES: usize = 8;

/// A content key of 32 bytes with its tag.
pub(crate) const WRAPPED_KEY_BYTES: usize = 32 + TAG_BYTES;

const STATELESS: u8 = 1;
const SESSION: u8 = 2;
const FIRST: u8 = 3;

/// What one recipient needs to read the content.
#[derive(Debug)]
pub(crate) struct Block {
    pub(crate) recipient: Endpoint,
    pub(crate) body: BlockBody,
}

#[derive(Debug)]
pub(crate) enum BlockBody {
    /// For a recipient that keeps no state: the content key under its KEM key.
    Stateless { wrap: Box<[u8; WRAP_BYTES]> },
    /// In a session that both sides have.
    Session { session: [u8; SESSION_PREFIX_BYTES], key: [u8; WRAPPED_KEY_BYTES], olm: Vec<u8> },
    /// In a session that the recipient has not answered in yet.
    First { wrap: Box<[u8; WRAP_BYTES]>, key: [u8; WRAPPED_KEY_BYTES], olm: Vec<u8> },
}

impl Block {
    pub(super) fn read(reader: &mut Reader<'_>) -> Result<Self, Malformed> {
        let kind = reader.u8()?;
        let recipient = Endpoint::from_bytes(reader.array()?).ok_or(Malformed)?;
        let length = usize::from(reader.u16()?);
        let body = BlockBody::read(kind, &mut Reader::new(reader.take(length)?))?;
        Ok(Self { recipient, body })
    }

    /// Returns `None` if the body is too long.
    pub(super) fn write(&self, out: &mut Vec<u8>) -> Option<()> {
        let (kind, parts): (u8, [&[u8]; 3]) = match &self.body {
            BlockBody::Stateless { wrap } => (STATELESS, [&**wrap, &[], &[]]),
            BlockBody::Session { session, key, olm } => (SESSION, [session, key, olm]),
            BlockBody::First { wrap, key, olm } => (FIRST, [&**wrap, key, olm]),
        };
        let length: usize = parts.iter().map(|part| part.len()).sum();
        out.push(kind);
        out.extend_from_slice(&self.recipient.to_bytes());
        out.extend_from_slice(&u16::try_from(length).ok()?.to_be_bytes());
        parts.iter().for_each(|part| out.extend_from_slice(part));
        Some(())
    }
}

impl BlockBody {
    fn read(kind: u8, reader: &mut Reader<'_>) -> Result<Self, Malformed> {
        let body = match kind {
            STATELESS => Self::Stateless { wrap: Box::new(reader.array()?) },
            SESSION => {
                let (session, key) = (reader.array()?, reader.array()?);
                Self::Session { session, key, olm: rest(reader)? }
            }
            FIRST => {
                let (wrap, key) = (Box::new(reader.array()?), reader.array()?);
                Self::First { wrap, key, olm: rest(reader)? }
            }
            _ => return Err(Malformed),
        };
        if reader.is_empty() { Ok(body) } else { Err(Malformed) }
    }
}

/// The Olm message, which reaches to the end of the block.
fn rest(reader: &mut Reader<'_>) -> Result<Vec<u8>, Malformed> {
    let rest = reader.take(reader.remaining())?;
    if rest.is_empty() { Err(Malformed) } else { Ok(rest.to_vec()) }
}
