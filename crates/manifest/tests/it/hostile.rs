//! Manifests whose authors mean harm cost no more than others.

use assent_manifest::{CheckOptions, Code, RuleSet, check, diff};
use proptest::prelude::*;
use serde_json::{Value, json};

use crate::{manifest, tool};

fn codes(manifest: &Value) -> Vec<Code> {
    let report = check(manifest.to_string().as_bytes(), CheckOptions::default());
    report.errors.iter().map(|finding| finding.code).collect()
}

#[test]
fn thousands_of_expensive_patterns_are_refused_after_a_few() {
    let mut manifest = manifest();
    let properties: serde_json::Map<_, _> = (0..2_000)
        .map(|n| (format!("p{n}"), json!({"pattern": format!("\\p{{L}}{{90}}{n}")})))
        .collect();
    manifest["tools"][0]["input_schema"]["properties"] = properties.into();
    let codes = codes(&manifest);
    assert!(codes.contains(&Code::SchemaTooComplex) || codes.contains(&Code::UnsafePattern));
    assert!(codes.len() < 20, "{}", codes.len());
}

#[test]
fn expensive_patterns_spread_over_many_tools_are_refused_too() {
    let mut manifest = manifest();
    let tools: Vec<_> = (0..300)
        .map(|n| {
            let mut tool = tool(&format!("tool_{n}"));
            tool["input_schema"]["properties"]["path"]["pattern"] =
                json!(format!("\\p{{L}}{{30}}{n}"));
            tool["input_schema"]["properties"].as_object_mut().unwrap().remove("mode");
            tool
        })
        .collect();
    manifest["tools"] = tools.into();
    assert!(codes(&manifest).contains(&Code::SchemaTooComplex));
}

#[test]
fn a_schema_rewritten_in_hundreds_of_places_is_compared_within_bounds() {
    let build = |pattern: &dyn Fn(usize) -> Value| {
        let mut manifest = manifest();
        let properties: serde_json::Map<_, _> =
            (0..900).map(|n| (format!("property_{n}"), pattern(n))).collect();
        manifest["tools"][0]["input_schema"]["properties"] = properties.into();
        manifest["tools"][0]["input_schema"]["required"] = json!([]);
        manifest.to_string()
    };
    let old = build(&|n| json!({"type": "string", "maxLength": n, "pattern": "^[a-z]*$"}));
    let new = build(&|n| json!({"type": "string", "maxLength": n + 1, "pattern": "^[a-y]*$"}));
    let diff = diff(old.as_bytes(), new.as_bytes(), RuleSet::Canonical).unwrap();
    assert!(diff.breaking);
    assert!(diff.breaking_changes.iter().any(|change| change.witness.is_some()));
}

#[test]
fn alternatives_that_multiply_are_given_up_and_count_as_breaking() {
    let build = |offset: usize| {
        let mut manifest = manifest();
        let all: Vec<_> = (0..12)
            .map(|n| {
                let alternatives: Vec<_> = (0..6)
                    .map(|m| json!({"properties": {format!("p{}", (n * 7 + m * 5) % 13): {"multipleOf": n + m + offset + 2}}}))
                    .collect();
                json!({"oneOf": alternatives})
            })
            .collect();
        manifest["tools"][0]["input_schema"]["allOf"] = all.into();
        manifest.to_string()
    };
    let diff = diff(build(0).as_bytes(), build(1).as_bytes(), RuleSet::Canonical).unwrap();
    assert!(diff.breaking);
}

proptest! {
    #[test]
    fn no_bytes_make_check_or_diff_panic(bytes in proptest::collection::vec(any::<u8>(), 0..200)) {
        let report = check(&bytes, CheckOptions::default());
        prop_assert!(!report.is_valid());
        let good = manifest().to_string();
        prop_assert!(diff(&bytes, good.as_bytes(), RuleSet::Canonical).is_err());
        prop_assert!(diff(good.as_bytes(), &bytes, RuleSet::Strict).is_err());
    }

    /// Any value at any place of a manifest gets findings, not a crash.
    #[test]
    fn any_value_anywhere_gets_findings(position in any::<prop::sample::Index>(), value in crate::random_manifests::any_json()) {
        let mut manifest = manifest();
        let places = crate::random_manifests::pointers(&manifest);
        let place = &places[position.index(places.len())];
        if let Some(slot) = manifest.pointer_mut(place) {
            *slot = value;
        }
        let _ = check(manifest.to_string().as_bytes(), CheckOptions::default());
    }
}
