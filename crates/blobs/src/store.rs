//! The one interface to every store.

use std::{future::Future, ops::Range, pin::Pin};

use assent_ids::UnixMillis;

use crate::{BlobError, BlobRef, BlobUri, Owner, Retention};

/// An answer that takes a while.
pub type Answer<'a, T> = Pin<Box<dyn Future<Output = Result<T, BlobError>> + Send + 'a>>;

/// Bytes under the name of their digest.
pub trait BlobStore: Send + Sync {
    /// Stores bytes. Once this answers `Ok` they survive the death of the process at any moment, for
    /// as long as `meta` says. Bytes that are there already are kept for this owner as well.
    fn put(&self, bytes: Vec<u8>, meta: BlobMeta) -> Answer<'_, BlobRef>;

    /// Bytes, or those of them in `range` that there are. None if nothing is stored under the name.
    ///
    /// Answers [`BlobError::Corrupted`] if what is stored does not have the digest in the name.
    fn get(&self, uri: BlobUri, range: Option<Range<u64>>) -> Answer<'_, Option<Vec<u8>>>;

    /// What is stored under a name, without reading it. None if nothing is.
    fn about(&self, uri: BlobUri) -> Answer<'_, Option<About>>;

    /// Ends every [`Retention::Session`] of an owner. Harmless if it has none.
    fn release(&self, owner: Owner) -> Answer<'_, ()>;

    /// Deletes blobs without holds. May run at any time, beside everything else.
    fn collect(&self, now: UnixMillis) -> Answer<'_, Collected>;
}

/// What is said about bytes when they are stored.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct BlobMeta {
    /// What they are.
    pub media_type: String,
    /// On whose behalf they are kept.
    pub owner: Owner,
    /// For how long.
    pub retention: Retention,
}

impl BlobMeta {
    /// Describes bytes of `media_type` that are kept for `owner`.
    #[must_use]
    pub fn new(media_type: impl Into<String>, owner: Owner, retention: Retention) -> Self {
        Self { media_type: media_type.into(), owner, retention }
    }
}

/// What is known about a stored blob.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct About {
    /// Its name and size.
    pub blob: BlobRef,
    /// What it is, as the first who stored it said.
    pub media_type: String,
}

/// What a collection did.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Collected {
    /// How many blobs were thrown away.
    pub removed: u64,
    /// How many are left.
    pub kept: u64,
    /// How many bytes the removed ones had.
    pub bytes: u64,
}
