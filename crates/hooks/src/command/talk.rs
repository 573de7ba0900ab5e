//! Writes the question, reads the answer and the complaints, all at once.

use std::io;

use tokio::{
    io::{AsyncReadExt, AsyncWriteExt, copy, sink},
    process::{ChildStderr, ChildStdin, ChildStdout},
};

use super::{
    CommandError,
    complaint::{self, Complaint},
    group::Pipes,
};
use crate::conversation::ConversationError;

/// What a process has said.
pub(super) struct Said {
    pub(super) answer: Vec<u8>,
    pub(super) complaint: Complaint,
}

/// Talks until all three pipes are closed, or the answer gets too long.
pub(super) async fn talk(
    pipes: Pipes,
    question: &str,
    max_answer_bytes: usize,
) -> Result<Said, CommandError> {
    let Pipes { stdin, stdout, stderr } = pipes;
    let ((), answer, complaint) = tokio::try_join!(
        tell(stdin, question),
        listen(stdout, max_answer_bytes),
        hear_complaints(stderr)
    )?;
    Ok(Said { answer, complaint })
}

async fn tell(mut stdin: ChildStdin, question: &str) -> Result<(), CommandError> {
    let told = async {
        stdin.write_all(question.as_bytes()).await?;
        stdin.write_all(b"\n").await?;
        stdin.shutdown().await
    };
    match told.await {
        // A hook need not read what it is told; its exit code says whether it is content.
        Err(error) if error.kind() == io::ErrorKind::BrokenPipe => Ok(()),
        told => Ok(told?),
    }
}

async fn listen(stdout: ChildStdout, max_bytes: usize) -> Result<Vec<u8>, CommandError> {
    let mut answer = Vec::new();
    let one_more = u64::try_from(max_bytes).unwrap_or(u64::MAX).saturating_add(1);
    stdout.take(one_more).read_to_end(&mut answer).await?;
    if answer.len() > max_bytes {
        return Err(ConversationError::TooLong(max_bytes).into());
    }
    Ok(answer)
}

async fn hear_complaints(mut stderr: ChildStderr) -> Result<Complaint, CommandError> {
    let mut kept = Vec::with_capacity(complaint::MAX_BYTES);
    (&mut stderr).take(complaint::MAX_BYTES as u64).read_to_end(&mut kept).await?;
    // The rest is thrown away, but must be read: a process that cannot write stands still.
    let rest = copy(&mut stderr, &mut sink()).await?;
    Ok(Complaint::new(&kept, rest > 0))
}
