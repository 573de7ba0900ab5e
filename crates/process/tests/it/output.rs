//! What is written to a process, and what is read.

use std::{io, os::unix::process::ExitStatusExt as _};

use assent_process::{CommunicateError, Limits, Process};
use tokio::process::Command;

use crate::script::{Folder, is_reaped, run};

fn limits(change: impl FnOnce(&mut Limits)) -> Limits {
    let mut limits = Limits::default();
    change(&mut limits);
    limits
}

#[tokio::test]
async fn a_process_reads_its_input_to_the_end_and_its_output_is_returned() {
    let output = run("cat; echo note >&2; exit 7", b"a\0b", &Limits::default()).await.unwrap();
    assert_eq!(output.status.code(), Some(7));
    assert_eq!(output.stdout, b"a\0b");
    assert_eq!(output.stderr, b"note\n");
    assert!(!output.stderr_truncated);
}

#[tokio::test]
async fn a_process_that_a_signal_ends_has_no_exit_code() {
    let output = run("echo before; kill -TERM $$", b"", &Limits::default()).await.unwrap();
    assert_eq!((output.status.code(), output.status.signal()), (None, Some(15)));
    assert_eq!(output.stdout, b"before\n");
}

#[tokio::test]
async fn input_and_output_may_be_longer_than_pipes_hold() {
    let input = vec![b'x'; 4 << 20];
    let limits = limits(|limits| limits.stdout = input.len());
    let output = run("tee /dev/stderr", &input, &limits).await.unwrap();
    assert_eq!(output.stdout, input);
    assert_eq!(output.stderr.len(), limits.stderr);
    assert!(output.stderr_truncated);
}

#[tokio::test]
async fn a_process_need_not_read_its_input() {
    let input = vec![b'x'; 4 << 20];
    for script in ["exit 0", "exec 0<&-; sleep 0.1", "head -c 10 >/dev/null"] {
        let output = run(script, &input, &Limits::default()).await.unwrap();
        assert!(output.status.success(), "{script}");
    }
}

#[tokio::test]
async fn standard_output_has_as_many_bytes_as_allowed_and_not_one_more() {
    let at = run("printf 1234", b"", &limits(|limits| limits.stdout = 4)).await.unwrap();
    assert_eq!(at.stdout, b"1234");
    let above = run("printf 1234", b"", &limits(|limits| limits.stdout = 3)).await;
    assert!(matches!(above, Err(CommunicateError::StdoutTooLong(3))), "{above:?}");
}

#[tokio::test]
async fn a_process_that_writes_without_end_is_killed() {
    let process = Folder::new().spawn("yes");
    let id = process.id();
    let result = process.communicate(b"", &Limits::default()).await;
    assert!(matches!(result, Err(CommunicateError::StdoutTooLong(1_048_576))), "{result:?}");
    is_reaped(id).await;
}

#[tokio::test]
async fn standard_error_is_cut_off_at_its_limit() {
    for (limit, kept, truncated) in [(4, "1234", false), (3, "123", true), (0, "", true)] {
        let limits = limits(|limits| limits.stderr = limit);
        let output = run("printf 1234 >&2", b"", &limits).await.unwrap();
        assert_eq!(output.stderr, kept.as_bytes());
        assert_eq!(output.stderr_truncated, truncated, "{limit}");
    }
}

#[tokio::test]
async fn a_command_that_does_not_exist_is_an_error_at_its_start() {
    let error = Process::spawn(Command::new("/nowhere/command")).unwrap_err();
    assert_eq!(error.kind(), io::ErrorKind::NotFound);
}
