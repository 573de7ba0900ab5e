//! What can go wrong with a store.

use std::{io, path::PathBuf};

use crate::BlobUri;

/// Why a store could not do it.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum BlobError {
    /// The store has reached its limit.
    #[error("the store is full: it holds at most {limit} bytes")]
    Full {
        /// The limit.
        limit: usize,
    },
    /// What is stored under a name is not what was stored there.
    #[error("`{uri}` was damaged: its bytes do not have this digest any more")]
    Corrupted {
        /// The name.
        uri: BlobUri,
    },
    /// Another process has the store open.
    #[error("`{}` is in use by another process: end it, or choose another folder", path.display())]
    InUse {
        /// The folder of the store.
        path: PathBuf,
    },
    /// The disk refused.
    #[error("the store cannot {action}")]
    Disk {
        /// What was to be done.
        action: &'static str,
        /// Why it was not.
        source: io::Error,
    },
    /// The runtime went down while the disk was busy.
    #[error("the work on the store was cut off")]
    Interrupted,
}

impl BlobError {
    /// Makes an error of what the disk said to `action`.
    pub(crate) fn disk(action: &'static str) -> impl FnOnce(io::Error) -> Self {
        move |source| Self::Disk { action, source }
    }
}
