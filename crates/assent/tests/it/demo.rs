//! `assent demo`

use serde_json::{Value, json};

use crate::assent;

#[test]
fn the_script_runs_every_step_as_it_should() {
    let run = assent(&["demo", "--script"], b"");
    assert_eq!(run.code, 0, "{}{}", run.text(), run.stderr);
    let lines: Vec<Value> =
        run.text().lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    let expected = [
        json!({ "step": "read_allowed", "status": "ok", "ok": true }),
        json!({ "step": "read_denied", "status": "denied", "reason": "user_refused", "ok": true }),
        json!({ "step": "read_timeout", "status": "denied", "reason": "user_timeout", "ok": true }),
        json!({ "done": true, "ok": true }),
    ];
    assert_eq!(lines, expected);
}

#[test]
fn a_directory_that_is_not_empty_is_refused() {
    let directory = tempfile::tempdir().unwrap();
    std::fs::write(directory.path().join("mine.txt"), "mine").unwrap();
    let data = directory.path().to_str().unwrap();
    let run = assent(&["demo", "--script", "--data", data], b"");
    assert_eq!(run.code, 2, "{}{}", run.text(), run.stderr);
    assert!(run.stderr.contains("is not empty"), "{}", run.stderr);
    assert_eq!(std::fs::read_dir(directory.path()).unwrap().count(), 1);
}

#[test]
fn the_relay_has_neither_the_path_nor_the_content_of_the_file() {
    let directory = tempfile::tempdir().unwrap();
    let data = directory.path().join("demo");
    let run = assent(&["demo", "--script", "--data", data.to_str().unwrap()], b"");
    assert_eq!(run.code, 0, "{}{}", run.text(), run.stderr);
    let contains = |folder: &str, word: &str| {
        std::fs::read_dir(data.join(folder)).unwrap().any(|file| {
            let bytes = std::fs::read(file.unwrap().path()).unwrap_or_default();
            bytes.windows(word.len()).any(|window| window == word.as_bytes())
        })
    };
    // The name of the agent is in the relay's database: the search sees what is there.
    assert!(contains("relay", "Ada's helper"));
    for word in ["notes.md", "Oslo", "user_refused"] {
        assert!(!contains("relay", word), "the relay has `{word}`");
        for folder in ["agent", "device"] {
            assert!(!contains(folder, word), "`{word}` is in plain text in `{folder}`");
        }
    }
}
