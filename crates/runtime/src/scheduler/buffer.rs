//! How much memory results may take that wait for the results before them.

use std::sync::{
    Arc,
    atomic::{AtomicUsize, Ordering},
};

/// Counts the bytes of results that wait to come out. A clone counts with the same counter.
#[derive(Clone, Debug)]
pub struct DeliveryBuffer {
    cap: usize,
    used: Arc<AtomicUsize>,
}

/// Bytes that count until this is dropped.
#[derive(Debug)]
#[must_use]
pub struct Held {
    buffer: DeliveryBuffer,
    bytes: usize,
}

impl DeliveryBuffer {
    /// A buffer for so many bytes.
    #[must_use]
    pub fn new(cap: usize) -> Self {
        Self { cap, used: Arc::default() }
    }

    /// Counts a result that has to wait. None if it does not fit: then it must be stored elsewhere and
    /// wait as a reference. It is never dropped, and results that wait already stay where they are.
    pub fn hold(&self, bytes: usize) -> Option<Held> {
        let add = |used: usize| used.checked_add(bytes).filter(|sum| *sum <= self.cap);
        self.used.fetch_update(Ordering::Relaxed, Ordering::Relaxed, add).ok()?;
        Some(Held { buffer: self.clone(), bytes })
    }

    /// How many bytes wait.
    #[must_use]
    pub fn used(&self) -> usize {
        self.used.load(Ordering::Relaxed)
    }
}

impl Drop for Held {
    fn drop(&mut self) {
        self.buffer.used.fetch_sub(self.bytes, Ordering::Relaxed);
    }
}

#[cfg(test)]
mod tests;
