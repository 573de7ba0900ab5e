//! The file `audit.head`: the signed head of the audit log, outside of the database.

use std::{
    fs::{self, File},
    io::{self, Write as _},
    path::{Path, PathBuf},
    sync::{Mutex, PoisonError},
};

use super::chain::AuditMark;

/// The file with the head. Who replaces the database by an older one has to replace this file as well.
#[derive(Debug)]
pub(crate) struct HeadFile {
    path: PathBuf,
    /// The number of the entry that the file names.
    seq: Mutex<u64>,
}

impl HeadFile {
    pub(crate) fn new(directory: &Path) -> Self {
        Self { path: directory.join("audit.head"), seq: Mutex::default() }
    }

    /// The head in the file; `None` if there is none that can be read.
    pub(crate) fn read(&self) -> Option<AuditMark> {
        serde_json::from_slice(&fs::read(&self.path).ok()?).ok()
    }

    /// Writes a head, unless the file names a later one.
    pub(crate) fn write(&self, head: &AuditMark) {
        let mut seq = self.seq.lock().unwrap_or_else(PoisonError::into_inner);
        if head.seq <= *seq {
            return;
        }
        match self.replace(head) {
            Ok(()) => *seq = head.seq,
            Err(error) => tracing::error!(%error, "the head of the audit log cannot be written"),
        }
    }

    fn replace(&self, head: &AuditMark) -> io::Result<()> {
        let next = self.path.with_extension("head.new");
        let mut file = File::create(&next)?;
        file.write_all(&serde_json::to_vec(head)?)?;
        file.sync_all()?;
        fs::rename(&next, &self.path)
    }
}
