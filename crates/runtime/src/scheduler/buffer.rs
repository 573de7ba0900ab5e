//! The memory of results that wait for the results before them.

use std::sync::{
    Arc,
    atomic::{AtomicUsize, Ordering},
};

/// Counts the bytes of results that wait to be released. Clones share the counter.
#[derive(Clone, Debug)]
pub(crate) struct DeliveryBuffer {
    cap: usize,
    used: Arc<AtomicUsize>,
}

/// Reserved bytes. Dropping it releases them.
#[derive(Debug)]
#[must_use]
pub(crate) struct Reservation {
    buffer: DeliveryBuffer,
    bytes: usize,
}

impl DeliveryBuffer {
    /// A buffer of `cap` bytes.
    #[must_use]
    pub(crate) fn new(cap: usize) -> Self {
        Self { cap, used: Arc::default() }
    }

    /// Reserves memory for a result that has to wait; `None` if it does not fit, and then it must be stored
    /// and wait as a reference.
    pub(crate) fn reserve(&self, bytes: usize) -> Option<Reservation> {
        let add = |used: usize| used.checked_add(bytes).filter(|sum| *sum <= self.cap);
        self.used.fetch_update(Ordering::Relaxed, Ordering::Relaxed, add).ok()?;
        Some(Reservation { buffer: self.clone(), bytes })
    }
}

impl Drop for Reservation {
    fn drop(&mut self) {
        self.buffer.used.fetch_sub(self.bytes, Ordering::Relaxed);
    }
}

#[cfg(test)]
mod tests;
