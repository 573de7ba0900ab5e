//! The order of keys changes nothing.
//!
//! `serde_json` keeps the order of keys if some crate of the build asks for it with its feature
//! `preserve_order`, as a dependency of `assent-cedar` does. These tests therefore have to pass with
//! `--workspace`, where the feature is on, and with `-p assent-manifest`, where it is off.

use std::fmt::Write as _;

use assent_manifest::{RuleSet, diff};
use proptest::{prelude::*, sample::select};
use serde_json::{Value, json};

use crate::manifest;

/// Writes a value with the members of all objects in an order that `seed` decides.
fn shuffled(value: &Value, seed: &mut u64) -> String {
    match value {
        Value::Array(elements) => {
            let parts: Vec<_> = elements.iter().map(|element| shuffled(element, seed)).collect();
            format!("[{}]", parts.join(","))
        }
        Value::Object(members) => {
            let mut parts: Vec<_> = members
                .iter()
                .map(|(key, value)| format!("{}:{}", json!(key), shuffled(value, seed)))
                .collect();
            // Both feature sets start from the same order.
            parts.sort();
            for last in (1..parts.len()).rev() {
                *seed = seed
                    .wrapping_mul(6_364_136_223_846_793_005)
                    .wrapping_add(1_442_695_040_888_963_407);
                parts.swap(last, usize::try_from(*seed >> 33).unwrap() % (last + 1));
            }
            format!("{{{}}}", parts.join(","))
        }
        scalar => scalar.to_string(),
    }
}

fn with_schema(schema: &Value) -> Value {
    let mut manifest = manifest();
    manifest["tools"][0]["input_schema"] = schema.clone();
    manifest
}

/// The whole diff as text, so the order of keys inside reported values counts as well.
fn report(old: &str, new: &str) -> String {
    let diff = diff(old.as_bytes(), new.as_bytes(), RuleSet::Canonical).unwrap();
    serde_json::to_string_pretty(&diff).unwrap()
}

fn schema() -> impl Strategy<Value = Value> {
    let leaf = prop_oneof![
        select(vec!["string", "integer", "null", "boolean"]).prop_map(|kind| json!({"type": kind})),
        (0..4_u8, 2..6_u8).prop_map(|(least, most)| {
            json!({"type": "string", "minLength": least, "maxLength": most, "title": "text"})
        }),
        proptest::collection::vec(0..6_u8, 1..4).prop_map(|options| json!({"enum": options})),
        Just(json!({"const": {"b": 1, "a": {"d": 2, "c": 3}}})),
        Just(json!({"$ref": "#/$defs/one"})),
        Just(json!({"pattern": "^[ab]+$", "type": "string"})),
    ];
    leaf.prop_recursive(3, 24, 4, |inner| {
        let some = || proptest::collection::vec(inner.clone(), 1..4);
        let properties = proptest::collection::btree_map("[a-e]", inner.clone(), 1..5);
        prop_oneof![
            some().prop_map(|schemas| json!({"anyOf": schemas})),
            some().prop_map(|schemas| json!({"allOf": schemas})),
            some().prop_map(|schemas| json!({"oneOf": schemas})),
            inner.clone().prop_map(|items| json!({"type": "array", "items": items, "maxItems": 3})),
            (properties, any::<bool>(), 0..3_u8).prop_map(|(properties, closed, least)| {
                let required: Vec<_> = properties.keys().skip(1).cloned().collect();
                json!({
                    "type": "object", "properties": properties, "required": required,
                    "additionalProperties": !closed, "minProperties": least
                })
            }),
        ]
    })
}

fn input_schema() -> impl Strategy<Value = Value> {
    let properties = proptest::collection::btree_map("[a-e]", schema(), 1..5);
    (properties, schema(), any::<bool>()).prop_map(|(properties, one, closed)| {
        let required: Vec<_> = properties.keys().take(1).cloned().collect();
        // A definition that refers to itself would not be valid.
        let one = if one.to_string().contains("$ref") { json!({"minimum": 3}) } else { one };
        json!({
            "type": "object", "properties": properties, "required": required,
            "additionalProperties": !closed, "$defs": {"one": one}
        })
    })
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(500))]

    #[test]
    fn manifests_with_shuffled_keys_have_the_same_diff(
        old in input_schema(), new in input_schema(), seed in any::<u64>()
    ) {
        let (old, new) = (with_schema(&old), with_schema(&new));
        let mut seed = seed;
        let plain = report(&old.to_string(), &new.to_string());
        let strange = report(&shuffled(&old, &mut seed), &shuffled(&new, &mut seed));
        prop_assert_eq!(plain, strange);
    }
}

/// One line per change. The same lines are expected with and without `preserve_order`.
#[test]
fn a_diff_is_the_same_with_and_without_preserve_order() {
    let old = json!({
        "type": "object",
        "required": ["b", "a"],
        "properties": {
            "b": {"maxLength": 9, "type": "string"},
            "a": {"anyOf": [{"type": "string", "minLength": 2}, {"type": "integer"}]},
            "kind": {"const": {"z": 1, "y": [{"x": 2, "w": 3}]}}
        },
        "minProperties": 2
    });
    let new = json!({
        "properties": {
            "kind": {"const": {"y": [{"w": 3, "x": 2}], "z": 2}},
            "b": {"type": "string", "maxLength": 4},
            "a": {"anyOf": [{"type": "integer"}, {"minLength": 2, "type": "string"}]},
            "c": {"title": "C", "type": ["null", "string"]}
        },
        "type": "object",
        "additionalProperties": false,
        "required": ["a", "b", "c"]
    });
    let (old, new) = (with_schema(&old), with_schema(&new));
    for seed in 0..50 {
        let mut seed = seed;
        let (old, new) = (shuffled(&old, &mut seed), shuffled(&new, &mut seed));
        let diff = diff(old.as_bytes(), new.as_bytes(), RuleSet::Canonical).unwrap();
        let mut lines = String::new();
        for change in &diff.changes {
            let path = change.path.trim_start_matches("/tools/0/input_schema/");
            let witness = change.witness.as_ref().map_or_else(|| "-".to_owned(), Value::to_string);
            writeln!(lines, "{} {path} {witness}", change.rule.as_str()).unwrap();
        }
        assert_eq!(lines, EXPECTED);
    }
}

const EXPECTED: &str = r#"input-equivalent minProperties -
input-equivalent properties/a/anyOf -
input-narrowed properties/b/maxLength {"a":"aa","b":"aaaaa"}
input-narrowed properties/c {"a":"aa","b":"","c":0}
input-narrowed properties/kind/const {"a":"aa","b":"","kind":{"y":[{"w":3,"x":2}],"z":1}}
input-required-added required/2 {"a":"aa","b":""}
input-closed additionalProperties {"":"","a":"aa","b":""}
"#;
