//! The redaction key of a journal, in a private file `….key` beside it. It is not in the database, so that a
//! reader of the journal cannot guess sensitive values from their digests.

use std::{
    ffi::OsString,
    fs, io,
    io::Write as _,
    path::{Path, PathBuf},
};

use super::open::{OpenError, private_file};
use crate::JournalError;

/// The file with the key of the journal in the file `journal`, as an absolute path.
pub(super) fn path(journal: &Path) -> Result<PathBuf, OpenError> {
    let file_error = |error| OpenError::File { path: journal.to_owned(), error };
    std::path::absolute(journal).map(|journal| beside(&journal)).map_err(file_error)
}

/// The name of the key file of a journal.
pub(super) fn beside(journal: &Path) -> PathBuf {
    let mut name = OsString::from(journal);
    name.push(".key");
    name.into()
}

/// The key in the file `path`; `None` if there is no such file.
pub(super) fn read(path: &Path) -> Result<Option<[u8; 32]>, JournalError> {
    match fs::read(path) {
        Ok(bytes) => {
            let damaged = |_| JournalError::Corrupt {
                what: format!("`{}` does not hold 32 bytes: restore it", path.display()),
            };
            <[u8; 32]>::try_from(bytes).map(Some).map_err(damaged)
        }
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(None),
        Err(error) => Err(unavailable(path, &error)),
    }
}

/// Writes the key durably. The file appears whole or not at all.
pub(super) fn write(path: &Path, key: [u8; 32]) -> Result<(), JournalError> {
    let mut new = OsString::from(path);
    new.push(".new");
    let written = || {
        let mut file = private_file(Path::new(&new))?;
        file.set_len(0)?;
        file.write_all(&key)?;
        file.sync_all()?;
        fs::rename(&new, path)?;
        sync_directory(path)
    };
    written().map_err(|error| unavailable(path, &error))
}

#[cfg(unix)]
fn sync_directory(path: &Path) -> io::Result<()> {
    path.parent().map_or(Ok(()), |directory| fs::File::open(directory)?.sync_all())
}

#[cfg(not(unix))]
fn sync_directory(_path: &Path) -> io::Result<()> {
    Ok(())
}

fn unavailable(path: &Path, error: &io::Error) -> JournalError {
    JournalError::Unavailable(format!("its key `{}` cannot be used: {error}", path.display()))
}
