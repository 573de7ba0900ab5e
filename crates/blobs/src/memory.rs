//! A store that ends with its process.

use std::{
    collections::BTreeMap,
    fmt,
    future::ready,
    ops::Range,
    sync::{Arc, Mutex, MutexGuard, PoisonError},
};

use assent_ids::UnixMillis;

use crate::{
    About, Answer, BlobError, BlobMeta, BlobRef, BlobStore, BlobUri, Collected, Owner,
    label::Label, range::clip,
};

/// Blobs in memory, up to a number of bytes. Every answer is ready at once: time that stands still
/// does not stop it.
pub struct MemoryBlobs {
    limit: usize,
    state: Mutex<State>,
}

#[derive(Default)]
struct State {
    blobs: BTreeMap<BlobUri, Stored>,
    /// The sum of all sizes.
    used: usize,
}

struct Stored {
    bytes: Arc<[u8]>,
    label: Label,
}

impl MemoryBlobs {
    /// An empty store that holds at most `limit` bytes.
    #[must_use]
    pub fn new(limit: usize) -> Self {
        Self { limit, state: Mutex::default() }
    }

    fn lock(&self) -> MutexGuard<'_, State> {
        // Sizes are summed up before anything is inserted: a panic elsewhere leaves a true sum.
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn keep(&self, bytes: Vec<u8>, meta: BlobMeta) -> Result<BlobRef, BlobError> {
        let blob = BlobRef { uri: BlobUri::of(&bytes), size: size(&bytes) };
        let mut state = self.lock();
        if let Some(stored) = state.blobs.get_mut(&blob.uri) {
            stored.label.keep(meta);
            return Ok(blob);
        }
        let used = state.used.checked_add(bytes.len()).filter(|used| *used <= self.limit);
        state.used = used.ok_or(BlobError::Full { limit: self.limit })?;
        let mut label = Label::new(meta.media_type.clone());
        label.keep(meta);
        state.blobs.insert(blob.uri, Stored { bytes: bytes.into(), label });
        Ok(blob)
    }

    fn read(&self, uri: BlobUri, range: Option<Range<u64>>) -> Option<Vec<u8>> {
        let bytes = Arc::clone(&self.lock().blobs.get(&uri)?.bytes);
        let part = clip(range, size(&bytes));
        // A clipped range lies within a slice, so both ends are indices.
        let (start, end) = (usize::try_from(part.start).ok()?, usize::try_from(part.end).ok()?);
        bytes.get(start..end).map(<[u8]>::to_vec)
    }

    fn describe(&self, uri: BlobUri) -> Option<About> {
        let state = self.lock();
        let stored = state.blobs.get(&uri)?;
        let blob = BlobRef { uri, size: size(&stored.bytes) };
        Some(About { blob, media_type: stored.label.media_type.clone() })
    }

    fn sweep(&self, now: UnixMillis) -> Collected {
        let mut state = self.lock();
        let mut collected = Collected::default();
        state.blobs.retain(|_, stored| {
            let held = stored.label.holds.hold_at(now);
            if held {
                collected.kept += 1;
            } else {
                collected.removed += 1;
                collected.bytes += size(&stored.bytes);
            }
            held
        });
        state.used = state.blobs.values().map(|stored| stored.bytes.len()).sum();
        collected
    }
}

impl BlobStore for MemoryBlobs {
    fn put(&self, bytes: Vec<u8>, meta: BlobMeta) -> Answer<'_, BlobRef> {
        Box::pin(ready(self.keep(bytes, meta)))
    }

    fn get(&self, uri: BlobUri, range: Option<Range<u64>>) -> Answer<'_, Option<Vec<u8>>> {
        Box::pin(ready(Ok(self.read(uri, range))))
    }

    fn about(&self, uri: BlobUri) -> Answer<'_, Option<About>> {
        Box::pin(ready(Ok(self.describe(uri))))
    }

    fn release(&self, owner: Owner) -> Answer<'_, ()> {
        for stored in self.lock().blobs.values_mut() {
            stored.label.holds.release(&owner);
        }
        Box::pin(ready(Ok(())))
    }

    fn collect(&self, now: UnixMillis) -> Answer<'_, Collected> {
        Box::pin(ready(Ok(self.sweep(now))))
    }
}

/// Contents may be private, so a debug print shows only how much there is.
impl fmt::Debug for MemoryBlobs {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let state = self.lock();
        f.debug_struct("MemoryBlobs")
            .field("blobs", &state.blobs.len())
            .field("used", &state.used)
            .field("limit", &self.limit)
            .finish()
    }
}

fn size(bytes: &[u8]) -> u64 {
    u64::try_from(bytes.len()).unwrap_or(u64::MAX)
}
