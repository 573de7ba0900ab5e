//! The command line, as a user or a CI job sees it.
#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::indexing_slicing,
    clippy::needless_pass_by_value,
    clippy::string_slice,
    clippy::too_many_lines,
    reason = "a test that cannot go on should stop loudly"
)]

mod admin;
mod agent;
mod audit;
mod canonicalize_and_hash;
mod check;
mod compare_schemas;
mod demo;
mod device;
mod diff;
mod embedding;
mod explain;
mod hostile_input;
mod push;
mod rehearse;
mod running;
mod serve;
mod shell;

use std::{
    io::Write as _,
    path::PathBuf,
    process::{Command, Stdio},
};

use serde_json::Value;

/// What a run of the program left behind.
struct Run {
    code: i32,
    stdout: Vec<u8>,
    stderr: String,
}

impl Run {
    fn text(&self) -> &str {
        std::str::from_utf8(&self.stdout).unwrap()
    }

    /// Standard output as JSON on any number of lines.
    fn json_text(&self) -> Value {
        serde_json::from_slice(&self.stdout).unwrap()
    }

    /// Standard output as the one line of JSON that it must be.
    fn json(&self) -> Value {
        assert_eq!(self.text().lines().count(), 1, "{}", self.text());
        serde_json::from_str(self.text()).unwrap()
    }
}

/// Runs `assent manifest …` with this standard input.
fn manifest(arguments: &[&str], input: &[u8]) -> Run {
    assent(&[&["manifest"], arguments].concat(), input)
}

fn assent(arguments: &[&str], input: &[u8]) -> Run {
    let mut child = Command::new(env!("CARGO_BIN_EXE_assent"))
        .args(arguments)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    // A program that does not read its input closes it; that is its right.
    let _ = child.stdin.take().unwrap().write_all(input);
    let output = child.wait_with_output().unwrap();
    Run {
        code: output.status.code().expect("the program was not killed"),
        stdout: output.stdout,
        stderr: String::from_utf8(output.stderr).unwrap(),
    }
}

/// A file of this test run with the given content.
fn file(name: &str, content: impl AsRef<[u8]>) -> String {
    let path = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join(name);
    std::fs::write(&path, content).unwrap();
    path.to_str().unwrap().to_owned()
}

/// The manifest that `init` prints.
fn template() -> Value {
    serde_json::from_slice(&manifest(&["init"], b"").stdout).unwrap()
}
