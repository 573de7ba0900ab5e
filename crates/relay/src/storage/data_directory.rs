//! The directory of one server.

use std::{
    fs::{DirBuilder, File, OpenOptions, TryLockError},
    io,
    path::Path,
};

use crate::server::StartError;

/// A directory that belongs to this process as long as this lives.
#[derive(Debug)]
pub(crate) struct DataDirectory {
    _lock: File,
}

impl DataDirectory {
    /// Makes the directory, for its owner alone, and claims it.
    pub(crate) fn claim(path: &Path) -> Result<Self, StartError> {
        let failed = |error| StartError::Data { path: path.display().to_string(), error };
        private_directory(path).map_err(failed)?;
        let lock = private_file(&path.join("relay.lock")).map_err(failed)?;
        match lock.try_lock() {
            Ok(()) => Ok(Self { _lock: lock }),
            Err(TryLockError::WouldBlock) => Err(StartError::InUse(path.display().to_string())),
            Err(TryLockError::Error(error)) => Err(failed(error)),
        }
    }
}

fn private_directory(path: &Path) -> io::Result<()> {
    let mut builder = DirBuilder::new();
    builder.recursive(true);
    #[cfg(unix)]
    std::os::unix::fs::DirBuilderExt::mode(&mut builder, 0o700);
    builder.create(path)
}

fn private_file(path: &Path) -> io::Result<File> {
    let mut options = OpenOptions::new();
    options.write(true).create(true).truncate(false);
    #[cfg(unix)]
    std::os::unix::fs::OpenOptionsExt::mode(&mut options, 0o600);
    options.open(path)
}
