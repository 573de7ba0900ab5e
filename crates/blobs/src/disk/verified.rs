//! Reading bytes and finding out whether they are the right ones.

use std::{
    fs::File,
    io::{self, Read},
    ops::Range,
};

use sha2::{Digest as _, Sha256};

use crate::{BlobUri, range::clip};

/// Number of bytes in memory at a time while skipping to the requested range.
const CHUNK: usize = 64 * 1024;

/// Reads the whole file and keeps the bytes in `range`. None if all of it does not have the digest
/// of `uri`: then the part is worth nothing either.
pub(super) fn read(
    mut file: File,
    uri: BlobUri,
    range: Option<Range<u64>>,
) -> io::Result<Option<Vec<u8>>> {
    let wanted = clip(range, file.metadata()?.len());
    let mut kept = Vec::with_capacity(usize::try_from(wanted.end - wanted.start).unwrap_or(0));
    let mut hasher = Sha256::new();
    let mut chunk = vec![0; CHUNK];
    let mut position = 0_u64;
    loop {
        let count = match file.read(&mut chunk) {
            Ok(0) => break,
            Ok(count) => count,
            Err(error) if error.kind() == io::ErrorKind::Interrupted => continue,
            Err(error) => return Err(error),
        };
        let bytes = chunk.get(..count).unwrap_or_default();
        hasher.update(bytes);
        kept.extend_from_slice(overlap(bytes, position, &wanted));
        position = position.saturating_add(u64::try_from(count).unwrap_or(u64::MAX));
    }
    let found: [u8; 32] = hasher.finalize().into();
    Ok((found == *uri.digest().as_bytes()).then_some(kept))
}

/// The part of `bytes`, which begin at `position`, that lies in `wanted`.
fn overlap<'b>(bytes: &'b [u8], position: u64, wanted: &Range<u64>) -> &'b [u8] {
    let index = |place: u64| {
        usize::try_from(place.saturating_sub(position))
            .map_or(bytes.len(), |at| at.min(bytes.len()))
    };
    bytes.get(index(wanted.start)..index(wanted.end)).unwrap_or_default()
}

/// Whether the file holds exactly the bytes that `uri` names.
pub(super) fn is_whole(file: File, uri: BlobUri) -> io::Result<bool> {
    Ok(read(file, uri, Some(0..0))?.is_some())
}
