//! `assent manifest diff`

use serde_json::{Value, json};

use crate::{file, manifest, template};

fn diff(name: &str, new: &Value, more: &[&str]) -> crate::Run {
    let old = file(&format!("{name}-old.json"), template().to_string());
    let new = file(&format!("{name}-new.json"), new.to_string());
    manifest(&[&["diff", old.as_str(), new.as_str()], more].concat(), b"")
}

#[test]
fn a_breaking_change_is_exit_1_with_a_witness() {
    let mut new = template();
    new["tools"][0]["input_schema"]["properties"]["path"]["maxLength"] = json!(3);
    let run = diff("breaking", &new, &["--json"]);
    assert_eq!(run.code, 1);
    assert_eq!(
        run.json(),
        json!({
            "breaking": true,
            "changes": [{
                "kind": "keyword_added",
                "path": "/tools/0/input_schema/properties/path/maxLength",
                "rule": "input-narrowed",
                "breaking": true,
                "new": 3,
                "witness": {"path": "aaaa"},
                "summary": "`read_file`: `maxLength` of the field `path` is now 3"
            }],
            "breaking_changes": [run.json()["changes"][0]],
            "scopes_requiring_reauth": ["filesystem:read"]
        })
    );
    let report = diff("breaking", &new, &[]);
    assert!(report.text().contains("worked before, refused now: {\"path\":\"aaaa\"}"));
    assert!(report.text().contains("People have to agree again to filesystem:read."));
}

#[test]
fn a_harmless_change_is_exit_0_and_the_strict_rules_may_disagree() {
    let mut new = template();
    new["tools"] = json!([]);
    assert_eq!(diff("removed", &new, &["--json"]).json()["breaking"], false);
    assert_eq!(diff("removed", &new, &[]).code, 0);
    assert_eq!(diff("removed", &new, &["--rules", "strict"]).code, 1);
}

#[test]
fn the_same_manifest_has_no_changes() {
    let run = diff("same", &template(), &[]);
    assert_eq!(run.code, 0);
    assert!(run.text().contains("say the same"), "{}", run.text());
    let run = diff("same", &template(), &["--json"]);
    let nothing = json!({"breaking": false, "changes": [], "breaking_changes": [], "scopes_requiring_reauth": []});
    assert_eq!(run.json(), nothing);
}

#[test]
fn a_bad_manifest_is_named() {
    let run = diff("bad", &json!({}), &["--json"]);
    assert_eq!(run.code, 1);
    let report = run.json();
    assert_eq!((&report["valid"], &report["document"]), (&json!(false), &json!("new")));
    assert_eq!(report["errors"][0]["code"], "MISSING_FIELD");
}

#[test]
fn standard_input_can_be_one_of_the_two() {
    let old = file("stdin-old.json", template().to_string());
    let text = template().to_string();
    assert_eq!(manifest(&["diff", &old, "-"], text.as_bytes()).code, 0);
    assert_eq!(manifest(&["diff", "-", "-"], text.as_bytes()).code, 2);
}
