//! `assent rehearse`

use serde_json::{Value, json};

use crate::assent;

const DENIED: &str = r#"{
  "tools": [{"name": "erase", "run": [{"return_text": "gone"}]}],
  "rules": [{"id": "never", "behavior": "deny", "tool": "erase"}],
  "calls": [{"id": "a", "tool": "erase", "input": {}}],
  "expect": [{"call": "a", "status": "denied", "executed": false}]
}"#;

#[test]
fn a_scenario_without_expectations_does_not_say_that_they_held() {
    let scenario =
        DENIED.replace(r#"[{"call": "a", "status": "denied", "executed": false}]"#, "[]");
    let run = assent(&["rehearse", "-"], scenario.as_bytes());
    assert_eq!(run.code, 0, "{}{}", run.text(), run.stderr);
    assert!(run.text().ends_with("1 call, 0 ms, nothing was expected\n"), "{}", run.text());
}

#[test]
fn a_scenario_whose_expectations_hold_ends_with_zero_and_shows_a_timeline() {
    let run = assent(&["rehearse", "-"], DENIED.as_bytes());
    assert_eq!(run.code, 0, "{}{}", run.text(), run.stderr);
    let shown = run.text();
    let lines: Vec<&str> = shown.lines().skip(1).collect();
    let expected = [
        "        0 ms  resolve     asked for  {}",
        "                          found      rehearsal/erase",
        "              parse       fits       the arguments fit the schema",
        "              permission  deny       rule `never` denies",
        "                          result     denied, permission_denied: rule `never` denies",
        "              emit        denied     in stage 7 of 13; the tool did not run",
        "",
        "✓ standard input: 1 call, 0 ms, every expectation held",
    ];
    assert_eq!(lines, expected);
    assert!(shown.starts_with("✗ a  erase  denied  inv_"), "{shown}");
}

#[test]
fn searches_are_shown_with_what_they_found_and_why() {
    let scenario = r#"
tools:
  - {name: erase, deferred: true, description: Erases a file., run: [{return_text: gone}]}
search: [{query: erase}, {query: "select:paint"}]
"#;
    let run = assent(&["rehearse", "-"], scenario.as_bytes());
    assert_eq!(run.code, 0, "{}{}", run.text(), run.stderr);
    let shown = run.text();
    let mut lines = shown.lines();
    assert_eq!(lines.next(), Some("✓ search  erase  1 tool"));
    let found = lines.next().unwrap_or_default();
    assert!(found.starts_with("     1. rehearsal/erase  "), "{shown}");
    assert!(found.ends_with("name:erase, description:erase"), "{shown}");
    assert!(shown.contains("✗ search  select:paint  0 tools\n      not there: paint\n"), "{shown}");
}

#[test]
fn an_expectation_that_does_not_hold_ends_with_one_and_says_which() {
    let wrong = DENIED.replace("\"denied\"", "\"succeeded\"");
    let run = assent(&["rehearse", "-"], wrong.as_bytes());
    assert_eq!(run.code, 1);
    assert!(
        run.text().contains("expect[0] (call `a`): expected status `succeeded`, found `denied`")
    );
}

#[test]
fn a_wrong_file_ends_with_two_and_every_problem_has_its_place() {
    let wrong = "tools:\n  - name: erase\n    rnu: []\ncalls: 7\n";
    let run = assent(&["rehearse", "-", "--json"], wrong.as_bytes());
    assert_eq!(run.code, 2);
    let report = run.json();
    assert_eq!(report["valid"], json!(false));
    let errors = report["errors"].as_array().unwrap();
    assert!(errors.len() >= 2, "{errors:?}");
    assert!(errors.iter().all(|error| error["line"].as_u64() > Some(0)));

    let shown = assent(&["rehearse", "-"], wrong.as_bytes());
    assert_eq!(shown.code, 2);
    assert!(shown.stderr.contains("did you mean `run`?"), "{}", shown.stderr);
}

#[test]
fn what_only_the_runtime_would_refuse_is_reported_with_its_line() {
    let wrong = "\
tools:
  - name: one
    input_schema: {type: object, properties: {secret: {type: string}}}
    internal_only_fields: [secret]
    run: [{return_text: x}]
rules: [{id: bad, behavior: allow, tool: \"x\\\\\"}]
policies: \"permit(\"
";
    let run = assent(&["rehearse", "-", "--json"], wrong.as_bytes());
    assert_eq!(run.code, 2, "{}", run.text());
    let report = run.json();
    assert_eq!(report["valid"], json!(false));
    let errors = report["errors"].as_array().unwrap().iter();
    let places: Vec<_> =
        errors.map(|error| json!([error["path"], error["line"], error["column"]])).collect();
    assert_eq!(
        places,
        [
            json!(["/tools/0/input_schema/properties", 3, 46]),
            json!(["/rules/0/tool", 6, 42]),
            json!(["/policies", 7, 11]),
        ]
    );
    let run = assent(&["rehearse", "-"], wrong.as_bytes());
    assert_eq!(run.code, 2);
    for part in [":3:46", ":6:42", ":7:11", "has 3 problems"] {
        assert!(run.stderr.contains(part), "{part}: {}", run.stderr);
    }
}

#[test]
fn an_excerpt_keeps_characters_whole_and_one_problem_is_one() {
    let run = assent(&["rehearse", "-"], "clock: 虚拟\n".as_bytes());
    assert_eq!(run.code, 2);
    assert!(run.stderr.contains("clock: 虚拟\n"), "{}", run.stderr);
    assert!(run.stderr.contains("has 1 problem\n"), "{}", run.stderr);
}

#[test]
fn json_has_the_shape_of_the_contract() {
    let run = assent(&["rehearse", "-", "--json"], DENIED.as_bytes());
    assert_eq!(run.code, 0);
    let report = run.json();
    let keys: Vec<&String> = report.as_object().unwrap().keys().collect();
    assert_eq!(keys, ["calls", "executed", "delivered", "search", "duration_ms"]);
    let call = &report["calls"][0];
    let keys: Vec<&String> = call.as_object().unwrap().keys().collect();
    assert_eq!(keys, ["id", "invocation_id", "tool_id", "status", "executed", "result"]);
    assert_eq!(call["status"], "denied");
    assert_eq!(call["result"]["error"]["error_class"], "permission_denied");
    assert_eq!(report["delivered"], json!(["a"]));
}

#[test]
fn the_journal_is_written_as_numbered_lines() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("journal.jsonl");
    let run = assent(&["rehearse", "-", "--journal", path.to_str().unwrap()], DENIED.as_bytes());
    assert_eq!(run.code, 0);
    let text = std::fs::read_to_string(path).unwrap();
    let lines: Vec<Value> = text.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    for (index, line) in lines.iter().enumerate() {
        assert_eq!(line["seq"], json!(index + 1));
        assert!(line["at_ms"].is_u64());
    }
    let count = |record: &str| lines.iter().filter(|line| line["record"] == record).count();
    assert_eq!(count("tool_declaration"), 1);
    assert_eq!(count("tool_permission_decision"), 1);
    assert_eq!(count("tool_result"), 1);
    assert_eq!(count("tool_invocation"), 1);
}

#[test]
fn a_secret_shows_only_if_it_is_asked_for() {
    let scenario = r#"{
      "tools": [{"name": "login", "sensitive_fields": ["/password"],
                 "safety": {"read_only": true}, "run": [{"return_text": "in"}]}],
      "calls": [{"id": "a", "tool": "login", "input": {"password": "planted-secret"}}]
    }"#;
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("journal.jsonl");
    let journal = path.to_str().unwrap();
    assent(&["rehearse", "-", "--journal", journal], scenario.as_bytes());
    assert!(!std::fs::read_to_string(&path).unwrap().contains("planted-secret"));
    assent(&["rehearse", "-", "--journal", journal, "--reveal"], scenario.as_bytes());
    assert!(std::fs::read_to_string(&path).unwrap().contains("planted-secret"));
}
