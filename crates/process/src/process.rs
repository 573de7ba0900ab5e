//! A process with its pipes.

use std::{future::pending, io, pin::pin, process::ExitStatus, time::Duration};

use tokio::{
    process::Command,
    time::{sleep, timeout},
};

use crate::{
    Limits,
    group::Group,
    pipes::{Pipes, Transferred},
};

/// How long the output of a process that has ended may stay open.
const STILL_OPEN: Duration = Duration::from_secs(1);

/// A process that leads a process group of its own. Dropping it kills the group.
#[derive(Debug)]
pub struct Process {
    group: Group,
    pipes: Pipes,
}

/// What a process has written, and how it ended.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Output {
    /// How it ended.
    pub status: ExitStatus,
    /// All of its standard output.
    pub stdout: Vec<u8>,
    /// The beginning of its standard error.
    pub stderr: Vec<u8>,
    /// Whether there was more standard error than [`Limits::stderr`].
    pub stderr_truncated: bool,
}

/// Why a process was killed before it ended, or its output is not known.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum CommunicateError {
    /// A pipe failed, or the system does not report on the process.
    #[error("the process cannot be communicated with: {0}")]
    Io(#[from] io::Error),
    /// Standard output has more than [`Limits::stdout`] bytes, which is this number.
    #[error("the process wrote more than {0} bytes")]
    StdoutTooLong(usize),
    /// The process has ended, but a process that it started and that left the group keeps its output open.
    #[error("the process has ended, but its output is still open in another process")]
    StillOpen,
    /// The process ran longer than [`Limits::time`].
    #[error("the process ran longer than {} ms", .0.as_millis())]
    TimedOut(Duration),
}

impl Process {
    /// Starts a command in a process group of its own, with pipes for standard input, output and error. Everything
    /// else is as `command` says.
    ///
    /// # Errors
    ///
    /// If the command cannot be started.
    pub fn spawn(command: Command) -> io::Result<Self> {
        let (group, pipes) = Group::spawn(command)?;
        Ok(Self { group, pipes })
    }

    /// The id of the process, which is that of its group as well.
    #[must_use]
    pub const fn id(&self) -> u32 {
        self.group.id()
    }

    /// Writes `input`, closes standard input, and reads until the process ends. A process need not read its input.
    /// Processes that it leaves behind in its group are killed.
    ///
    /// # Errors
    ///
    /// If a limit is exceeded or a pipe fails. The group has been killed then.
    pub async fn communicate(
        self,
        input: &[u8],
        limits: &Limits,
    ) -> Result<Output, CommunicateError> {
        tokio::select! {
            output = self.run(input, limits) => output,
            error = time_out(limits.time) => Err(error),
        }
    }

    async fn run(self, input: &[u8], limits: &Limits) -> Result<Output, CommunicateError> {
        let Self { group, pipes } = self;
        let mut transfer = pin!(pipes.transfer(input, limits));
        let transferred = tokio::select! {
            transferred = &mut transfer => Some(transferred?),
            exited = group.exited() => { exited?; None }
        };
        let status = group.finish().await?;
        let Transferred { stdout, stderr, stderr_truncated } = match transferred {
            Some(transferred) => transferred,
            None => {
                timeout(STILL_OPEN, transfer).await.map_err(|_| CommunicateError::StillOpen)??
            }
        };
        Ok(Output { status, stdout, stderr, stderr_truncated })
    }
}

/// Returns when the time is over.
async fn time_out(time: Option<Duration>) -> CommunicateError {
    match time {
        Some(time) => {
            sleep(time).await;
            CommunicateError::TimedOut(time)
        }
        None => pending().await,
    }
}
