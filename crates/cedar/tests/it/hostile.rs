//! Any text, schema and input is handled without a panic.

use assent_cedar::{ToolShape, load_policy};
use assent_json::Json;
use assent_policy::{Decision, Grants};
use proptest::prelude::*;
use serde_json::{Value, json};

use crate::support::Call;

fn value() -> impl Strategy<Value = Value> {
    let leaf = prop_oneof![
        Just(Value::Null),
        any::<bool>().prop_map(Value::from),
        (-(1_i64 << 53)..(1 << 53)).prop_map(Value::from),
        prop::num::f64::NORMAL.prop_map(Value::from),
        "\\PC{0,12}".prop_map(Value::from),
    ];
    leaf.prop_recursive(3, 16, 4, |inner| {
        prop_oneof![
            prop::collection::vec(inner.clone(), 0..4).prop_map(Value::from),
            prop::collection::btree_map("[v/~0-1]{0,2}", inner, 0..4).prop_map(|map| json!(map)),
        ]
    })
}

fn shape(schema: &Value) -> ToolShape<'_> {
    ToolShape { tool_id: "ns/t", namespace: "ns", name: "t", input_schema: Some(schema) }
}

proptest! {
    #[test]
    fn any_policy_text_is_read_or_refused(text in "[a-z@\"(){};=&|.,:!<>? \n0-9-]{0,60}", value in value()) {
        let _ = load_policy(&[], &text, [shape(&value)]);
    }
}

proptest! {
    // Each case makes a schema of its own.
    #![proptest_config(ProptestConfig::with_cases(300))]

    #[test]
    fn any_input_schema_can_be_used_by_policies(schema in value(), property in value(), input in value()) {
        let schema = json!({"properties": {"v": property, "w": schema}, "required": ["v"]});
        let policy = load_policy(&[], "permit(principal, action, resource);", [shape(&schema)]);
        let policy = policy.unwrap();
        let input = json!({"v": input});
        prop_assume!(Json::from_value(&input).is_ok());
        let verdict = policy.decide(&Call::new(input).question(), &Grants::none());
        prop_assert_eq!(verdict.decision == Decision::Allow, verdict.errors.is_empty());
    }
}
