//! Schemas that are written differently and accept the same inputs.

use assent_manifest::{Diff, Rule, RuleSet, diff};
use assent_schema::{Verdict, compare};
use serde_json::{Value, json};

use crate::{edited, manifest};

const SCHEMA: &str = "/tools/0/input_schema";

fn with_schema(schema: &Value) -> Value {
    edited(SCHEMA, Some(schema.clone()))
}

fn between(old: &Value, new: &Value) -> Diff {
    let (old, new) = (with_schema(old).to_string(), with_schema(new).to_string());
    diff(old.as_bytes(), new.as_bytes(), RuleSet::Canonical).unwrap()
}

fn field(schema: Value) -> Value {
    json!({"type": "object", "properties": {"f": schema}, "required": ["f"]})
}

/// Both directions are compatible, and every change says that nothing is lost or gained.
fn assert_equal(old: &Value, new: &Value) {
    assert_eq!(compare(old, new).unwrap().verdict(), Verdict::Equal, "{old} → {new}");
    for (old, new) in [(old, new), (new, old)] {
        let diff = between(old, new);
        assert!(!diff.breaking && !diff.changes.is_empty(), "{old} → {new}: {:#?}", diff.changes);
        for change in &diff.changes {
            let harmless = [Rule::InputEquivalent, Rule::InputAnnotated];
            assert!(harmless.contains(&change.rule), "{old} → {new}: {change:#?}");
            assert_eq!(change.witness, None);
        }
    }
}

#[test]
fn the_order_of_alternatives_means_nothing() {
    let branches = [
        json!({"type": "string", "minLength": 3}),
        json!({"type": "integer"}),
        json!({"type": "array", "items": {"type": "string"}}),
    ];
    let [a, b, c] = &branches;
    for keyword in ["anyOf", "oneOf"] {
        assert_equal(&field(json!({keyword: [a, b, c]})), &field(json!({keyword: [c, a, b]})));
        assert_equal(&field(json!({keyword: [a, b]})), &field(json!({keyword: [b, a]})));
    }
    let parts =
        [json!({"type": ["string", "null"]}), json!({"minLength": 2}), json!({"maxLength": 9})];
    let [a, b, c] = &parts;
    assert_equal(&field(json!({"allOf": [a, b, c]})), &field(json!({"allOf": [b, c, a]})));
    // The same on the outermost level.
    let (a, b) = (json!({"required": ["a"]}), json!({"required": ["b"]}));
    for keyword in ["anyOf", "oneOf", "allOf"] {
        assert_equal(
            &json!({"type": "object", keyword: [a, b]}),
            &json!({"type": "object", keyword: [b, a]}),
        );
    }
}

#[test]
fn a_definition_that_nothing_uses_means_nothing() {
    let used = json!({"$ref": "#/$defs/used"});
    let schema = |definitions: Value| {
        let mut schema = field(used.clone());
        schema["$defs"] = definitions;
        schema
    };
    let without = schema(json!({"used": {"type": "string"}}));
    assert_equal(
        &without,
        &schema(json!({"used": {"type": "string"}, "other": {"type": "integer"}})),
    );
    assert_equal(
        &schema(json!({"used": {"type": "string"}, "other": {"type": "string"}})),
        &schema(json!({"used": {"type": "string"}, "other": {"type": "integer"}})),
    );
}

#[test]
fn an_alternative_that_accepts_nothing_means_nothing() {
    for schema in [json!({"type": "string"}), json!({"type": ["integer", "null"], "minimum": 3})] {
        assert_equal(&field(json!({"anyOf": [schema, false]})), &field(schema.clone()));
        assert_equal(&field(json!({"oneOf": [false, schema]})), &field(schema.clone()));
        assert_equal(&field(json!({"anyOf": [schema, false]})), &field(json!({"anyOf": [schema]})));
    }
}

/// What looks alike and loses inputs is still found.
#[test]
fn alternatives_that_do_accept_something_still_count() {
    let (a, b) = (json!({"type": "string"}), json!({"type": "integer"}));
    let diff = between(&field(json!({"anyOf": [a, b]})), &field(a.clone()));
    assert!(diff.breaking);
    assert!(diff.changes.iter().any(|change| change.witness.is_some()), "{:#?}", diff.changes);
    let overlapping = json!({"type": "string", "minLength": 3});
    let diff = between(
        &field(json!({"anyOf": [a, overlapping]})),
        &field(json!({"oneOf": [a, overlapping]})),
    );
    assert!(diff.breaking);
}

#[test]
fn a_smaller_least_and_a_larger_most_number_of_members_widen() {
    for (keyword, old, new) in [("minProperties", 2, 1), ("maxProperties", 3, 4)] {
        let schema = |number: i32| json!({"type": "object", keyword: number});
        let diff = between(&schema(old), &schema(new));
        let rules: Vec<_> = diff.changes.iter().map(|change| change.rule).collect();
        assert_eq!((rules, diff.breaking), (vec![Rule::InputWidened], false), "{keyword}");
        let diff = between(&schema(new), &schema(old));
        let rules: Vec<_> = diff.changes.iter().map(|change| change.rule).collect();
        assert_eq!((rules, diff.breaking), (vec![Rule::InputNarrowed], true), "{keyword}");
        assert!(diff.changes.iter().all(|change| change.witness.is_some()), "{keyword}");
    }
    assert!(!between(&manifest()["tools"][0]["input_schema"], &json!({"type": "object"})).breaking);
}
