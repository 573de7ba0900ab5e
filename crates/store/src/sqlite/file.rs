//! Files: opened for one process, readable by their owner only.

use std::{
    ffi::OsString,
    fs::{File, OpenOptions, TryLockError},
    io,
    path::Path,
    time::Duration,
};

use rusqlite::{Connection, OpenFlags};

use crate::{OpenError, StoreError};

/// The first SQLite that does not lose pages of its log when two connections write it and move it into
/// the file at once.
const OLDEST_SQLITE: i32 = 3_051_003;

/// Pages in the log before they are moved into the file. Moving stalls the writer, but costs less the
/// more pages were written several times meanwhile; 4,000 pages are 16 MB.
const LOG_PAGES: u32 = 4_000;

/// Pages that stay in memory, in KiB: enough that what is written all the time is not read each time.
const WRITER_CACHE: i64 = 16 * 1024;
const READER_CACHE: i64 = 4 * 1024;

/// How many statements stay compiled; more than the services have.
const STATEMENTS: usize = 512;

pub(super) fn check_version(version: i32) -> Result<(), OpenError> {
    if version < OLDEST_SQLITE {
        return Err(OpenError::UnsupportedSqlite(rusqlite::version()));
    }
    Ok(())
}

/// A lock of its own, and not on the database: closing any handle of that would take SQLite's locks
/// away from this process.
pub(super) fn lock(path: &Path) -> Result<File, OpenError> {
    let mut name = OsString::from(path);
    name.push(".lock");
    let lock = private_file(Path::new(&name)).map_err(|error| refused(path, error))?;
    match lock.try_lock() {
        Ok(()) => Ok(lock),
        Err(TryLockError::WouldBlock) => Err(OpenError::InUse(path.to_owned())),
        Err(TryLockError::Error(error)) => Err(refused(path, error)),
    }
}

/// The file `path`, made if it is not there, that only its owner can read. SQLite gives its log
/// the same mode.
pub(super) fn private_file(path: &Path) -> io::Result<File> {
    let mut options = OpenOptions::new();
    options.read(true).write(true).create(true).truncate(false);
    #[cfg(unix)]
    std::os::unix::fs::OpenOptionsExt::mode(&mut options, 0o600);
    options.open(path)
}

/// Whether there is a file. If not, one can be made: in the nearest directory above it that is there.
pub(super) fn is_there(path: &Path) -> Result<bool, OpenError> {
    match path.metadata() {
        Ok(found) if found.is_file() => return Ok(true),
        Ok(_) => return Err(refused(path, io::ErrorKind::IsADirectory.into())),
        Err(error) if error.kind() != io::ErrorKind::NotFound => return Err(refused(path, error)),
        Err(_) => {}
    }
    let above = path.ancestors().skip(1).find(|above| above.exists()).unwrap_or(Path::new("/"));
    let trial = above.join(format!(".assent-trial-{}", std::process::id()));
    let made = OpenOptions::new().write(true).create_new(true).open(&trial);
    made.map_err(|error| refused(path, error))?;
    // What cannot be removed is empty and says what it was.
    let _ = std::fs::remove_file(&trial);
    Ok(false)
}

pub(super) fn refused(path: &Path, error: io::Error) -> OpenError {
    OpenError::File { path: path.to_owned(), error }
}

/// A connection that writes durably.
pub(super) fn writer(path: &Path) -> Result<Connection, rusqlite::Error> {
    let flags = OpenFlags::SQLITE_OPEN_READ_WRITE | OpenFlags::SQLITE_OPEN_NO_MUTEX;
    let connection = Connection::open_with_flags(path, flags)?;
    guard(&connection)?;
    connection.pragma_update_and_check(None, "journal_mode", "WAL", |_| Ok(()))?;
    connection.pragma_update(None, "synchronous", "FULL")?;
    connection.pragma_update(None, "wal_autocheckpoint", LOG_PAGES)?;
    connection.pragma_update(None, "foreign_keys", true)?;
    // What was deleted or replaced is not left behind in the pages that are written anyway.
    connection.pragma_update_and_check(None, "secure_delete", "FAST", |_| Ok(()))?;
    connection.pragma_update(None, "cache_size", -WRITER_CACHE)?;
    // Copies of pages for undoing: they need not survive anything.
    connection.pragma_update(None, "temp_store", "MEMORY")?;
    Ok(connection)
}

/// A connection that reads.
pub(super) fn reader(path: &Path) -> Result<Connection, rusqlite::Error> {
    let flags = OpenFlags::SQLITE_OPEN_READ_ONLY | OpenFlags::SQLITE_OPEN_NO_MUTEX;
    let connection = Connection::open_with_flags(path, flags)?;
    guard(&connection)?;
    connection.pragma_update(None, "cache_size", -READER_CACHE)?;
    Ok(connection)
}

/// Whatever the file contains, reading it runs no code from it.
fn guard(connection: &Connection) -> Result<(), rusqlite::Error> {
    connection.busy_timeout(Duration::from_secs(5))?;
    connection.pragma_update(None, "trusted_schema", false)?;
    connection.pragma_update(None, "cell_size_check", true)?;
    connection.set_prepared_statement_cache_capacity(STATEMENTS);
    Ok(())
}

/// Copies the database `from`, as it is at this moment, to the new file `to`.
pub(super) fn back_up(from: &Path, to: &Path) -> Result<(), StoreError> {
    let failed = |what: &dyn std::fmt::Display| {
        StoreError::Refused(format!("it cannot be copied to `{}`: {what}", to.display()))
    };
    let file = private_file(to).map_err(|error| failed(&error))?;
    if file.metadata().map_err(|error| failed(&error))?.len() > 0 {
        return Err(failed(&"the file is not new"));
    }
    let name = to.to_str().ok_or_else(|| failed(&"its name is not text"))?;
    let connection = reader(from).map_err(|error| failed(&error))?;
    connection.execute("VACUUM INTO ?1", [name]).map_err(|error| failed(&error))?;
    file.sync_all().map_err(|error| failed(&error))
}

#[cfg(test)]
mod tests {
    use super::check_version;

    #[test]
    fn versions_that_lose_pages_are_refused() {
        assert!(check_version(3_040_001).is_err());
        assert!(check_version(3_051_002).is_err());
        assert!(check_version(3_051_003).is_ok());
        assert!(check_version(rusqlite::version_number()).is_ok());
    }
}
