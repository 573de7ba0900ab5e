//! The blocking operations of a store on disk.

use std::{
    fs::{self, File, TryLockError},
    ops::Range,
    path::{Path, PathBuf},
    sync::{Mutex, MutexGuard, PoisonError},
};

use assent_ids::UnixMillis;

use super::{
    files::{self, absent_is_none},
    place::{self, Place},
    shard::Shard,
    temporary::Temporary,
    verified,
};
use crate::{About, BlobError, BlobMeta, BlobRef, BlobUri, Collected, Owner, label::Label};

/// An open store.
#[derive(Debug)]
pub(super) struct Vault {
    root: PathBuf,
    temporary: Temporary,
    /// One for every first byte of a digest, so that stores of different bytes rarely wait for each
    /// other: most of their time goes into waiting for the disk.
    shards: [Mutex<Shard>; 256],
    /// Locked until it is closed.
    _lock: File,
}

impl Vault {
    pub(super) fn open(root: PathBuf) -> Result<Self, BlobError> {
        files::make_folder_durably(&root).map_err(BlobError::disk("make its folder"))?;
        let lock = take_lock(&root)?;
        let temporary = Temporary::open(root.join("temporary"))
            .map_err(BlobError::disk("clear its unfinished files"))?;
        let shards = std::array::from_fn(|_| Mutex::default());
        Ok(Self { root, temporary, shards, _lock: lock })
    }

    pub(super) fn put(&self, bytes: &[u8], meta: BlobMeta) -> Result<BlobRef, BlobError> {
        let size = u64::try_from(bytes.len()).unwrap_or(u64::MAX);
        let uri = BlobUri::of(bytes);
        let place = Place::of(&self.root, uri);
        let [first, second, ..] = *uri.digest().as_bytes();
        let mut shard = self.shard(first);
        shard.prepare(&self.root, &place, second).map_err(BlobError::disk("make a folder"))?;
        if !is_stored(&place, uri)? {
            let written = self.temporary.write(&place.bytes, bytes);
            written.map_err(BlobError::disk("write bytes"))?;
        }
        let mut label = read_label(&place)?.unwrap_or_else(|| Label::new(meta.media_type.clone()));
        if label.keep(meta) {
            self.write_label(&place, &label)?;
        }
        // Also if nothing was written: an earlier writer may have died before this point.
        sync(&place)?;
        drop(shard);
        Ok(BlobRef { uri, size })
    }

    pub(super) fn get(
        &self,
        uri: BlobUri,
        range: Option<Range<u64>>,
    ) -> Result<Option<Vec<u8>>, BlobError> {
        let Some(file) = open_bytes(&Place::of(&self.root, uri))? else { return Ok(None) };
        let bytes = verified::read(file, uri, range).map_err(BlobError::disk("read bytes"))?;
        bytes.map(Some).ok_or(BlobError::Corrupted { uri })
    }

    pub(super) fn about(&self, uri: BlobUri) -> Result<Option<About>, BlobError> {
        let place = Place::of(&self.root, uri);
        let Some(size) = size_of(&place)? else { return Ok(None) };
        let label = read_label(&place)?.unwrap_or_else(|| Label::read(b""));
        Ok(Some(About { blob: BlobRef { uri, size }, media_type: label.media_type }))
    }

    pub(super) fn release(&self, owner: &Owner) -> Result<(), BlobError> {
        self.each(|place| {
            let Some(mut label) = read_label(place)? else { return Ok(()) };
            if label.holds.release(owner) {
                self.write_label(place, &label)?;
                sync(place)?;
            }
            Ok(())
        })
    }

    pub(super) fn collect(&self, now: UnixMillis) -> Result<Collected, BlobError> {
        let mut collected = Collected::default();
        self.each(|place| {
            let size = size_of(place)?;
            let held = read_label(place)?.is_some_and(|label| label.holds.hold_at(now));
            match size {
                Some(_) if held => collected.kept += 1,
                Some(size) => {
                    remove(place)?;
                    collected.removed += 1;
                    collected.bytes += size;
                }
                // A label without bytes is left of a store that was cut off.
                None => remove(place)?,
            }
            Ok(())
        })?;
        Ok(collected)
    }

    /// Calls `act` for every blob, under the lock of its shard.
    fn each(&self, mut act: impl FnMut(&Place) -> Result<(), BlobError>) -> Result<(), BlobError> {
        for first in 0..=u8::MAX {
            let _turn = self.shard(first);
            for uri in place::blobs_in(&place::outer(&self.root, first))? {
                act(&Place::of(&self.root, uri))?;
            }
        }
        Ok(())
    }

    fn shard(&self, first: u8) -> MutexGuard<'_, Shard> {
        #[expect(clippy::indexing_slicing, reason = "there is a shard for every byte")]
        let shard = &self.shards[usize::from(first)];
        // What a shard knows is true at every moment: a panic elsewhere leaves nothing half done.
        shard.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn write_label(&self, place: &Place, label: &Label) -> Result<(), BlobError> {
        let written = self.temporary.write(&place.label, &label.write());
        written.map_err(BlobError::disk("write a label"))
    }
}

fn take_lock(root: &Path) -> Result<File, BlobError> {
    let locking = "lock its folder";
    let lock = files::open_lock(&root.join("lock")).map_err(BlobError::disk(locking))?;
    match lock.try_lock() {
        Ok(()) => Ok(lock),
        Err(TryLockError::WouldBlock) => Err(BlobError::InUse { path: root.to_owned() }),
        Err(TryLockError::Error(error)) => Err(BlobError::disk(locking)(error)),
    }
}

/// Whether the bytes are there and undamaged. Damaged ones are written again.
fn is_stored(place: &Place, uri: BlobUri) -> Result<bool, BlobError> {
    match open_bytes(place)? {
        Some(file) => verified::is_whole(file, uri).map_err(BlobError::disk("read bytes")),
        None => Ok(false),
    }
}

fn open_bytes(place: &Place) -> Result<Option<File>, BlobError> {
    absent_is_none(File::open(&place.bytes)).map_err(BlobError::disk("open bytes"))
}

fn size_of(place: &Place) -> Result<Option<u64>, BlobError> {
    let found = absent_is_none(fs::metadata(&place.bytes));
    Ok(found.map_err(BlobError::disk("look for bytes"))?.map(|metadata| metadata.len()))
}

fn read_label(place: &Place) -> Result<Option<Label>, BlobError> {
    let text = absent_is_none(fs::read(&place.label)).map_err(BlobError::disk("read a label"))?;
    Ok(text.map(|text| Label::read(&text)))
}

fn sync(place: &Place) -> Result<(), BlobError> {
    files::sync_folder(&place.inner).map_err(BlobError::disk("make a folder durable"))
}

fn remove(place: &Place) -> Result<(), BlobError> {
    let removed = files::remove(&place.bytes).and_then(|()| files::remove(&place.label));
    removed.map_err(BlobError::disk("remove a blob"))
}
