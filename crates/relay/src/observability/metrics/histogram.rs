//! How long things take.

use std::time::Duration;

use super::{exposition::Exposition, figure::Counter};

/// Upper bounds of the buckets in microseconds, and as they are written, in seconds.
const BOUNDS: [(u64, &str); 13] = [
    (1_000, "0.001"),
    (2_500, "0.0025"),
    (5_000, "0.005"),
    (10_000, "0.01"),
    (25_000, "0.025"),
    (50_000, "0.05"),
    (100_000, "0.1"),
    (250_000, "0.25"),
    (500_000, "0.5"),
    (1_000_000, "1"),
    (2_500_000, "2.5"),
    (10_000_000, "10"),
    (30_000_000, "30"),
];

/// Counts of durations by bucket.
#[derive(Debug, Default)]
pub(super) struct Histogram {
    buckets: [Counter; BOUNDS.len()],
    beyond: Counter,
    micros: Counter,
}

impl Histogram {
    pub(super) fn count(&self, took: Duration) {
        let micros = u64::try_from(took.as_micros()).unwrap_or(u64::MAX);
        let fitting = BOUNDS.iter().zip(&self.buckets).find(|((bound, _), _)| micros <= *bound);
        fitting.map_or(&self.beyond, |(_, bucket)| bucket).add(1);
        self.micros.add(usize::try_from(micros).unwrap_or(usize::MAX));
    }

    pub(super) fn write(&self, out: &mut Exposition, name: &Names, operation: &str) {
        let mut below = 0;
        for ((_, bound), bucket) in BOUNDS.iter().zip(&self.buckets) {
            below += bucket.get();
            out.sample(name.bucket, &[("operation", operation), ("le", bound)], below);
        }
        let all = below + self.beyond.get();
        out.sample(name.bucket, &[("operation", operation), ("le", "+Inf")], all);
        let micros = self.micros.get();
        let seconds = format!("{}.{:06}", micros / 1_000_000, micros % 1_000_000);
        let seconds = seconds.trim_end_matches('0').trim_end_matches('.');
        out.sample(name.sum, &[("operation", operation)], seconds);
        out.sample(name.count, &[("operation", operation)], all);
    }
}

/// The names of the three kinds of lines.
pub(super) struct Names {
    pub(super) bucket: &'static str,
    pub(super) sum: &'static str,
    pub(super) count: &'static str,
}
