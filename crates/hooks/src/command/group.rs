//! A process with everything that it starts.

use std::{
    io,
    process::{ExitStatus, Stdio},
};

use rustix::process::{Pid, Signal, WaitId, WaitIdOptions, kill_process_group, waitid};
use tokio::{
    process::{Child, ChildStderr, ChildStdin, ChildStdout, Command},
    runtime::Handle,
    signal::unix::{SignalKind, signal},
};

/// A process that leads a process group of its own. Dropping it kills the group.
///
/// INVARIANT: the leader is reaped last. As long as it is not, even dead, the kernel gives its number to
/// nobody else, and killing the group cannot hit strangers.
pub(super) struct Group {
    leader: Pid,
    child: Option<Child>,
}

/// What connects us to the leader.
pub(super) struct Pipes {
    pub(super) stdin: ChildStdin,
    pub(super) stdout: ChildStdout,
    pub(super) stderr: ChildStderr,
}

impl Group {
    /// Starts a command in a group of its own.
    pub(super) fn start(mut command: Command) -> io::Result<(Self, Pipes)> {
        command.process_group(0).kill_on_drop(true);
        command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
        let mut child = command.spawn()?;
        let pipes = (child.stdin.take(), child.stdout.take(), child.stderr.take());
        let id = child.id().and_then(|id| i32::try_from(id).ok()).and_then(Pid::from_raw);
        match (pipes, id) {
            ((Some(stdin), Some(stdout), Some(stderr)), Some(leader)) => {
                let group = Self { leader, child: Some(child) };
                Ok((group, Pipes { stdin, stdout, stderr }))
            }
            // It has a number and three pipes, because it was just started with them.
            _ => Err(io::Error::other("it has no pipes")),
        }
    }

    /// Waits until the leader is dead, and leaves it unreaped.
    pub(super) async fn ended(&self) -> io::Result<()> {
        // Listening before looking: a death between the two is heard of.
        let mut deaths = signal(SignalKind::child())?;
        while !self.is_dead()? {
            deaths.recv().await;
        }
        Ok(())
    }

    fn is_dead(&self) -> io::Result<bool> {
        let look = WaitIdOptions::EXITED | WaitIdOptions::NOHANG | WaitIdOptions::NOWAIT;
        Ok(waitid(WaitId::Pid(self.leader), look)?.is_some())
    }

    /// Waits for the leader's end, kills what it left behind, and tells how it ended.
    pub(super) async fn finish(mut self) -> io::Result<ExitStatus> {
        self.ended().await?;
        self.kill();
        match self.child.take() {
            Some(mut child) => child.wait().await,
            None => Err(io::Error::other("it was reaped before")),
        }
    }

    fn kill(&self) {
        // It fails if nobody is left, or if what is left has become another user: neither can be helped.
        let _nobody_left = kill_process_group(self.leader, Signal::KILL);
    }
}

impl Drop for Group {
    fn drop(&mut self) {
        let Some(mut child) = self.child.take() else { return };
        self.kill();
        // Somebody must take note of its death, or it stays in the table of processes.
        if let Ok(runtime) = Handle::try_current() {
            runtime.spawn(async move { child.wait().await });
        }
    }
}
