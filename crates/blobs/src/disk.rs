//! A store in a folder, which survives the death of its process at any moment.

mod files;
mod place;
mod shard;
mod temporary;
mod vault;
mod verified;

use std::{ops::Range, path::PathBuf, sync::Arc};

use assent_ids::UnixMillis;
use tokio::runtime::Handle;

use self::vault::Vault;
use crate::{About, Answer, BlobError, BlobMeta, BlobRef, BlobStore, BlobUri, Collected, Owner};

/// Blobs in a folder that no other process uses and only its owner can read.
///
/// ```text
/// lock                         held by the one process that has the store open
/// temporary/                   unfinished files; emptied when the store is opened
/// 3f/a9/3fa9…                  the bytes of a blob
/// 3f/a9/3fa9….label            who keeps them
/// ```
///
/// A file is written under another name, made durable, and only then renamed to its own: whatever
/// moment the process dies at, a name leads to all of its bytes or to nothing. Bytes come before
/// their label, so a crash in between leaves bytes without an owner, and the next collection
/// removes them.
#[derive(Clone, Debug)]
pub struct DiskBlobs {
    vault: Arc<Vault>,
}

impl DiskBlobs {
    /// Opens the store in `folder`, which is made if it does not exist. This waits for the disk.
    ///
    /// # Errors
    /// If another process has it open, or the disk refuses.
    pub fn open(folder: impl Into<PathBuf>) -> Result<Self, BlobError> {
        let vault = Arc::new(Vault::open(folder.into())?);
        Ok(Self { vault })
    }

    /// Runs blocking work on a thread for that purpose, so that no other task waits for the disk.
    fn offload<T: Send + 'static>(
        &self,
        work: impl FnOnce(&Vault) -> Result<T, BlobError> + Send + 'static,
    ) -> Answer<'_, T> {
        let vault = Arc::clone(&self.vault);
        Box::pin(async move {
            match Handle::try_current() {
                Ok(runtime) => {
                    let done = runtime.spawn_blocking(move || work(&vault)).await;
                    done.unwrap_or(Err(BlobError::Interrupted))
                }
                // Another runtime drives this future, and it has no threads to offer.
                Err(_) => work(&vault),
            }
        })
    }
}

impl BlobStore for DiskBlobs {
    fn put(&self, bytes: Vec<u8>, meta: BlobMeta) -> Answer<'_, BlobRef> {
        self.offload(move |vault| vault.put(&bytes, meta))
    }

    fn get(&self, uri: BlobUri, range: Option<Range<u64>>) -> Answer<'_, Option<Vec<u8>>> {
        self.offload(move |vault| vault.get(uri, range))
    }

    fn about(&self, uri: BlobUri) -> Answer<'_, Option<About>> {
        self.offload(move |vault| vault.about(uri))
    }

    fn release(&self, owner: Owner) -> Answer<'_, ()> {
        self.offload(move |vault| vault.release(&owner))
    }

    fn collect(&self, now: UnixMillis) -> Answer<'_, Collected> {
        self.offload(move |vault| vault.collect(now))
    }
}
