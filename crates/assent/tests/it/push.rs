//! `assent manifest push`

use std::{
    io::{BufRead as _, BufReader, Read as _, Write as _},
    net::TcpListener,
    thread::JoinHandle,
};

use serde_json::{Value, json};

use crate::{
    file,
    running::{Relay, bare, run},
    template,
};

const AGENT: &str = "agt_01J00000000000000000000000";

/// A server that answers one request with a given answer, and returns the request.
struct Scripted {
    url: String,
    asked: JoinHandle<(String, Value)>,
}

impl Scripted {
    fn answering(status: u16, answer: &Value) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let url = format!("http://{}", listener.local_addr().unwrap());
        let answer = answer.to_string();
        let asked = std::thread::spawn(move || {
            let (stream, _) = listener.accept().unwrap();
            let mut reader = BufReader::new(&stream);
            let (mut head, mut length) = (String::new(), 0);
            loop {
                let mut line = String::new();
                reader.read_line(&mut line).unwrap();
                if line.trim().is_empty() {
                    break;
                }
                let lower = line.to_ascii_lowercase();
                if let Some(value) = lower.strip_prefix("content-length:") {
                    length = value.trim().parse().unwrap();
                }
                head.push_str(&line);
            }
            let mut body = vec![0; length];
            reader.read_exact(&mut body).unwrap();
            let head_of_answer = format!(
                "HTTP/1.1 {status} X\r\ncontent-type: application/json\r\ncontent-length: {}\r\nconnection: close\r\n\r\n",
                answer.len()
            );
            (&stream).write_all((head_of_answer + &answer).as_bytes()).unwrap();
            (head, serde_json::from_slice(&body).unwrap_or(Value::Null))
        });
        Self { url, asked }
    }

    fn push(&self, file: &str, more: &[&str]) -> crate::Run {
        let arguments = ["manifest", "push", file, "--relay", &self.url, "--agent", AGENT];
        run(bare(&arguments).args(more).env("ASSENT_TOKEN", "hsk_secret"))
    }
}

fn updated(changes: &Value) -> Value {
    json!({"data": {
        "agent_id": AGENT,
        "capability_manifest_version": 4,
        "capability_manifest_hash": "ab".repeat(32),
        "breaking_changes": changes,
        "changes": changes,
        "warnings": [],
    }})
}

#[test]
fn a_manifest_is_published_with_the_token_and_the_condition_and_the_answer_is_shown() {
    let change = json!([{
        "kind": "keyword_added", "path": "/tools/0", "rule": "input-narrowed", "breaking": true,
        "witness": {"path": "aaaa"}, "summary": "`read_file` takes less",
    }]);
    let relay = Scripted::answering(200, &updated(&change));
    let manifest = file("push.json", template().to_string());
    let run = relay.push(&manifest, &["--if-match", &"cd".repeat(32)]);
    assert_eq!(run.code, 0, "{}", run.stderr);
    assert!(run.text().contains("is now version 4"), "{}", run.text());
    assert!(run.text().contains("worked before, refused now: {\"path\":\"aaaa\"}"));
    let (head, body) = relay.asked.join().unwrap();
    assert!(head.starts_with(&format!("PATCH /agents/{AGENT} HTTP/1.1")), "{head}");
    let head = head.to_ascii_lowercase();
    assert!(head.contains("authorization: bearer hsk_secret"), "{head}");
    assert!(head.contains(&format!("if-match: \"{}\"", "cd".repeat(32))), "{head}");
    assert_eq!(body, json!({"capability_manifest": template()}));
}

#[test]
fn machines_get_the_answer_as_it_is() {
    let relay = Scripted::answering(200, &updated(&json!([])));
    let manifest = file("push-json.json", template().to_string());
    let run = relay.push(&manifest, &["--json"]);
    assert_eq!(run.json(), updated(&json!([]))["data"]);
}

#[test]
fn a_dry_run_fetches_the_present_manifest_and_publishes_nothing() {
    let mut old = template();
    old["tools"][0]["input_schema"]["properties"]["path"]["maxLength"] = json!(9);
    let mut new = template();
    new["tools"][0]["input_schema"]["properties"]["path"]["maxLength"] = json!(3);
    let agent = json!({"data": {
        "agent_id": AGENT, "name": "files", "owner_name": "ada", "connection_mode": "polling",
        "state": "active", "capability_manifest": old, "capability_manifest_version": 3,
        "capability_manifest_hash": "ab".repeat(32),
        "created_at": "2026-01-01T00:00:00Z", "updated_at": "2026-01-01T00:00:00Z",
    }});
    let relay = Scripted::answering(200, &agent);
    let manifest = file("push-dry.json", new.to_string());
    let run = relay.push(&manifest, &["--dry-run"]);
    assert_eq!(run.code, 1, "{}", run.stderr);
    assert!(run.text().contains("version 3 →"), "{}", run.text());
    assert!(run.text().contains("1 breaking"), "{}", run.text());
    let (head, _) = relay.asked.join().unwrap();
    assert!(head.starts_with(&format!("GET /agents/{AGENT} ")), "{head}");
}

#[test]
fn what_the_relay_finds_wrong_is_listed() {
    let refusal = json!({"error": {
        "code": "INVALID_MANIFEST", "message": "the manifest breaks its rules",
        "i18n_key": "error.invalid_manifest",
        "params": {"errors": [{"code": "RESERVED_SCOPE", "path": "/x", "message": "it is ours"}]},
    }});
    let manifest = file("push-refused.json", template().to_string());
    let run = Scripted::answering(422, &refusal).push(&manifest, &[]);
    assert_eq!(run.code, 1);
    assert!(run.stderr.contains("INVALID_MANIFEST"), "{}", run.stderr);
    assert!(run.stderr.contains("RESERVED_SCOPE · /x"), "{}", run.stderr);
    let run = Scripted::answering(422, &refusal).push(&manifest, &["--json"]);
    assert_eq!(run.json()["error"]["params"]["errors"][0]["code"], "RESERVED_SCOPE");
}

#[test]
fn a_token_comes_from_a_file_or_a_variable_and_from_nowhere_else() {
    let manifest = file("push-token.json", template().to_string());
    let token = file("push-token.txt", "hsk_from_file\n");
    let relay = Scripted::answering(200, &updated(&json!([])));
    let run_file = relay.push(&manifest, &["--token-file", &token]);
    assert_eq!(run_file.code, 0, "{}", run_file.stderr);
    let (head, _) = relay.asked.join().unwrap();
    assert!(head.contains("Bearer hsk_from_file"), "{head}");
    let nowhere =
        ["manifest", "push", &manifest, "--relay", "http://127.0.0.1:1", "--agent", AGENT];
    let without = run(&mut bare(&nowhere));
    assert_eq!(without.code, 2);
    assert!(without.stderr.contains("ASSENT_TOKEN"), "{}", without.stderr);
    assert_eq!(run(bare(&nowhere).args(["--token", "hsk_x"])).code, 2);
}

#[test]
fn a_bad_manifest_goes_nowhere_and_a_relay_that_is_not_there_is_named() {
    let bad = file("push-bad.json", "{}");
    let arguments =
        |file| ["manifest", "push", file, "--relay", "http://127.0.0.1:1", "--agent", AGENT];
    let refused = run(bare(&arguments(&bad)).env("ASSENT_TOKEN", "hsk_x"));
    assert_eq!(refused.code, 1);
    assert!(refused.stderr.contains("MISSING_FIELD"), "{}", refused.stderr);
    let good = file("push-good.json", template().to_string());
    let alone = run(bare(&arguments(&good)).env("ASSENT_TOKEN", "hsk_x"));
    assert_eq!(alone.code, 2);
    assert!(alone.stderr.contains("the relay cannot be reached"), "{}", alone.stderr);
}

/// The owner's way from a first manifest to a breaking change, with a real relay.
#[test]
fn versions_go_up_and_lost_races_are_refused() {
    let relay = Relay::start(&[]);
    let (owner, agent, token) = relay.owner_and_agent();
    let push = |manifest: &Value, token: &str, more: &[&str]| {
        let file = file("push-real.json", manifest.to_string());
        let arguments = ["manifest", "push", &file, "--relay", relay.url(), "--agent", &agent];
        run(bare(&arguments).args(more).env("ASSENT_TOKEN", token))
    };
    let first = push(&template(), &owner, &["--json"]).json();
    assert_eq!(first["capability_manifest_version"], 1);
    let hash = first["capability_manifest_hash"].as_str().unwrap().to_owned();
    let same = push(&template(), &owner, &["--if-match", &hash]);
    assert!(same.text().contains("version 1"), "{}{}", same.text(), same.stderr);

    let mut narrower = template();
    narrower["tools"][0]["input_schema"]["properties"]["path"]["maxLength"] = json!(3);
    let rehearsed = push(&narrower, &owner, &["--dry-run"]);
    assert_eq!(rehearsed.code, 1);
    assert!(rehearsed.text().contains("1 breaking"), "{}", rehearsed.text());
    let published = push(&narrower, &owner, &[]);
    assert_eq!(published.code, 0, "{}", published.stderr);
    assert!(published.text().contains("is now version 2"), "{}", published.text());
    assert!(published.text().contains("worked before, refused now"), "{}", published.text());

    let late = push(&template(), &owner, &["--if-match", &hash]);
    assert_eq!(late.code, 1);
    assert!(late.stderr.contains("PRECONDITION_FAILED"), "{}", late.stderr);
    let agent_itself = push(&template(), &token, &[]);
    assert!(agent_itself.stderr.contains("FORBIDDEN"), "{}", agent_itself.stderr);
}
