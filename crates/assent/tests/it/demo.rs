//! `assent demo`

use serde_json::{Value, json};

use crate::{assent, running::Service};

#[test]
fn the_script_runs_every_step_as_it_should() {
    let run = assent(&["demo", "--script"], b"");
    assert_eq!(run.code, 0, "{}{}", run.text(), run.stderr);
    let lines: Vec<Value> =
        run.text().lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    let step = |step: &str, status: &str, decided_by: &str| json!({ "step": step, "status": status, "decided_by": decided_by, "ok": true });
    let denied = |name: &str, reason: &str, decided_by: &str| {
        let mut line = step(name, "denied", decided_by);
        line["reason"] = reason.into();
        line
    };
    let expected = [
        step("notify", "ok", "policy"),
        step("read_notes", "ok", "person:terminal"),
        step("read_todo", "ok", "silence"),
        step("fetch", "ok", "person:terminal"),
        denied("locate", "user_refused", "person:terminal"),
        denied("locate_again", "user_timeout", "nobody"),
        json!({ "step": "publish", "ok": true }),
        denied("read_before", "scope_not_granted", "policy"),
        json!({ "step": "review", "ok": true }),
        step("read_after", "ok", "person:terminal"),
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

#[test]
fn the_demo_serves_its_pages_until_a_signal_ends_it() {
    let mut demo = Service::start(&["demo", "--no-browser"], &[]);
    let ready = demo.ready().clone();
    assert_eq!(ready["kind"], "demo");
    assert!(ready["agent_link"].as_str().unwrap().starts_with("assent:add/agt_"));
    let link = ready["console"].as_str().unwrap();
    let agent = ready["agent_id"].as_str().unwrap();
    assert!(link.contains(&format!("/add?agent={agent}#token=")), "{link}");
    assert_eq!(demo.end(), Some(0));
}
