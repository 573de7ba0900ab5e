//! Whatever a rule says and whatever the input is, nothing panics and allow is never wider than deny.

use assent_json::Json;
use assent_policy::{Decision, Policy, RuleSpec, suggest};
use proptest::prelude::*;
use serde_json::{Value, json};

use crate::support::{Call, rules};

fn text() -> impl Strategy<Value = String> {
    prop_oneof![
        "\\PC{0,12}",
        "[a-z*?\\\\/.~:@%&;|<>(){}$'\"` \n\0-]{0,24}",
        "https?://[a-zA-Z0-9.:@%\\[\\]*\\\\/?#ü。-]{0,20}",
        "/[a-z./\\\\~\0]{0,20}",
        prop::sample::select(vec![
            "*",
            "",
            "/",
            "~",
            "..",
            "a.b",
            "rm -rf /",
            "git status",
            "::1",
            "[::1]"
        ])
        .prop_map(str::to_owned),
    ]
}

fn value() -> impl Strategy<Value = Value> {
    let leaf = prop_oneof![
        Just(Value::Null),
        any::<bool>().prop_map(Value::from),
        (-(1_i64 << 53)..(1 << 53)).prop_map(Value::from),
        prop::num::f64::NORMAL.prop_map(Value::from),
        text().prop_map(Value::from),
    ];
    leaf.prop_recursive(3, 16, 4, |inner| {
        prop_oneof![
            prop::collection::vec(inner.clone(), 0..4).prop_map(Value::from),
            prop::collection::btree_map("[v/~0-1]{0,2}", inner, 0..4).prop_map(|map| json!(map)),
        ]
    })
}

fn condition() -> impl Strategy<Value = Value> {
    let test = prop_oneof![
        (
            prop::sample::select(vec![
                "matches", "under", "host", "url", "command", "digest", "shape"
            ]),
            text()
        )
            .prop_map(|(key, text)| (key, Value::from(text))),
        value().prop_map(|value| ("equals", value)),
        prop::collection::vec(value(), 0..3).prop_map(|values| ("in", Value::from(values))),
        (prop::sample::select(vec!["above", "below"]), any::<f32>()).prop_map(|(key, number)| {
            (key, serde_json::Number::from_f64(f64::from(number)).map_or(json!(0), Value::from))
        }),
        any::<bool>().prop_map(|flag| ("absent", Value::from(flag))),
    ];
    let path = prop_oneof![Just("/v".to_owned()), Just(String::new()), "[/v~01]{0,4}"];
    (path, prop::collection::vec(test, 0..3)).prop_map(|(path, tests)| {
        let mut condition = json!({"path": path});
        for (key, value) in tests {
            condition[key] = value;
        }
        condition
    })
}

fn rule(behavior: &str, tool: Option<String>, arguments: &[Value]) -> RuleSpec {
    let mut spec = json!({"id": "r", "behavior": behavior, "arguments": arguments});
    if let Some(tool) = tool {
        spec["tool"] = Value::from(tool);
    }
    rules(json!([spec])).remove(0)
}

fn load(rule: RuleSpec) -> Option<Policy> {
    Policy::load(vec![rule]).ok()
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(4000))]

    #[test]
    fn any_rule_meets_any_input(
        tool in prop::option::of(text()),
        conditions in prop::collection::vec(condition(), 0..3),
        value in value(),
    ) {
        let input = json!({"v": value});
        prop_assume!(Json::from_value(&input).is_ok());
        let call = Call::new(input);
        let _ = suggest(&call.question());
        let [allow, deny] = ["allow", "deny"].map(|behavior| load(rule(behavior, tool.clone(), &conditions)));
        if let (Some(allow), Some(deny)) = (&allow, &deny) {
            // What an allow rule takes, the same rule as a denial takes, too.
            let allowed = call.decision(allow) == Decision::Allow;
            prop_assert!(!allowed || call.decision(deny) == Decision::Deny);
        }
        // Only looseness makes a rule good for denying and not for allowing.
        prop_assert!(allow.is_none() || deny.is_some());
    }
}
