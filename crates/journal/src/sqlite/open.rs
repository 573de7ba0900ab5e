//! Opening the file.

use std::{
    ffi::OsString,
    fs::{File, OpenOptions, TryLockError},
    io,
    path::{Path, PathBuf},
    time::Duration,
};

use rusqlite::{Connection, OpenFlags};

use super::{
    cipher::FileCipher,
    migrations,
    readers::{READERS, Reader},
    store::Store,
};
use crate::JournalError;

/// The first version of SQLite that does not lose pages of the log when two connections write it and checkpoint it at
/// once.
const OLDEST_SQLITE: i32 = 3_051_003;

/// The number of pages in the log before a checkpoint. A checkpoint stalls the writer, but costs less per page the more
/// pages were written several times; 4,000 pages are 16 MB.
const LOG_PAGES: u32 = 4_000;

/// Why a file could not be opened as a journal.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum OpenError {
    /// Another journal, of this process or another, has it open.
    #[error("`{}` is being written by another process: a journal has one writer", .0.display())]
    InUse(PathBuf),
    /// SQLite is too old.
    #[error("SQLite {0} can lose what was written: 3.51.3 or newer is needed")]
    Unsupported(&'static str),
    /// The file belongs to another program.
    #[error("the file is not a journal")]
    NotAJournal,
    /// A newer version of the program has changed it.
    #[error("the journal has version {version}, which this program does not know: use a newer one")]
    TooNew {
        /// The version of the file.
        version: usize,
    },
    /// An older version of the program has written it, and it was opened only to read.
    #[error("the journal has version {version}: it is brought up to date when it is next written")]
    TooOld {
        /// The version of the file.
        version: usize,
    },
    /// The file system reported an error.
    #[error("`{}` cannot be opened: {error}", .path.display())]
    File {
        /// The file.
        path: PathBuf,
        /// The error.
        error: io::Error,
    },
    /// SQLite reported an error.
    #[error("the journal cannot be opened: {0}")]
    Sqlite(#[from] rusqlite::Error),
    /// A thread could not be started.
    #[error("the journal cannot be opened: {0}")]
    Thread(io::Error),
}

/// Everything that belongs to an open file.
pub(super) struct Opened {
    pub(super) store: Store,
    pub(super) readers: Vec<Reader>,
    pub(super) lock: File,
}

pub(super) fn open(path: &Path, cipher: &FileCipher) -> Result<Opened, OpenError> {
    if !is_supported(rusqlite::version_number()) {
        return Err(OpenError::Unsupported(rusqlite::version()));
    }
    // As an absolute path no name is special to SQLite.
    let path = std::path::absolute(path).map_err(|error| file_error(path, error))?;
    let lock = lock(&path)?;
    private_file(&path).map_err(|error| file_error(&path, error))?;
    let mut connection = Connection::open_with_flags(
        &path,
        OpenFlags::SQLITE_OPEN_READ_WRITE | OpenFlags::SQLITE_OPEN_NO_MUTEX,
    )?;
    configure(&connection)?;
    migrations::run(&mut connection)?;
    let readers = (0..READERS).map(|_| reader(&path, cipher)).collect::<Result<_, _>>()?;
    Ok(Opened { store: Store::new(connection, cipher.clone())?, readers, lock })
}

/// Opens read-only connections; another process may write at the same time.
pub(super) fn open_read_only(path: &Path, cipher: &FileCipher) -> Result<Vec<Reader>, OpenError> {
    if !is_supported(rusqlite::version_number()) {
        return Err(OpenError::Unsupported(rusqlite::version()));
    }
    let path = std::path::absolute(path).map_err(|error| file_error(path, error))?;
    // SQLite does not say why it cannot open a file.
    File::open(&path).map_err(|error| file_error(&path, error))?;
    let readers = (0..READERS).map(|_| reader(&path, cipher)).collect::<Result<Vec<_>, _>>()?;
    readers.first().map_or(Ok(()), |reader| migrations::check(&reader.connection))?;
    Ok(readers)
}

fn is_supported(version: i32) -> bool {
    version >= OLDEST_SQLITE
}

/// Locks a file of its own rather than the database: closing any handle of the database would release SQLite's locks of
/// this process.
fn lock(path: &Path) -> Result<File, OpenError> {
    let mut name = OsString::from(path);
    name.push(".lock");
    let lock = private_file(Path::new(&name)).map_err(|error| file_error(path, error))?;
    match lock.try_lock() {
        Ok(()) => Ok(lock),
        Err(TryLockError::WouldBlock) => Err(OpenError::InUse(path.to_owned())),
        Err(TryLockError::Error(error)) => Err(file_error(path, error)),
    }
}

/// Opens or creates the file `path`, which only its owner can read. SQLite gives its log the same mode.
pub(super) fn private_file(path: &Path) -> io::Result<File> {
    let mut options = OpenOptions::new();
    options.read(true).write(true).create(true).truncate(false);
    #[cfg(unix)]
    std::os::unix::fs::OpenOptionsExt::mode(&mut options, 0o600);
    let file = options.open(path)?;
    #[cfg(unix)]
    file.set_permissions(std::os::unix::fs::PermissionsExt::from_mode(0o600))?;
    Ok(file)
}

fn configure(connection: &Connection) -> Result<(), OpenError> {
    let mode: String =
        connection.pragma_update_and_check(None, "journal_mode", "WAL", |row| row.get(0))?;
    if mode != "wal" {
        return Err(OpenError::NotAJournal);
    }
    connection.pragma_update(None, "synchronous", "FULL")?;
    connection.pragma_update(None, "wal_autocheckpoint", LOG_PAGES)?;
    // Deleted data is overwritten with zeros, so that no saved value outlives its call.
    connection.pragma_update(None, "secure_delete", true)?;
    guard(connection)
}

fn reader(path: &Path, cipher: &FileCipher) -> Result<Reader, OpenError> {
    let flags = OpenFlags::SQLITE_OPEN_READ_ONLY | OpenFlags::SQLITE_OPEN_NO_MUTEX;
    let connection = Connection::open_with_flags(path, flags)?;
    guard(&connection)?;
    Ok(Reader { connection, cipher: cipher.clone() })
}

/// Makes sure that reading a malicious file does not run code.
fn guard(connection: &Connection) -> Result<(), OpenError> {
    connection.busy_timeout(Duration::from_secs(5))?;
    connection.pragma_update(None, "trusted_schema", false)?;
    connection.pragma_update(None, "cell_size_check", true)?;
    Ok(())
}

/// Copies everything to the new file `to`.
pub(super) fn back_up(connection: &Connection, to: &Path) -> Result<(), JournalError> {
    let failed = |what: &dyn std::fmt::Display| {
        JournalError::Unavailable(format!("it cannot be copied to `{}`: {what}", to.display()))
    };
    let file = private_file(to).map_err(|error| failed(&error))?;
    if file.metadata().map_err(|error| failed(&error))?.len() > 0 {
        return Err(failed(&"the file is not new"));
    }
    let name = to.to_str().ok_or_else(|| failed(&"its name is not text"))?;
    connection.execute("VACUUM INTO ?1", [name]).map_err(|error| failed(&error))?;
    file.sync_all().map_err(|error| failed(&error))
}

fn file_error(path: &Path, error: io::Error) -> OpenError {
    OpenError::File { path: path.to_owned(), error }
}

#[cfg(test)]
mod tests {
    use super::is_supported;

    #[test]
    fn versions_that_lose_pages_are_refused() {
        assert!(!is_supported(3_040_001));
        assert!(!is_supported(3_051_002));
        assert!(is_supported(3_051_003));
        assert!(is_supported(rusqlite::version_number()));
    }
}
