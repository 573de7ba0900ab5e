//! Scripts of `sh`, and whether processes are alive.

use std::{
    path::PathBuf,
    time::{Duration, Instant},
};

use assent_process::{CommunicateError, Limits, Output, Process};
use tokio::process::Command;

/// Longer than any step of these tests takes.
const TIMEOUT: Duration = Duration::from_secs(20);

/// A folder in which scripts run.
pub(crate) struct Folder(tempfile::TempDir);

impl Folder {
    pub(crate) fn new() -> Self {
        Self(tempfile::tempdir().unwrap())
    }

    /// Starts a script in the folder.
    pub(crate) fn spawn(&self, script: &str) -> Process {
        let mut command = Command::new("/bin/sh");
        command.args(["-c", script]).current_dir(self.0.path());
        Process::spawn(command).unwrap()
    }

    pub(crate) fn file(&self, name: &str) -> PathBuf {
        self.0.path().join(name)
    }

    /// The process id that a script writes into a file, as soon as it has.
    pub(crate) async fn id_in(&self, name: &str) -> u32 {
        let path = self.file(name);
        eventually(|| std::fs::read_to_string(&path).ok()?.trim().parse().ok()).await
    }
}

/// Runs a script to its end.
pub(crate) async fn run(
    script: &str,
    input: &[u8],
    limits: &Limits,
) -> Result<Output, CommunicateError> {
    let folder = Folder::new();
    let process = folder.spawn(script);
    tokio::time::timeout(TIMEOUT, process.communicate(input, limits)).await.expect("an end")
}

/// Waits until there is an answer.
async fn eventually<T>(mut look: impl FnMut() -> Option<T>) -> T {
    let end = Instant::now() + TIMEOUT;
    loop {
        if let Some(found) = look() {
            return found;
        }
        assert!(Instant::now() < end, "it never happened");
        tokio::time::sleep(Duration::from_millis(10)).await;
    }
}

/// `R`, `S`, `Z` and so on; none if there is no such process.
fn state(process: u32) -> Option<char> {
    let stat = std::fs::read_to_string(format!("/proc/{process}/stat")).ok()?;
    stat.rsplit_once(") ")?.1.chars().next()
}

/// Waits until a process has ended. It may not have been reaped yet.
pub(crate) async fn dies(process: u32) {
    eventually(|| (!is_alive(process)).then_some(())).await;
}

/// Waits until a child of ours has ended and is reaped.
pub(crate) async fn is_reaped(process: u32) {
    eventually(|| state(process).is_none().then_some(())).await;
}

pub(crate) fn is_alive(process: u32) -> bool {
    !matches!(state(process), None | Some('Z' | 'X'))
}
