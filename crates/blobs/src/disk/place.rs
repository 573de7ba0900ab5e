//! Where a blob lies.

use std::{
    ffi::OsStr,
    fs, io,
    path::{Path, PathBuf},
};

use crate::{BlobError, BlobUri};

/// What the file beside the bytes is called after their digest.
const LABEL: &str = "label";

/// The files of one blob, in the two folders that the first digits of its digest name.
#[derive(Debug)]
pub(super) struct Place {
    /// The folder of the first two digits.
    pub(super) outer: PathBuf,
    /// The folder of the next two digits, in which the files are.
    pub(super) inner: PathBuf,
    /// The bytes.
    pub(super) bytes: PathBuf,
    /// Who keeps them.
    pub(super) label: PathBuf,
}

impl Place {
    /// The place of a blob under `root`.
    pub(super) fn of(root: &Path, uri: BlobUri) -> Self {
        let digest = uri.digest();
        let [first, second, ..] = *digest.as_bytes();
        let outer = outer(root, first);
        let inner = outer.join(format!("{second:02x}"));
        let bytes = inner.join(digest.to_string());
        let label = bytes.with_extension(LABEL);
        Self { outer, inner, bytes, label }
    }
}

/// The folder of all blobs whose digest begins with a byte.
pub(super) fn outer(root: &Path, first: u8) -> PathBuf {
    root.join(format!("{first:02x}"))
}

/// The blobs of which there is a file in one of the folders in `outer`, in order. Files of others are
/// passed over.
pub(super) fn blobs_in(outer: &Path) -> Result<Vec<BlobUri>, BlobError> {
    let mut found = Vec::new();
    for inner in entries(outer)? {
        found.extend(entries(&inner)?.iter().filter_map(|path| blob_of(path)));
    }
    // The bytes and their label give the same name.
    found.sort_unstable();
    found.dedup();
    Ok(found)
}

fn blob_of(path: &Path) -> Option<BlobUri> {
    let known = path.extension().is_none_or(|extension| extension == LABEL);
    let digest = path.file_stem().and_then(OsStr::to_str)?.parse().ok()?;
    known.then(|| BlobUri::new(digest))
}

/// What is in a folder; nothing if it is not one.
fn entries(folder: &Path) -> Result<Vec<PathBuf>, BlobError> {
    let read = || -> io::Result<Vec<PathBuf>> {
        fs::read_dir(folder)?.map(|entry| Ok(entry?.path())).collect()
    };
    match read() {
        Err(error)
            if matches!(error.kind(), io::ErrorKind::NotFound | io::ErrorKind::NotADirectory) =>
        {
            Ok(Vec::new())
        }
        other => other.map_err(BlobError::disk("list its folders")),
    }
}
