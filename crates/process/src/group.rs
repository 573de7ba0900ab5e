//! A process group.

use std::{
    io,
    process::{ExitStatus, Stdio},
};

use rustix::process::{Pid, Signal, WaitId, WaitIdOptions, kill_process_group, waitid};
use tokio::{
    process::{Child, Command},
    runtime::Handle,
    signal::unix::{SignalKind, signal},
};

use crate::pipes::Pipes;

/// A process that leads a process group of its own. Dropping it kills the group.
///
/// INVARIANT: the leader is reaped last. Until then the kernel does not reuse its id, even if it is dead, and killing
/// the group cannot hit another one.
#[derive(Debug)]
pub(crate) struct Group {
    leader: Pid,
    child: Option<Child>,
}

impl Group {
    /// Starts a command in a group of its own.
    pub(crate) fn spawn(mut command: Command) -> io::Result<(Self, Pipes)> {
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
            // A process that was just started has an id and the three pipes.
            _ => Err(io::Error::other("the process has no pipes")),
        }
    }

    /// The id of the leader and of the group.
    pub(crate) const fn id(&self) -> u32 {
        self.leader.as_raw_nonzero().get().unsigned_abs()
    }

    /// Waits until the leader is dead, and leaves it unreaped.
    pub(crate) async fn exited(&self) -> io::Result<()> {
        // The signal is awaited before the first look: an exit between the two is not missed.
        let mut exits = signal(SignalKind::child())?;
        while !self.is_dead()? {
            exits.recv().await;
        }
        Ok(())
    }

    fn is_dead(&self) -> io::Result<bool> {
        let look = WaitIdOptions::EXITED | WaitIdOptions::NOHANG | WaitIdOptions::NOWAIT;
        Ok(waitid(WaitId::Pid(self.leader), look)?.is_some())
    }

    /// Waits until the leader is dead, kills the rest of the group, and returns how the leader ended.
    pub(crate) async fn finish(mut self) -> io::Result<ExitStatus> {
        self.exited().await?;
        self.kill();
        match self.child.take() {
            Some(mut child) => child.wait().await,
            None => Err(io::Error::other("the process was reaped before")),
        }
    }

    fn kill(&self) {
        // It fails if the group is empty, or if all of it runs as another user. Neither can be helped.
        let _ = kill_process_group(self.leader, Signal::KILL);
    }
}

impl Drop for Group {
    fn drop(&mut self) {
        let Some(mut child) = self.child.take() else { return };
        self.kill();
        // A process that is not reaped stays in the table of processes.
        if let Ok(runtime) = Handle::try_current() {
            runtime.spawn(async move { child.wait().await });
        }
    }
}
