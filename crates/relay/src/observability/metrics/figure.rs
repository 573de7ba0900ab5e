//! Numbers that many threads change.

use std::{
    fmt,
    sync::{
        Arc,
        atomic::{AtomicI64, AtomicU64, Ordering},
    },
};

/// A number that only grows.
#[derive(Debug, Default)]
pub(crate) struct Counter(AtomicU64);

impl Counter {
    pub(crate) fn add(&self, number: usize) {
        self.0.fetch_add(u64::try_from(number).unwrap_or(u64::MAX), Ordering::Relaxed);
    }

    pub(super) fn get(&self) -> u64 {
        self.0.load(Ordering::Relaxed)
    }
}

impl fmt::Display for Counter {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.get().fmt(f)
    }
}

/// How many of something there are at the moment.
#[derive(Clone, Debug, Default)]
pub(crate) struct Gauge(Arc<AtomicI64>);

impl Gauge {
    /// Adds a number, which may be negative.
    pub(crate) fn add(&self, number: i64) {
        self.0.fetch_add(number, Ordering::Relaxed);
    }

    /// One more, until the answer is dropped.
    pub(crate) fn hold(&self) -> GaugeGuard {
        self.add(1);
        GaugeGuard(self.clone())
    }
}

impl fmt::Display for Gauge {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.load(Ordering::Relaxed).fmt(f)
    }
}

/// One of something.
#[derive(Debug)]
pub(crate) struct GaugeGuard(Gauge);

impl Drop for GaugeGuard {
    fn drop(&mut self) {
        self.0.add(-1);
    }
}
