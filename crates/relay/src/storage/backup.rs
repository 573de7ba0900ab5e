//! Copies of a SQLite database, made while it is used: whole or not at all.

use std::{
    fs::{self, File},
    io::{self, Read as _},
    path::{Path, PathBuf},
};

use assent_relay_api::value::Sha256;
use assent_store::{Database, StoreError};
use sha2::Digest as _;

/// A copy that was made.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Copy {
    pub(crate) size_bytes: u64,
    pub(crate) sha256: Sha256,
}

/// Why there is no copy.
#[derive(Debug, thiserror::Error)]
pub(crate) enum BackupError {
    #[error("the file exists already; a copy never overwrites")]
    Exists,
    #[error("the file cannot be written: {0}")]
    File(io::Error),
    #[error(transparent)]
    Store(#[from] StoreError),
}

impl From<io::Error> for BackupError {
    fn from(error: io::Error) -> Self {
        match error.kind() {
            io::ErrorKind::AlreadyExists => Self::Exists,
            _ => Self::File(error),
        }
    }
}

impl Copy {
    /// Copies `database` to the new file `to`.
    pub(crate) async fn make(database: &Database, to: &Path) -> Result<Self, BackupError> {
        if to.symlink_metadata().is_ok() {
            return Err(BackupError::Exists);
        }
        let partial = Partial::beside(to)?;
        database.back_up(&partial.0).await?;
        let to = to.to_owned();
        let finished = tokio::task::spawn_blocking(move || partial.become_whole(&to)).await;
        finished.map_err(|_| BackupError::Store(StoreError::Closed))?
    }
}

/// A file that is not whole yet. It is removed, unless it has become whole.
struct Partial(PathBuf);

impl Partial {
    /// A new empty file in the same directory.
    fn beside(to: &Path) -> Result<Self, BackupError> {
        let mut name = to.file_name().unwrap_or_default().to_owned();
        name.push(".partial");
        let path = to.with_file_name(name);
        let mut options = fs::OpenOptions::new();
        options.write(true).create_new(true);
        #[cfg(unix)]
        std::os::unix::fs::OpenOptionsExt::mode(&mut options, 0o600);
        options.open(&path).map_err(BackupError::File)?;
        Ok(Self(path))
    }

    /// Gives the file its name. Fails if a file of that name was made meanwhile.
    fn become_whole(self, to: &Path) -> Result<Copy, BackupError> {
        let copy = digest(&self.0)?;
        fs::hard_link(&self.0, to)?;
        // The name is durable when its directory is.
        let directory = to.parent().unwrap_or(Path::new("/"));
        File::open(directory)?.sync_all()?;
        Ok(copy)
    }
}

impl Drop for Partial {
    fn drop(&mut self) {
        // If it cannot be removed, its name tells what it is.
        let _ = fs::remove_file(&self.0);
    }
}

fn digest(path: &Path) -> Result<Copy, BackupError> {
    let mut file = File::open(path)?;
    let mut sha256 = sha2::Sha256::new();
    let (mut buffer, mut size_bytes) = (vec![0; 128 * 1024], 0_u64);
    loop {
        let read = file.read(&mut buffer)?;
        let bytes = buffer.get(..read).unwrap_or_default();
        if bytes.is_empty() {
            break;
        }
        sha256.update(bytes);
        size_bytes = size_bytes.saturating_add(u64::try_from(read).unwrap_or(u64::MAX));
    }
    let hex: String = sha256.finalize().iter().map(|byte| format!("{byte:02x}")).collect();
    let sha256 =
        Sha256::try_from(hex).map_err(|error| BackupError::File(io::Error::other(error)))?;
    Ok(Copy { size_bytes, sha256 })
}
