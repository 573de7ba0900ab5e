//! The journal in an SQLite file.

mod crash;
mod encrypted;
mod file;

use std::path::PathBuf;

use assent_journal::SqliteJournal;
use tempfile::TempDir;

assent_journal::journal_conformance!(|test| {
    let directory = Directory::new();
    test(&directory.open());
});

/// A directory for one journal.
pub(crate) struct Directory(TempDir);

impl Directory {
    pub(crate) fn new() -> Self {
        Self(tempfile::tempdir().unwrap())
    }

    pub(crate) fn path(&self) -> PathBuf {
        self.0.path().join("journal.db")
    }

    #[track_caller]
    pub(crate) fn open(&self) -> SqliteJournal {
        SqliteJournal::open(&self.path()).unwrap()
    }

    /// Every byte in the directory.
    pub(crate) fn bytes(&self) -> Vec<u8> {
        let files = std::fs::read_dir(self.0.path()).unwrap();
        files.flat_map(|file| std::fs::read(file.unwrap().path()).unwrap()).collect()
    }
}
