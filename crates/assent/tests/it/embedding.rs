//! `assent audit` and the journal of the example in `docs/embedding.md`.

use std::{
    io::Write as _,
    path::{Path, PathBuf},
    process::{Command, Stdio},
};

use crate::assent;

/// The example, which cargo builds together with the tests of the workspace.
fn example() -> PathBuf {
    let test = std::env::current_exe().unwrap();
    let path = test.parent().and_then(Path::parent).unwrap().join("examples/embed");
    assert!(path.exists(), "run `cargo build -p assent-runtime --example embed` first");
    path
}

/// Runs the example with this answer of the person, and returns its output.
fn run(answer: &str, journal: &Path) -> String {
    let mut child = Command::new(example())
        .arg(journal)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .unwrap();
    child.stdin.take().unwrap().write_all(answer.as_bytes()).unwrap();
    let output = child.wait_with_output().unwrap();
    assert!(output.status.success());
    String::from_utf8(output.stdout).unwrap()
}

#[test]
fn the_journal_of_the_example_can_be_audited() {
    for (answer, result, status, decision) in [
        ("y\n", "\npublished\n", "succeeded", "allow by permission_prompt_tool"),
        ("n\n", "the person refused", "denied", "deny by permission_prompt_tool"),
        ("", "the person refused", "denied", "deny by permission_prompt_tool"),
    ] {
        let folder = tempfile::tempdir().unwrap();
        let journal = folder.path().join("journal.db");
        let printed = run(answer, &journal);
        let question = " files/publish\n/path \"notes.md\"\nAllow this call? [y/N]\n";
        assert!(printed.starts_with(question), "{printed}");
        assert!(printed.contains(result), "{printed}");
        assert!(printed.contains("ask by rule ask-first"), "{printed}");
        assert!(printed.contains(decision), "{printed}");

        let audit = |command: &str, more: &[&str]| {
            let run = assent(&[&["audit", command, journal.to_str().unwrap()], more].concat(), b"");
            assert_eq!(run.code, 0, "{}", run.stderr);
            run
        };
        audit("verify", &[]);
        let calls = audit("calls", &["--json"]).json();
        assert_eq!(calls.as_array().unwrap().len(), 1, "{calls}");
        assert_eq!(calls[0]["status"], status, "{calls}");
        let why = audit("why", &[calls[0]["invocation"].as_str().unwrap()]);
        assert!(printed.ends_with(why.text()), "{printed}\n{}", why.text());
    }
}
