//! Writes standard input, reads standard output and standard error, all at once.

use std::io;

use tokio::{
    io::{AsyncReadExt as _, AsyncWriteExt as _, copy, sink},
    process::{ChildStderr, ChildStdin, ChildStdout},
};

use crate::{CommunicateError, Limits};

/// The pipes to a process.
#[derive(Debug)]
pub(crate) struct Pipes {
    pub(crate) stdin: ChildStdin,
    pub(crate) stdout: ChildStdout,
    pub(crate) stderr: ChildStderr,
}

/// What a process has written.
pub(crate) struct Transferred {
    pub(crate) stdout: Vec<u8>,
    pub(crate) stderr: Vec<u8>,
    pub(crate) stderr_truncated: bool,
}

impl Pipes {
    /// Writes `input` and reads until all three pipes are closed, or there is too much output.
    pub(crate) async fn transfer(
        self,
        input: &[u8],
        limits: &Limits,
    ) -> Result<Transferred, CommunicateError> {
        let ((), stdout, (stderr, stderr_truncated)) = tokio::try_join!(
            write(self.stdin, input),
            read(self.stdout, limits.stdout),
            read_beginning(self.stderr, limits.stderr)
        )?;
        Ok(Transferred { stdout, stderr, stderr_truncated })
    }
}

async fn write(mut stdin: ChildStdin, input: &[u8]) -> Result<(), CommunicateError> {
    let written = async {
        stdin.write_all(input).await?;
        stdin.shutdown().await
    };
    match written.await {
        // A process need not read its input; its exit code says whether it succeeded.
        Err(error) if error.kind() == io::ErrorKind::BrokenPipe => Ok(()),
        written => Ok(written?),
    }
}

async fn read(stdout: ChildStdout, limit: usize) -> Result<Vec<u8>, CommunicateError> {
    let mut bytes = Vec::new();
    let one_more = as_u64(limit).saturating_add(1);
    stdout.take(one_more).read_to_end(&mut bytes).await?;
    if bytes.len() > limit {
        return Err(CommunicateError::StdoutTooLong(limit));
    }
    Ok(bytes)
}

/// The first bytes, and whether there were more.
async fn read_beginning(
    mut stderr: ChildStderr,
    limit: usize,
) -> Result<(Vec<u8>, bool), CommunicateError> {
    let mut kept = Vec::new();
    (&mut stderr).take(as_u64(limit)).read_to_end(&mut kept).await?;
    // The rest must be read: a process that cannot write waits.
    let rest = copy(&mut stderr, &mut sink()).await?;
    Ok((kept, rest > 0))
}

fn as_u64(length: usize) -> u64 {
    u64::try_from(length).unwrap_or(u64::MAX)
}
