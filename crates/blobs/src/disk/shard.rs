//! The folders of one first byte, and whose turn it is in them.

use std::{collections::BTreeSet, io, path::Path};

use super::{files, place::Place};

/// What is known of the folders of all blobs whose digests begin with the same byte.
///
/// Must be held to change anything in them. A collection could otherwise remove bytes between
/// the moment they are stored and the moment their label says for whom.
#[derive(Debug, Default)]
pub(super) struct Shard {
    /// The inner folders that were found or made durable since the store was opened.
    durable: BTreeSet<u8>,
}

impl Shard {
    /// Makes sure that the folders of `place` exist, also after a power cut.
    pub(super) fn prepare(&mut self, root: &Path, place: &Place, second: u8) -> io::Result<()> {
        if self.durable.contains(&second) {
            return Ok(());
        }
        files::make_folder(&place.inner)?;
        // A folder that existed already may have been made by a process that died before this line.
        files::sync_folder(&place.outer)?;
        files::sync_folder(root)?;
        self.durable.insert(second);
        Ok(())
    }
}
