//! `assent manifest compare-schemas`

use serde_json::{Value, json};

use crate::{file, manifest};

fn compare(name: &str, old: &Value, new: &Value, more: &[&str]) -> crate::Run {
    let old = file(&format!("{name}-old.schema.json"), old.to_string());
    let new = file(&format!("{name}-new.schema.json"), new.to_string());
    manifest(&[&["compare-schemas", old.as_str(), new.as_str()], more].concat(), b"")
}

#[test]
fn every_verdict_is_exit_0_with_its_witnesses() {
    let string = json!({"type": "string"});
    let long = json!({"type": "string", "minLength": 2});
    let number = json!({"type": "number"});
    for (name, old, new, expected) in [
        ("equal", &string, &json!({"type": ["string"]}), json!({"verdict": "equal"})),
        ("wider", &long, &string, json!({"verdict": "wider", "witness_gained": ""})),
        ("narrower", &string, &long, json!({"verdict": "narrower", "witness_lost": ""})),
        (
            "incomparable",
            &long,
            &number,
            json!({"verdict": "incomparable", "witness_lost": "aa", "witness_gained": 0}),
        ),
    ] {
        let run = compare(name, old, new, &["--json"]);
        assert_eq!((run.code, run.json()), (0, expected), "{name}");
        assert!(compare(name, old, new, &[]).text().starts_with(name));
    }
}

#[test]
fn a_bad_schema_is_exit_1_and_named() {
    let good = json!({"type": "string"});
    for (bad, code) in [
        (json!({"type": "text"}), "BAD_INPUT_SCHEMA"),
        (json!({"$ref": "https://example.com/"}), "REMOTE_REF"),
        (json!({"pattern": "(?=a)"}), "UNSAFE_PATTERN"),
        (json!({"$ref": "#"}), "SCHEMA_TOO_COMPLEX"),
    ] {
        let run = compare(code, &good, &bad, &["--json"]);
        assert_eq!(run.code, 1);
        let report = run.json();
        assert_eq!(
            (&report["document"], &report["errors"][0]["code"]),
            (&json!("new"), &json!(code))
        );
        assert_eq!(compare(code, &bad, &good, &["--json"]).json()["document"], "old");
    }
}
