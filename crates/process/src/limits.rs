//! Limits of a process.

use std::time::Duration;

/// Limits of a process.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Limits {
    /// The most bytes of standard output. A process that writes more has failed.
    pub stdout: usize,
    /// How many bytes of standard error are kept. The rest is read and discarded.
    pub stderr: usize,
    /// How long the process may run, if that is limited.
    pub time: Option<Duration>,
}

impl Default for Limits {
    /// 1 MiB of output, 4 KiB of standard error, any time.
    fn default() -> Self {
        Self { stdout: 1024 * 1024, stderr: 4096, time: None }
    }
}
