//! What a shell user expects.

use std::process::{Command, Stdio};

use crate::assent;

#[test]
fn wrong_use_is_exit_2_and_help_is_exit_0() {
    assert_eq!(assent(&["manifest", "check"], b"").code, 2);
    assert_eq!(assent(&["nonsense"], b"").code, 2);
    assert_eq!(assent(&["manifest", "check", "-", "--rules", "loose"], b"").code, 2);
    for arguments in
        [&["--help"][..], &["manifest", "--help"], &["manifest", "diff", "--help"], &["--version"]]
    {
        assert_eq!(assent(arguments, b"").code, 0);
    }
}

#[test]
fn completions_exist_for_every_shell() {
    for shell in ["bash", "zsh", "fish", "elvish", "powershell"] {
        let run = assent(&["completions", shell], b"");
        assert!(run.code == 0 && run.text().contains("canonicalize"), "{shell}");
    }
}

#[test]
fn the_manual_page_knows_every_command() {
    let run = assent(&["man"], b"");
    assert_eq!(run.code, 0);
    for word in [
        ".TH",
        "serve",
        "admin",
        "push",
        "\\-\\-check\\-config",
        "manifest",
        "canonicalize",
        "compare\\-schemas",
        "\\-\\-rules",
    ] {
        assert!(run.text().contains(word), "{word}");
    }
}

#[test]
fn a_reader_that_goes_away_is_no_error() {
    let mut child = Command::new(env!("CARGO_BIN_EXE_assent"))
        .args(["manifest", "explain"])
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    drop(child.stdout.take());
    let output = child.wait_with_output().unwrap();
    assert_eq!((output.status.code(), output.stderr), (Some(0), vec![]));
}
