//! One word in one tool.

use crate::{field::FieldSet, score::MAX_FACTOR};

/// Tools per block: the sums of a block fit into the nearest cache.
pub(crate) const BLOCK: usize = 1 << OFFSET_BITS;

const OFFSET_BITS: u32 = 12;
const OFFSET_SHIFT: u32 = u32::BITS - OFFSET_BITS;
const IMPACT_SHIFT: u32 = 8;

/// Which tool of a block has the word, how much of it and in which fields, in four bytes.
///
/// The offset comes first, so that postings are ordered by it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Posting(u32);

impl Posting {
    pub(crate) fn new(offset: u32, impact: i32, fields: FieldSet) -> Self {
        let impact = impact.clamp(1, MAX_FACTOR).cast_unsigned();
        Self((offset << OFFSET_SHIFT) | (impact << IMPACT_SHIFT) | u32::from(fields.bits()))
    }

    /// Less than [`BLOCK`].
    pub(crate) const fn offset(self) -> usize {
        (self.0 >> OFFSET_SHIFT) as usize
    }

    pub(crate) const fn impact(self) -> i32 {
        (self.0 >> IMPACT_SHIFT).cast_signed() & MAX_FACTOR
    }

    pub(crate) const fn fields(self) -> FieldSet {
        let [bits, ..] = self.0.to_le_bytes();
        FieldSet::from_bits(bits)
    }
}

/// The block of a tool, and its place there.
pub(crate) const fn split(slot: u32) -> (u32, u32) {
    (slot >> OFFSET_BITS, slot & ((1 << OFFSET_BITS) - 1))
}

/// The tool at a place of a block.
pub(crate) fn join(block: u32, offset: usize) -> u32 {
    (block << OFFSET_BITS) | u32::try_from(offset).unwrap_or_default()
}
