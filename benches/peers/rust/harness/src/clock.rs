//! What the process has used so far.

use std::{
    ops::AddAssign,
    time::{Duration, Instant},
};

use rustix::time::{ClockId, clock_gettime};

/// A moment, on the wall and in CPU time.
///
/// CPU time is that of the whole process, in user and system mode: other processes on the machine
/// lengthen the wall time, but hardly this one.
pub struct Clock {
    cpu: Duration,
    wall: Instant,
}

/// What passed since a moment.
#[derive(Clone, Copy, Debug, Default)]
pub struct Elapsed {
    /// In CPU time.
    pub cpu: Duration,
    /// On the wall.
    pub wall: Duration,
}

impl Clock {
    /// This moment.
    #[must_use]
    pub fn now() -> Self {
        Self { cpu: process_time(), wall: Instant::now() }
    }

    /// What passed since.
    #[must_use]
    pub fn elapsed(&self) -> Elapsed {
        Elapsed { cpu: process_time().saturating_sub(self.cpu), wall: self.wall.elapsed() }
    }
}

impl AddAssign for Elapsed {
    fn add_assign(&mut self, more: Self) {
        self.cpu += more.cpu;
        self.wall += more.wall;
    }
}

fn process_time() -> Duration {
    let time = clock_gettime(ClockId::ProcessCPUTime);
    Duration::try_from(time).expect("a process does not run for less than no time")
}

/// The most memory that the process had at any time. Zero where the kernel does not tell.
pub(crate) fn peak_memory_kib() -> u64 {
    status("VmHWM:")
}

/// The memory that the process has now. Zero where the kernel does not tell.
pub(crate) fn memory_kib() -> u64 {
    status("VmRSS:")
}

fn status(name: &str) -> u64 {
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    status
        .lines()
        .find_map(|line| line.strip_prefix(name))
        .and_then(|rest| rest.trim().trim_end_matches(" kB").parse().ok())
        .unwrap_or_default()
}
