//! What calls must not use at the same time. The standard names the field and leaves its shape open.
//!
//! <https://github.com/limecloud/agenttool/blob/1394c4f/docs/en/contracts/concurrency-and-scheduling.md>

use serde::{Deserialize, Serialize};

use crate::wire::{Object, words};

/// One thing and how it is used.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[non_exhaustive]
pub struct ResourceLock {
    /// The thing.
    pub key: String,
    /// How it is used.
    pub mode: LockMode,
    /// Fields that this version does not know.
    #[serde(flatten)]
    pub extra: Object,
}

impl ResourceLock {
    /// Creates a value with the required fields only.
    #[must_use]
    pub fn new(key: impl Into<String>, mode: LockMode) -> Self {
        Self { key: key.into(), mode, extra: Object::new() }
    }
}

words! {
    /// How a locked thing is used.
    LockMode {
        /// Beside others that share it.
        Shared = "shared",
        /// Alone.
        Exclusive = "exclusive",
    }
}
