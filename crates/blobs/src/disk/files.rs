//! Files and folders that only their owner can read.

#[cfg(unix)]
use std::os::unix::fs::{DirBuilderExt, OpenOptionsExt};
use std::{
    fs::{self, DirBuilder, File, OpenOptions},
    io,
    path::Path,
};

/// A new file. It must not exist.
pub(super) fn create(path: &Path) -> io::Result<File> {
    private().create_new(true).open(path)
}

/// The file that is locked while a store is open.
pub(super) fn open_lock(path: &Path) -> io::Result<File> {
    private().create(true).truncate(false).open(path)
}

fn private() -> OpenOptions {
    let mut options = OpenOptions::new();
    options.write(true);
    #[cfg(unix)]
    options.mode(0o600);
    options
}

/// Makes a folder and those it lies in, unless they exist.
pub(super) fn make_folder(path: &Path) -> io::Result<()> {
    let mut builder = DirBuilder::new();
    builder.recursive(true);
    #[cfg(unix)]
    builder.mode(0o700);
    builder.create(path)
}

/// Makes a folder and those it lies in, unless they exist, such that a power cut does not take away
/// what was made.
pub(super) fn make_folder_durably(path: &Path) -> io::Result<()> {
    if path.is_dir() {
        return Ok(());
    }
    let above = path.parent().filter(|above| !above.as_os_str().is_empty());
    if let Some(above) = above {
        make_folder_durably(above)?;
    }
    make_folder(path)?;
    sync_folder(above.unwrap_or(Path::new(".")))
}

/// Makes the names in a folder durable, as opposed to what the files hold.
pub(super) fn sync_folder(path: &Path) -> io::Result<()> {
    // Elsewhere a folder cannot be opened as a file, and renaming is durable by itself.
    if cfg!(unix) { File::open(path)?.sync_all() } else { Ok(()) }
}

/// Removes a file, if it exists.
pub(super) fn remove(path: &Path) -> io::Result<()> {
    absent_is_none(fs::remove_file(path)).map(Option::unwrap_or_default)
}

/// A file that does not exist is no error.
pub(super) fn absent_is_none<T>(result: io::Result<T>) -> io::Result<Option<T>> {
    match result {
        Ok(value) => Ok(Some(value)),
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(None),
        Err(error) => Err(error),
    }
}
