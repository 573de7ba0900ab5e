//! Files that are not finished.

use std::{
    fs,
    io::{self, Write},
    path::{Path, PathBuf},
    sync::atomic::{AtomicU64, Ordering},
};

use super::files;

/// The folder of unfinished files.
#[derive(Debug)]
pub(super) struct Temporary {
    folder: PathBuf,
    next: AtomicU64,
}

impl Temporary {
    /// Opens the folder and removes what a process left there that died.
    pub(super) fn open(folder: PathBuf) -> io::Result<Self> {
        files::make_folder(&folder)?;
        for entry in fs::read_dir(&folder)? {
            files::remove(&entry?.path())?;
        }
        Ok(Self { folder, next: AtomicU64::new(0) })
    }

    /// Writes a file such that `target` is, at every moment, what it was before or all of `bytes`.
    /// The name is durable once its folder is made durable as well.
    pub(super) fn write(&self, target: &Path, bytes: &[u8]) -> io::Result<()> {
        // INVARIANT: the store is locked, so no other process counts here.
        let number = self.next.fetch_add(1, Ordering::Relaxed);
        let path = self.folder.join(number.to_string());
        let written = write_durably(&path, bytes).and_then(|()| fs::rename(&path, target));
        if written.is_err() {
            // The reason is more telling than a second refusal, and opening cleans up again.
            let _ = files::remove(&path);
        }
        written
    }
}

fn write_durably(path: &Path, bytes: &[u8]) -> io::Result<()> {
    let mut file = files::create(path)?;
    file.write_all(bytes)?;
    file.sync_all()
}
