//! How much memory results may take that wait for the results before them.

use std::sync::{
    Arc,
    atomic::{AtomicUsize, Ordering},
};

/// Counts the bytes of results that wait to come out. A clone counts with the same counter.
#[derive(Clone, Debug)]
pub(crate) struct DeliveryBuffer {
    cap: usize,
    used: Arc<AtomicUsize>,
}

/// Bytes that count until this is dropped.
#[derive(Debug)]
#[must_use]
pub(crate) struct Reservation {
    buffer: DeliveryBuffer,
    bytes: usize,
}

impl DeliveryBuffer {
    /// A buffer for so many bytes.
    #[must_use]
    pub(crate) fn new(cap: usize) -> Self {
        Self { cap, used: Arc::default() }
    }

    /// Counts a result that has to wait. None if it does not fit: then it must be stored elsewhere and
    /// wait as a reference. It is never dropped, and results that wait already stay where they are.
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
