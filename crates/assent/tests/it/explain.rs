//! `assent manifest explain`

use assent_manifest::{Code, Rule};

use crate::manifest;

#[test]
fn every_code_and_rule_is_explained() {
    let codes = Code::ALL.iter().map(|code| (code.as_str(), "error"));
    let rules = Rule::ALL.iter().map(|rule| (rule.as_str(), "rule"));
    for (name, kind) in codes.chain(rules) {
        let run = manifest(&["explain", name, "--json"], b"");
        assert_eq!(run.code, 0, "{name}");
        assert_eq!(
            (run.json()["code"].clone(), run.json()["kind"].clone()),
            (name.into(), kind.into())
        );
        let text = manifest(&["explain", name], b"");
        assert!(text.text().starts_with(&format!("{name}\n")), "{}", text.text());
    }
}

#[test]
fn spelling_is_forgiven_and_a_near_miss_is_guessed() {
    assert_eq!(manifest(&["explain", "bad-semver"], b"").code, 0);
    let run = manifest(&["explain", "INPUT_NARROW"], b"");
    assert_eq!(run.code, 2);
    assert!(run.stderr.contains("did you mean `input-narrowed`"), "{}", run.stderr);
    let run = manifest(&["explain", "zzz", "--json"], b"");
    assert_eq!((run.code, run.json()["error"]["code"].clone()), (2, "UNKNOWN_CODE".into()));
}

#[test]
fn without_a_code_all_are_listed() {
    let run = manifest(&["explain"], b"");
    assert!(run.text().contains("BAD_SEMVER") && run.text().contains("input-narrowed"));
}
