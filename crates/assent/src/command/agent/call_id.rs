//! New ids of calls. They are made before a call, so that also a call that cannot be sent has one.

use std::io;

use assent_ids::{CallId, SystemClock, SystemEntropy, Ulid};

use super::Failure;

/// A new id.
pub(super) fn new() -> Result<CallId, Failure> {
    let entropy = SystemEntropy::new().map_err(io::Error::other)?;
    let id = Ulid::generate(&SystemClock, &entropy).to_string();
    Ok(id.parse().map_err(io::Error::other)?)
}
