//! Content-addressed bytes: stored once, whole or not at all, and kept for as long as they are
//! referenced.
//!
//! Results that are too large to be passed on are stored here and named by their digest, so a name
//! can only ever mean the bytes it was given for. [`BlobStore`] is the interface; [`DiskBlobs`]
//! survives the death of its process at any moment, [`MemoryBlobs`] is for tests and rehearsals.
//!
//! Invariant: bytes that are handed out have the digest in their name. Damaged ones are reported.
//!
//! ```
//! use assent_blobs::{BlobMeta, BlobStore, MemoryBlobs, Owner, Retention};
//!
//! # let runtime = tokio::runtime::Builder::new_current_thread().build()?;
//! # runtime.block_on(async {
//! let store = MemoryBlobs::new(1 << 20);
//! let meta = BlobMeta::new("text/plain", Owner::new("a session")?, Retention::Session);
//! let blob = store.put(b"a long story".to_vec(), meta).await?;
//! assert_eq!(store.get(blob.uri, Some(2..6)).await?, Some(b"long".to_vec()));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! # })?;
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod disk;
mod error;
mod label;
mod memory;
mod owner;
mod range;
mod retention;
mod store;
mod uri;

pub use disk::DiskBlobs;
pub use error::BlobError;
pub use memory::MemoryBlobs;
pub use owner::{BadOwner, Owner};
pub use retention::Retention;
pub use store::{About, Answer, BlobMeta, BlobStore, Collected};
pub use uri::{BlobRef, BlobUri, ParseUriError};
