//! `assent manifest check`

use serde_json::json;

use crate::{file, manifest, template};

#[test]
fn what_init_prints_is_valid_by_both_rule_sets() {
    let text = manifest(&["init"], b"").stdout;
    for rules in ["canonical", "strict"] {
        let run = manifest(&["check", "-", "--rules", rules, "--json"], &text);
        assert_eq!(run.code, 0);
        let report = run.json();
        assert_eq!(report["valid"], true);
        assert_eq!(report["errors"], json!([]));
        assert_eq!(report["warnings"], json!([]));
        assert_eq!(report["hash"].as_str().unwrap().len(), 64);
        assert!(report["size_bytes"].as_u64().unwrap() > 100);
        let members: Vec<_> = report.as_object().unwrap().keys().cloned().collect();
        assert_eq!(members.len(), 5, "{members:?}");
    }
}

#[test]
fn a_bad_manifest_is_exit_1_and_every_problem_has_code_path_and_message() {
    let mut bad = template();
    bad["agent_version"] = json!("one");
    bad["tools"][0]["name"] = json!("X");
    let run = manifest(&["check", &file("bad.json", bad.to_string()), "--json"], b"");
    assert_eq!(run.code, 1);
    let report = run.json();
    assert_eq!(report["valid"], false);
    let errors = report["errors"].as_array().unwrap();
    let codes: Vec<_> = errors.iter().map(|error| (&error["code"], &error["path"])).collect();
    assert_eq!(
        codes,
        [
            (&json!("BAD_SEMVER"), &json!("/agent_version")),
            (&json!("BAD_TOOL_NAME"), &json!("/tools/0/name"))
        ]
    );
    assert!(errors.iter().all(|error| error["message"].as_str().unwrap().len() > 10));
}

#[test]
fn strict_rules_refuse_what_canonical_rules_warn_about() {
    let mut open = template();
    open["tools"][0]["input_schema"].as_object_mut().unwrap().remove("additionalProperties");
    let text = open.to_string();
    let canonical = manifest(&["check", "-", "--json"], text.as_bytes());
    assert_eq!(
        (canonical.code, canonical.json()["warnings"][0]["code"].clone()),
        (0, json!("OPEN_INPUT_SCHEMA"))
    );
    let strict = manifest(&["check", "-", "--json", "--rules", "strict"], text.as_bytes());
    assert_eq!(
        (strict.code, strict.json()["errors"][0]["code"].clone()),
        (1, json!("OPEN_INPUT_SCHEMA"))
    );
}

#[test]
fn the_report_for_people_points_at_the_place() {
    let text = "{\n  \"schema_version\": \"1.0\",\n  \"agent_version\": \"one\"\n}";
    let run = manifest(&["check", &file("report.json", text)], b"");
    assert_eq!(run.code, 1);
    let report = run.text();
    assert!(report.contains("error[BAD_SEMVER]"), "{report}");
    assert!(report.contains("report.json:3:20"), "{report}");
    assert!(report.contains("3 │ \"agent_version\": \"one\""), "{report}");
    assert!(report.contains("  │                  ^^^^^"), "{report}");
    assert!(report.contains("assent manifest explain"), "{report}");
    assert!(!report.contains('\u{1b}'), "no colours without a terminal");
}

#[test]
fn an_unreadable_file_is_exit_2_with_a_reason() {
    for path in ["/does/not/exist.json", "/"] {
        let run = manifest(&["check", path], b"");
        assert_eq!((run.code, run.stdout.len()), (2, 0));
        assert!(run.stderr.starts_with("error: cannot read"), "{}", run.stderr);
        let run = manifest(&["check", path, "--json"], b"");
        assert_eq!(run.code, 2);
        assert_eq!(run.json()["error"]["code"], "INPUT_UNREADABLE");
        assert!(run.stderr.starts_with("error: cannot read"), "{}", run.stderr);
    }
}

#[test]
fn a_flood_of_problems_is_cut_for_people_and_whole_for_machines() {
    let mut flooded = template();
    flooded["tools"] = vec![json!(0); 50_000].into();
    let text = flooded.to_string();
    let run = manifest(&["check", "-"], text.as_bytes());
    assert!(run.text().contains("… and 49960 more errors"), "{:.2000}", run.text());
    let run = manifest(&["check", "-", "--json"], text.as_bytes());
    assert_eq!(run.json()["errors"].as_array().unwrap().len(), 50_000);
}
