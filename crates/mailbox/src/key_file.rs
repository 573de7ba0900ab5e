//! The storage key in a file that only its owner can read.

use std::{
    fs::{self, File, OpenOptions},
    io::{self, Read as _, Write as _},
    os::unix::fs::OpenOptionsExt as _,
    path::Path,
};

use assent_ids::Entropy;
use assent_sealing::StorageKey;
use zeroize::Zeroizing;

/// Reads the storage key in the file `path`, or makes one the first time. A new key is durable when this returns.
///
/// # Errors
/// If the file cannot be read or written, or does not hold a key.
pub fn open_key_file(path: &Path, entropy: &dyn Entropy) -> io::Result<StorageKey> {
    match File::open(path) {
        Ok(file) => read(file),
        Err(error) if error.kind() == io::ErrorKind::NotFound => {
            let key = StorageKey::generate(entropy);
            write(path, &key)?;
            Ok(key)
        }
        Err(error) => Err(error),
    }
}

fn read(file: File) -> io::Result<StorageKey> {
    let mut bytes = Zeroizing::new(Vec::with_capacity(33));
    file.take(33).read_to_end(&mut bytes)?;
    let bytes: Result<[u8; 32], _> = bytes.as_slice().try_into();
    let wrong = |_| io::Error::new(io::ErrorKind::InvalidData, "the file does not hold a key");
    Ok(StorageKey::from_bytes(Zeroizing::new(bytes.map_err(wrong)?)))
}

/// Writes the key under another name first, so that a crash leaves no half key.
fn write(path: &Path, key: &StorageKey) -> io::Result<()> {
    let temporary = path.with_extension("key.new");
    let mut file =
        OpenOptions::new().write(true).create(true).truncate(true).mode(0o600).open(&temporary)?;
    file.write_all(key.as_bytes())?;
    file.sync_all()?;
    fs::rename(&temporary, path)?;
    match path.parent() {
        Some(directory) if !directory.as_os_str().is_empty() => File::open(directory)?.sync_all(),
        _ => Ok(()),
    }
}
