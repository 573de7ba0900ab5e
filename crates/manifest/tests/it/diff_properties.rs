//! What holds for every diff.

use assent_manifest::{CheckOptions, Rule, RuleSet, check, diff};
use proptest::prelude::*;
use serde_json::{Value, json};

use crate::{
    random_manifests::{manifest, pointers, write},
    scope, tool,
};

fn hash(text: &str) -> String {
    check(text.as_bytes(), CheckOptions::default()).hash.unwrap().to_string()
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(10_000))]

    #[test]
    fn writing_a_manifest_in_another_way_changes_neither_hash_nor_diff(
        manifest in manifest(), seed in any::<u64>()
    ) {
        // A small generator of its own keeps the many little choices cheap.
        let mut state = seed | 1;
        let mut dice = |sides: usize| {
            state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            usize::try_from(state >> 33).unwrap() % sides
        };
        let (plain, strange) = (manifest.to_string(), write(&manifest, &mut dice));
        prop_assert_eq!(hash(&plain), hash(&strange));
        let diff = diff(plain.as_bytes(), strange.as_bytes(), RuleSet::Strict).unwrap();
        prop_assert_eq!(diff.changes, vec![]);
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(1_000))]

    #[test]
    fn a_diff_is_empty_exactly_if_the_hashes_are_equal(old in manifest(), new in manifest()) {
        let (old, new) = (old.to_string(), new.to_string());
        let diff = diff(old.as_bytes(), new.as_bytes(), RuleSet::Canonical).unwrap();
        prop_assert_eq!(diff.changes.is_empty(), hash(&old) == hash(&new));
    }

    #[test]
    fn what_is_breaking_by_the_canonical_rules_is_breaking_by_the_strict_ones(
        old in manifest(), new in manifest()
    ) {
        let (old, new) = (old.to_string(), new.to_string());
        let canonical = diff(old.as_bytes(), new.as_bytes(), RuleSet::Canonical).unwrap();
        let strict = diff(old.as_bytes(), new.as_bytes(), RuleSet::Strict).unwrap();
        prop_assert_eq!(canonical.changes.len(), strict.changes.len());
        prop_assert!(canonical.breaking_changes.len() <= strict.breaking_changes.len());
        prop_assert!(canonical.scopes_requiring_reauth.is_subset(&strict.scopes_requiring_reauth));
    }

    #[test]
    fn every_path_exists_and_every_witness_flips(old in manifest(), new in manifest()) {
        let (old_text, new_text) = (old.to_string(), new.to_string());
        let diff = diff(old_text.as_bytes(), new_text.as_bytes(), RuleSet::Canonical).unwrap();
        for change in &diff.changes {
            let side = if change.new.is_some() || change.old.is_none() { &new } else { &old };
            prop_assert!(side.pointer(&change.path).is_some(), "{}", change.path);
            let breaking_by_meaning = [Rule::InputNarrowed, Rule::InputClosed, Rule::InputRequiredAdded, Rule::InputEnumValueRemoved];
            if breaking_by_meaning.contains(&change.rule) {
                prop_assert!(change.witness.is_some(), "{:?}", change);
            }
        }
        for scope in &diff.scopes_requiring_reauth {
            let scopes = new["permission_scopes"].as_array().unwrap();
            prop_assert!(scopes.iter().any(|declared| declared["id"] == **scope));
        }
    }
}

/// A manifest with thirty tools, each different.
fn thirty_tools() -> Value {
    let tools: Vec<_> = (0..30)
        .map(|n| {
            let mut tool = tool(&format!("tool_{n}"));
            tool["timeout_ms"] = json!(1000 + n);
            tool["description_fallback"] = json!(format!("Does {n} things"));
            tool["required"] = json!(n % 2 == 0);
            tool["input_schema"]["properties"]["path"]["maxLength"] = json!(10 + n);
            tool
        })
        .collect();
    json!({
        "schema_version": "1.0",
        "agent_version": "1.0.0",
        "tools": tools,
        "permission_scopes": [scope("filesystem:read", "medium"), scope("camera:use", "low")],
        "capability_flags": {"supports_streaming": true}
    })
}

/// Another value of the same kind that keeps the manifest valid.
fn changed(value: &Value, pointer: &str) -> Option<Value> {
    let last = pointer.rsplit('/').next().unwrap();
    Some(match value {
        Value::Bool(flag) => json!(!flag),
        Value::Number(number) => json!(number.as_i64().unwrap() + 1),
        Value::String(_) if last == "schema_version" => return None,
        Value::String(_) if last == "agent_version" => json!("9.9.9"),
        Value::String(_) if last == "permission_scope" => json!("camera:use"),
        Value::String(_) if last == "sensitivity" => json!("high"),
        Value::String(_) if pointer.ends_with("input_schema/type") => return None,
        Value::String(_) if last == "type" => json!("boolean"),
        Value::String(id) if last == "id" => json!(format!("{id}s")),
        Value::String(text) => json!(format!("{text}x")),
        _ => return None,
    })
}

#[test]
fn a_change_at_every_position_of_a_manifest_with_thirty_tools_is_found() {
    let old = thirty_tools();
    let old_text = old.to_string();
    let mut positions = 0;
    for pointer in pointers(&old) {
        let Some(value) = changed(old.pointer(&pointer).unwrap(), &pointer) else { continue };
        let mut new = old.clone();
        *new.pointer_mut(&pointer).unwrap() = value;
        if pointer.ends_with("/id") {
            // The tools follow their scope.
            let (before, after) =
                (old.pointer(&pointer).unwrap(), new.pointer(&pointer).unwrap().clone());
            for tool in new["tools"].as_array_mut().unwrap() {
                if &tool["permission_scope"] == before {
                    tool["permission_scope"] = after.clone();
                }
            }
        }
        let diff =
            diff(old_text.as_bytes(), new.to_string().as_bytes(), RuleSet::Canonical).unwrap();
        let parent = pointer.rsplit_once('/').unwrap().0;
        let found = diff.changes.iter().any(|change| change.path.starts_with(parent));
        assert!(found, "{pointer}: {:?}", diff.changes);
        positions += 1;
    }
    assert!(positions > 300, "{positions}");
}

#[test]
fn removing_any_tool_or_field_of_a_manifest_with_thirty_tools_is_found() {
    let old = thirty_tools();
    for index in 0..30 {
        let mut new = old.clone();
        new["tools"].as_array_mut().unwrap().remove(index);
        let diff =
            diff(old.to_string().as_bytes(), new.to_string().as_bytes(), RuleSet::Strict).unwrap();
        let paths: Vec<_> =
            diff.breaking_changes.iter().map(|change| change.path.clone()).collect();
        assert_eq!(paths, [format!("/tools/{index}")]);
    }
}
