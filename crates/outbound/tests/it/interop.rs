//! The published Python library verifies our signatures, and we verify its.

use std::{
    io::Write,
    path::Path,
    process::{Command, Stdio},
};

use assent_ids::{Clock, SystemClock, deterministic::SeededEntropy};
use assent_outbound::standard_webhooks::{Message, SIGNATURE, Secret, verify};
use assent_test_servers::python_with;
use http::{HeaderMap, HeaderValue};
use serde_json::{Value, json};

/// The package, by name and version.
const PACKAGE: &str = "standardwebhooks==1.1.0";

/// What the library says to each of these messages.
fn ask(messages: &[Value]) -> Vec<Value> {
    let script = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/interop/standard_webhooks.py");
    let mut child = Command::new(python_with(Path::new(env!("CARGO_TARGET_TMPDIR")), &[PACKAGE]))
        .arg(script)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .unwrap();
    let mut stdin = child.stdin.take().unwrap();
    stdin.write_all(serde_json::to_string(messages).unwrap().as_bytes()).unwrap();
    drop(stdin);
    let output = child.wait_with_output().unwrap();
    assert!(output.status.success());
    serde_json::from_slice(&output.stdout).unwrap()
}

fn message(secret: &Secret, headers: &HeaderMap, body: &str) -> Value {
    let headers: serde_json::Map<String, Value> = headers
        .iter()
        .map(|(name, value)| (name.to_string(), json!(value.to_str().unwrap())))
        .collect();
    json!({"secret": *secret.expose(), "headers": headers, "body": body})
}

#[test]
fn the_published_python_library_and_we_believe_each_other() {
    let entropy = SeededEntropy::new(1);
    let [old, new, other] = [(); 3].map(|()| Secret::generate(&entropy));
    let long: Secret = format!("whsec_{}", "/+".repeat(42)).parse().unwrap();
    let now = SystemClock.now();
    let body = r#"{"type": "message.new", "data": {"text": "Grüße 世界"}}"#;
    let signed = Message::new("msg_1", now, body.as_bytes()).unwrap();
    let headers = signed.sign(&[&new, &old, &long]).unwrap();

    let said = ask(&[
        message(&old, &headers, body),
        message(&new, &headers, body),
        message(&long, &headers, body),
        message(&other, &headers, body),
        message(&new, &headers, &body.replace("new", "old")),
    ]);
    let verified: Vec<&Value> = said.iter().map(|answer| &answer["verified"]).collect();
    assert_eq!(verified, [true, true, true, false, false]);

    for (secret, answer) in [&old, &new, &long].into_iter().zip(&said) {
        let mut theirs = headers.clone();
        let signature = answer["signature"].as_str().unwrap();
        theirs.insert(SIGNATURE, HeaderValue::from_str(signature).unwrap());
        assert!(verify(&theirs, body.as_bytes(), &[secret], now).is_ok());
        assert_eq!(signed.sign(&[secret]).unwrap()[SIGNATURE], signature);
    }
}
