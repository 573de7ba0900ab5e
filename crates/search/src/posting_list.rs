//! All tools that have a word.

use crate::posting::{Posting, split};

/// The postings of a word within one block of tools, ordered by tool.
#[derive(Debug)]
pub(crate) struct Block {
    number: u32,
    max_impact: i32,
    postings: Vec<Posting>,
}

/// The postings of a word, ordered by tool, cut into blocks.
///
/// A change moves at most one block, whatever the length of the list.
#[derive(Debug, Default)]
pub(crate) struct PostingList {
    blocks: Vec<Block>,
    len: usize,
}

impl PostingList {
    pub(crate) const fn len(&self) -> usize {
        self.len
    }

    pub(crate) fn blocks(&self) -> &[Block] {
        &self.blocks
    }

    /// The tool must not be there yet.
    pub(crate) fn insert(&mut self, slot: u32, posting: Posting) {
        let (number, _) = split(slot);
        match self.position(number) {
            Ok(position) => {
                if let Some(block) = self.blocks.get_mut(position) {
                    block.insert(posting);
                }
            }
            Err(position) => {
                // Most words are rare: no room is kept for a second block, or a second posting.
                self.blocks.reserve_exact(usize::from(self.blocks.is_empty()));
                self.blocks.insert(position, Block::with(number, posting));
            }
        }
        self.len += 1;
    }

    pub(crate) fn remove(&mut self, slot: u32) {
        let (number, offset) = split(slot);
        let Ok(position) = self.position(number) else { return };
        let Some(block) = self.blocks.get_mut(position) else { return };
        if !block.remove(offset as usize) {
            return;
        }
        self.len -= 1;
        if block.postings.is_empty() {
            self.blocks.remove(position);
            shrink(&mut self.blocks);
        }
    }

    pub(crate) fn find(&self, slot: u32) -> Option<Posting> {
        let (number, offset) = split(slot);
        let position = self.position(number).ok()?;
        self.blocks.get(position)?.find(offset as usize)
    }

    fn position(&self, number: u32) -> Result<usize, usize> {
        // Tools are mostly added at the end.
        match self.blocks.last() {
            Some(last) if last.number == number => Ok(self.blocks.len() - 1),
            Some(last) if last.number < number => Err(self.blocks.len()),
            _ => self.blocks.binary_search_by_key(&number, |block| block.number),
        }
    }
}

impl Block {
    fn with(number: u32, posting: Posting) -> Self {
        Self { number, max_impact: posting.impact(), postings: vec![posting] }
    }

    pub(crate) const fn number(&self) -> u32 {
        self.number
    }

    /// No posting has a larger one.
    pub(crate) const fn max_impact(&self) -> i32 {
        self.max_impact
    }

    pub(crate) fn postings(&self) -> &[Posting] {
        &self.postings
    }

    /// One beyond the last place that is used.
    pub(crate) fn extent(&self) -> usize {
        self.postings.last().map_or(0, |last| last.offset() + 1)
    }

    pub(crate) fn find(&self, offset: usize) -> Option<Posting> {
        let position = self.postings.binary_search_by_key(&offset, |posting| posting.offset());
        self.postings.get(position.ok()?).copied()
    }

    fn insert(&mut self, posting: Posting) {
        self.max_impact = self.max_impact.max(posting.impact());
        match self.postings.last() {
            Some(last) if *last > posting => {
                let position = self.postings.partition_point(|other| *other < posting);
                self.postings.insert(position, posting);
            }
            _ => self.postings.push(posting),
        }
    }

    fn remove(&mut self, offset: usize) -> bool {
        let found = self.postings.binary_search_by_key(&offset, |posting| posting.offset());
        let Ok(position) = found else { return false };
        let removed = self.postings.remove(position);
        if removed.impact() == self.max_impact {
            let impacts = self.postings.iter().map(|posting| posting.impact());
            self.max_impact = impacts.max().unwrap_or_default();
        }
        shrink(&mut self.postings);
        true
    }
}

/// Releases memory once most of it is unused, and keeps some for later insertions.
pub(crate) fn shrink<T>(list: &mut Vec<T>) {
    if list.len() * 4 <= list.capacity() {
        list.shrink_to(list.len() * 2);
    }
}
