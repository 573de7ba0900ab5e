//! `assent audit …`

use std::path::PathBuf;

use assent_ids::InvocationId;
use assent_journal::{
    Draft, Journal as _, SqliteJournal,
    conformance::sample::{Story, allowed_call, batch, call, denied_call},
};
use assent_protocol::agent_tool::Behavior;
use serde_json::{Value, json};
use tempfile::TempDir;

use crate::{Run, assent};

/// A journal that a runtime has open.
struct Written {
    folder: TempDir,
    journal: SqliteJournal,
}

impl Written {
    fn new(calls: impl IntoIterator<Item = Vec<Draft>>) -> Self {
        let folder = tempfile::tempdir().unwrap();
        let journal = SqliteJournal::open(&folder.path().join("journal.db")).unwrap();
        let runtime = tokio::runtime::Builder::new_current_thread().build().unwrap();
        for drafts in calls {
            runtime.block_on(journal.append(batch(drafts))).unwrap();
        }
        Self { folder, journal }
    }

    fn path(&self) -> PathBuf {
        self.folder.path().join("journal.db")
    }

    fn audit(&self, command: &str, more: &[&str]) -> Run {
        let path = self.path();
        assent(&[&["audit", command, path.to_str().unwrap()], more].concat(), b"")
    }

    /// The same journal, closed.
    fn close(self) -> TempDir {
        drop(self.journal);
        self.folder
    }
}

/// One call that was allowed, one that was denied, and one that was not answered yet.
fn three_calls() -> Written {
    let mut waiting = Story::begin(3);
    waiting.select();
    waiting.decide(Behavior::Ask);
    Written::new([allowed_call(1), denied_call(2), waiting.into_drafts()])
}

fn id(number: u64) -> String {
    call(number).to_string()
}

#[test]
fn calls_are_listed_while_a_runtime_writes_the_journal() {
    let run = three_calls().audit("calls", &[]);
    assert_eq!(run.code, 0, "{}", run.stderr);
    let lines: Vec<&str> = run.text().lines().collect();
    assert_eq!(lines.len(), 3, "{}", run.text());
    for (line, (number, status)) in
        lines.iter().zip([(1, "succeeded"), (2, "denied"), (3, "selected")])
    {
        assert!(line.contains(&id(number)) && line.contains(status), "{line}");
    }
}

#[test]
fn calls_can_be_narrowed_down() {
    let journal = three_calls();
    let ids = |more: &[&str]| -> Vec<String> {
        let run = journal.audit("calls", &[more, &["--json"]].concat());
        let calls: Vec<Value> = serde_json::from_value(run.json()).unwrap();
        calls.iter().map(|call| call["invocation"].as_str().unwrap().to_owned()).collect()
    };
    assert_eq!(ids(&[]), [id(1), id(2), id(3)]);
    assert_eq!(ids(&["--failed"]), [id(2), id(3)]);
    assert_eq!(ids(&["--limit", "1"]), [id(3)]);
    assert_eq!(ids(&["--tool", "nothing-like-it"]), Vec::<String>::new());
}

#[test]
fn a_refusal_is_explained_in_words_and_as_json() {
    let journal = three_calls();
    let run = journal.audit("why", &[&id(2)]);
    assert_eq!(run.code, 0, "{}", run.stderr);
    assert!(run.text().contains("deny"), "{}", run.text());
    let why = journal.audit("why", &[&id(2), "--json"]).json();
    assert_eq!(why["invocation"], json!(id(2)));
    assert_eq!(why["status"], "denied");
    assert_eq!(why["decisions"][0][1]["behavior"], "deny");
    assert_eq!(why["result"]["executed"], json!(false));
    assert_eq!(why["inputs"]["model"].as_str().unwrap().len(), 64);
}

#[test]
fn an_unknown_call_is_named() {
    let journal = three_calls();
    let run = journal.audit("why", &[&id(99)]);
    assert_eq!((run.code, run.text()), (1, ""));
    assert!(run.stderr.contains(&id(99)), "{}", run.stderr);
    let run = journal.audit("why", &[&id(99), "--json"]);
    assert_eq!(run.json()["error"]["code"], "CALL_UNKNOWN");
    let run = journal.audit("why", &["not-an-id"]);
    assert_eq!(run.code, 2);
    assert!(run.stderr.contains("audit calls"), "{}", run.stderr);
}

#[test]
fn a_whole_journal_passes_and_a_damaged_one_does_not() {
    let journal = three_calls();
    let report = journal.audit("verify", &["--json"]).json();
    let expected =
        json!({"valid": true, "entries": 22, "calls": 3, "unfinished": 1, "problems": []});
    assert_eq!(report, expected);
    let folder = journal.close();
    let path = folder.path().join("journal.db");
    let file = rusqlite::Connection::open(&path).unwrap();
    file.execute("DELETE FROM runs WHERE first = 13", ()).unwrap();
    file.execute("UPDATE runs SET body = 'planted' WHERE first = 20", ()).unwrap();
    drop(file);
    let run = assent(&["audit", "verify", path.to_str().unwrap()], b"");
    assert_eq!(run.code, 1);
    assert!(run.text().contains("missing"), "{}", run.text());
    assert!(!run.text().contains("planted"), "{}", run.text());
}

#[test]
fn an_export_tells_the_same_as_the_journal() {
    let journal = three_calls();
    let out = journal.folder.path().join("export.jsonl");
    let out = out.to_str().unwrap();
    assert_eq!(journal.audit("export", &["--out", out]).code, 0);
    let again = journal.audit("export", &["--out", out]);
    assert_eq!(again.code, 2, "an export is not overwritten");
    assert_eq!(std::fs::read(out).unwrap(), journal.audit("export", &[]).stdout);
    let why = assent(&["audit", "why", out, &id(1)], b"");
    assert_eq!(why.text(), journal.audit("why", &[&id(1)]).text());
    let verified = assent(&["audit", "verify", out, "--json"], b"");
    assert_eq!(verified.json()["valid"], json!(true));
}

#[test]
fn records_of_the_standard_are_exported_as_numbered_lines() {
    let run = three_calls().audit("export", &["--records"]);
    let lines: Vec<Value> =
        run.text().lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    let count = |record: &str| lines.iter().filter(|line| line["record"] == record).count();
    assert_eq!((count("tool_invocation"), count("tool_permission_decision")), (2, 3));
    assert!(lines.iter().enumerate().all(|(at, line)| line["seq"] == json!(at + 1)));
}

#[test]
fn what_is_no_journal_is_refused() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("other.db");
    let verify = || assent(&["audit", "verify", path.to_str().unwrap()], b"");
    assert_eq!(verify().code, 2, "there is nothing");
    std::fs::write(&path, "no journal at all").unwrap();
    assert_eq!(verify().code, 2);
    std::fs::write(&path, "{\"seq\":1}\n").unwrap();
    let run = verify();
    assert!(run.code == 2 && run.stderr.contains("line 1"), "{}", run.stderr);
    std::fs::remove_file(&path).unwrap();
    rusqlite::Connection::open(&path).unwrap().execute_batch("CREATE TABLE t (a)").unwrap();
    let run = verify();
    assert!(run.code == 2 && run.stderr.contains("not a journal"), "{}", run.stderr);
}

#[test]
fn an_export_that_tells_what_cannot_have_happened_was_read_and_is_not_right() {
    let journal = three_calls();
    let export = journal.audit("export", &[]);
    let mut lines: Vec<&str> = export.text().lines().collect();
    lines.swap(3, 4);
    let path = journal.folder.path().join("swapped.jsonl");
    std::fs::write(&path, lines.join("\n") + "\n").unwrap();
    let path = path.to_str().unwrap();
    let run = assent(&["audit", "verify", path], b"");
    assert_eq!(run.code, 1, "{}", run.stderr);
    assert!(run.text().contains("no journal can look like this"), "{}", run.text());
    let run = assent(&["audit", "verify", path, "--json"], b"");
    assert_eq!((run.code, &run.json()["valid"]), (1, &json!(false)));
    assert!(!run.json()["problems"].as_array().unwrap().is_empty());
    let run = assent(&["audit", "calls", path], b"");
    assert_eq!(run.code, 2, "nothing is told from it");
    assert!(run.stderr.contains("no journal can look like this"), "{}", run.stderr);
}

#[test]
fn records_of_the_standard_are_recognized_with_advice() {
    let journal = three_calls();
    let path = journal.folder.path().join("records.jsonl");
    std::fs::write(&path, journal.audit("export", &["--records"]).stdout).unwrap();
    for command in ["verify", "calls"] {
        let run = assent(&["audit", command, path.to_str().unwrap()], b"");
        assert_eq!(run.code, 2, "{}", run.text());
        for part in ["records of the Agent Tool standard", "without `--records`"] {
            assert!(run.stderr.contains(part), "{}", run.stderr);
        }
    }
}

#[test]
fn the_ids_that_are_printed_are_ids() {
    let listed = three_calls().audit("calls", &["--json"]).json();
    for call in listed.as_array().unwrap() {
        assert!(call["invocation"].as_str().unwrap().parse::<InvocationId>().is_ok());
    }
}

/// The rules, and a tool that each of two calls is for.
const SCENARIO: &str = r"
tools:
  - name: read_file
    safety: {read_only: true}
    run: [{return_text: ok}]
  - name: delete_file
    run: [{return_text: gone}]
rules:
  - {id: no-deletes, behavior: deny, tool: delete_file}
calls:
  - {id: c1, tool: read_file, input: {path: a}}
  - {id: c2, tool: delete_file, input: {path: b}}
";

/// A journal of the calls.
fn rehearsed() -> Written {
    let scenario = assent_rehearsal::read(SCENARIO.as_bytes(), assent_rehearsal::Format::Yaml);
    let options = assent_rehearsal::Options::default();
    let entries = assent_rehearsal::run(&scenario.unwrap(), options).unwrap().entries;
    Written::new([entries.iter().map(|entry| entry.draft.clone()).collect()])
}

#[test]
fn the_rules_in_force_turn_nothing_round() {
    let written = rehearsed();
    let path = written.path();
    let command = ["audit", "replay", path.to_str().unwrap(), "--rules", "-"];
    let run = assent(&command, SCENARIO.as_bytes());
    assert_eq!(run.code, 0, "{}", run.stderr);
    assert!(run.text().contains("0 of 2 decisions would change"), "{}", run.text());
}

#[test]
fn other_rules_are_shown_with_what_they_would_turn_round() {
    let written = rehearsed();
    let path = written.path();
    let replay = |more: &[&str]| {
        let rules = br#"[{"id": "trust", "behavior": "allow", "tool": "delete_file"}]"#;
        let command = ["audit", "replay", path.to_str().unwrap(), "--rules", "-"];
        assent(&[&command, more].concat(), rules)
    };
    let run = replay(&[]);
    assert_eq!(run.code, 1, "{}", run.stderr);
    for text in ["deny → allow", "delete_file", "`no-deletes`", "`trust`", "1 of 2 decisions"] {
        assert!(run.text().contains(text), "{text}: {}", run.text());
    }
    let report = replay(&["--json"]).json();
    assert_eq!(report["replayed"], 2);
    assert_eq!(report["flips"].as_array().unwrap().len(), 1);
    assert_eq!(report["flips"][0]["before"], "deny");
    assert_eq!(report["flips"][0]["after"], "allow");
}

#[test]
fn rules_that_cannot_be_used_are_refused() {
    let written = rehearsed();
    let path = written.path();
    for (rules, why) in [
        (&b"[{"[..], "cannot be used"),
        (b"{}", "nothing under `rules`"),
        (b"[{\"id\": \"x\"}]", "behavior"),
        (b"rules: []\npolicies: 'forbid (principal, action, resource);'", "`policies`"),
        (b"[{\"id\": \"x y\", \"behavior\": \"deny\"}]", "x y"),
    ] {
        let run = assent(&["audit", "replay", path.to_str().unwrap(), "--rules", "-"], rules);
        assert_eq!(run.code, 2, "{}", run.text());
        assert!(run.stderr.contains(why), "{why}: {}", run.stderr);
    }
}
