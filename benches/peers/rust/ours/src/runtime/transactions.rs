//! How many calls shared how many transactions, in how much time.

use std::path::Path;

use assent_bench_harness::Clock;

/// Where a file stood at a moment.
pub(super) struct Transactions {
    start: Clock,
    before: u32,
    calls: usize,
}

impl Transactions {
    /// From now on.
    pub(super) fn since_now(database: &Path) -> Self {
        Self { start: Clock::now(), before: committed(database), calls: 0 }
    }

    /// So many calls are durable.
    pub(super) fn add(&mut self, calls: usize) {
        self.calls += calls;
    }

    /// How many transactions there were.
    pub(super) fn count(&self, database: &Path) -> u32 {
        committed(database).wrapping_sub(self.before)
    }

    /// What there was per second of wall time.
    pub(super) fn figures(&self, database: &Path) -> Vec<(&'static str, f64)> {
        let seconds = self.start.elapsed().wall.as_secs_f64();
        let (calls, commits) = (self.calls as f64, f64::from(self.count(database)));
        vec![
            ("ops_per_s", calls / seconds),
            ("commits_per_s", commits / seconds),
            ("ops_per_commit", calls / commits),
        ]
    }
}

/// SQLite counts transactions in the third word of the index of its log, in the machine's byte order:
/// <https://www.sqlite.org/walformat.html>.
fn committed(database: &Path) -> u32 {
    let index = database.with_extension("db-shm");
    let bytes =
        std::fs::read(&index).unwrap_or_else(|error| panic!("{}: {error}", index.display()));
    let word = bytes.get(8..12).and_then(|word| word.try_into().ok());
    u32::from_ne_bytes(word.expect("an index of a log"))
}
