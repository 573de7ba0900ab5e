//! `assent-envelope-v1`: how a sealed message is laid out.
//!
//! ```text
//! | fields | bytes          | what                                                            |
//! |--------|----------------|-----------------------------------------------------------------|
//! | 1-4    | 8, 1, 16, 17   | `ASNTENV1`, suite `01`, conversation, sender                    |
//! | 5-7    | 1 + n, 1, 1    | client message id, msg_subtype, content_type                    |
//! | 8, 9   | 8, 4           | sent_at in milliseconds, epoch of the device list               |
//! | 10     | 2 + …          | number of blocks; each: kind 1, recipient 17, length 2, body    |
//! | 11, 12 | 4 + n, 64      | ciphertext with its tag, signature                              |
//! ```
//!
//! Integers are big-endian. A value has exactly one encoding, and bytes that are left over are an error.

mod block;
mod header;
mod reader;

use std::collections::BTreeSet;

use sha2::{Digest, Sha256};

pub(crate) use block::{Block, BlockBody, SESSION_PREFIX_BYTES, WRAPPED_KEY_BYTES};
pub use header::Header;

use crate::{Endpoint, content::is_ciphertext_length, signature, signature::SIGNATURE_BYTES};
use reader::Reader;

/// The most bytes that an envelope may have.
pub const MAX_ENVELOPE_BYTES: usize = 1024 * 1024;

/// The most recipients that an envelope may have.
pub const MAX_RECIPIENTS: usize = 1024;

/// The bytes are not an envelope.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("this is not an envelope of version 1")]
pub struct Malformed;

/// An envelope that was read but not opened. Nothing in it has been verified.
#[derive(Debug)]
pub struct Envelope {
    header: Header,
    blocks: Vec<Block>,
    bytes: Vec<u8>,
    /// Where fields 1-9 end.
    header_end: usize,
    /// Where field 10 ends.
    blocks_end: usize,
}

impl Envelope {
    /// Reads an envelope.
    ///
    /// # Errors
    /// If these bytes are not exactly one envelope.
    pub fn parse(bytes: Vec<u8>) -> Result<Self, Malformed> {
        if bytes.len() > MAX_ENVELOPE_BYTES {
            return Err(Malformed);
        }
        let mut reader = Reader::new(&bytes);
        let header = Header::read(&mut reader)?;
        let header_end = reader.position();
        let blocks = read_blocks(&mut reader)?;
        let blocks_end = reader.position();
        let length = usize::try_from(reader.u32()?).map_err(|_| Malformed)?;
        reader.take(length)?;
        reader.take(SIGNATURE_BYTES)?;
        if !reader.is_empty() || !is_ciphertext_length(length) {
            return Err(Malformed);
        }
        Ok(Self { header, blocks, bytes, header_end, blocks_end })
    }

    /// The routing fields, which the relay can read as well.
    #[must_use]
    pub const fn header(&self) -> &Header {
        &self.header
    }

    /// Everyone to whom the message is sealed, in the order of the blocks.
    pub fn recipients(&self) -> impl Iterator<Item = Endpoint> {
        self.blocks.iter().map(|block| block.recipient)
    }

    pub(crate) fn block_for(&self, recipient: Endpoint) -> Option<&Block> {
        self.blocks.iter().find(|block| block.recipient == recipient)
    }

    /// Fields 1-9.
    pub(crate) fn header_bytes(&self) -> &[u8] {
        self.bytes.get(..self.header_end).unwrap_or_default()
    }

    /// Fields 1-10, which the content is bound to.
    pub(crate) fn authenticated_bytes(&self) -> &[u8] {
        self.bytes.get(..self.blocks_end).unwrap_or_default()
    }

    /// The content with its tag.
    pub(crate) fn ciphertext(&self) -> &[u8] {
        let start = self.blocks_end.saturating_add(4);
        let end = self.bytes.len().saturating_sub(SIGNATURE_BYTES);
        self.bytes.get(start..end).unwrap_or_default()
    }

    /// Whether the owner of the key signed every byte before the signature.
    pub(crate) fn is_signed_by(&self, key: &[u8; 32]) -> bool {
        let Some((signed, signature)) = self.bytes.split_last_chunk::<SIGNATURE_BYTES>() else {
            return false;
        };
        signature::verify_signature(key, &signed_message(signed), signature)
    }
}

/// What the sender signs: a label and the digest of fields 1-11.
pub(crate) fn signed_message(fields: &[u8]) -> Vec<u8> {
    [&b"assent/v1/envelope"[..], &Sha256::digest(fields)].concat()
}

fn read_blocks(reader: &mut Reader<'_>) -> Result<Vec<Block>, Malformed> {
    let count = usize::from(reader.u16()?);
    if !(1..=MAX_RECIPIENTS).contains(&count) {
        return Err(Malformed);
    }
    let blocks = (0..count).map(|_| Block::read(reader)).collect::<Result<Vec<_>, _>>()?;
    let recipients: BTreeSet<Endpoint> = blocks.iter().map(|block| block.recipient).collect();
    if recipients.len() != blocks.len() {
        return Err(Malformed);
    }
    Ok(blocks)
}

/// Field 10.
pub(crate) fn write_blocks(blocks: &[Block], out: &mut Vec<u8>) -> Option<()> {
    out.extend_from_slice(&u16::try_from(blocks.len()).ok()?.to_be_bytes());
    blocks.iter().try_for_each(|block| block.write(out))
}
