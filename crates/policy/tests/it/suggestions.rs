//! Suggested rules: narrow, valid, and worth something.

use assent_policy::{Decision, Policy, RuleSpec, suggest};
use assent_protocol::agent_tool::{Behavior, RuleSource, SuggestedUpdate};
use proptest::prelude::*;
use serde_json::{Value, json};

use crate::support::{Call, rules};

fn suggested(call: &Call) -> Vec<RuleSpec> {
    let rule = |update: SuggestedUpdate| match update {
        SuggestedUpdate::AddRules(update) => {
            assert_eq!(update.behavior, Behavior::Allow);
            assert_eq!(update.destination, RuleSource::Session);
            rules(Value::Array(update.rules)).remove(0)
        }
        other => panic!("{other:?}"),
    };
    suggest(&call.question()).into_iter().map(rule).collect()
}

fn policy_of(rule: &RuleSpec) -> Policy {
    Policy::load(vec![rule.clone()]).unwrap()
}

#[test]
fn the_narrowest_rule_comes_first_and_holds_no_value() {
    let call = Call {
        actor: Some("a*".to_owned()),
        ..Call::new(json!({"path": "/work/notes/a.txt", "force": false, "text": "planted"}))
    };
    let suggested = suggested(&call);
    assert_eq!(suggested.len(), 2, "nothing for the whole of a tool that destroys");
    let [exact, alike] = suggested.as_slice() else { panic!() };
    assert!(!serde_json::to_string(&suggested).unwrap().contains("planted"));
    let other = |input: Value| Call { input: Call::new(input).input, ..call.clone() };
    let sibling = other(json!({"path": "/work/notes/b.txt", "force": false, "text": "other"}));
    assert_eq!(call.decision(&policy_of(exact)), Decision::Allow);
    assert_eq!(sibling.decision(&policy_of(exact)), Decision::Ask);
    assert_eq!(sibling.decision(&policy_of(alike)), Decision::Allow);
    for wider in [
        other(json!({"path": "/work/b.txt", "force": false, "text": ""})),
        other(json!({"path": "/work/notes/b.txt", "force": true, "text": ""})),
        other(json!({"path": "/work/notes/b.txt", "force": false, "text": "", "mode": 7})),
        Call { actor: Some("ab".to_owned()), ..sibling.clone() },
        Call { definition: assent_json::Digest::of(b"changed"), ..sibling.clone() },
        Call { tool_id: "ns/u".to_owned(), name: "u".to_owned(), ..sibling },
    ] {
        assert_eq!(wider.decision(&policy_of(alike)), Decision::Ask, "{wider:?}");
    }
}

#[test]
fn hosts_and_commands_are_suggested_too() {
    let alike = |input: Value| {
        let all = suggested(&Call::new(input));
        serde_json::to_value(all.get(1).map(|rule| rule.arguments[1].clone())).unwrap()
    };
    assert_eq!(
        alike(json!({"u": "https://API.example.com/v1"})),
        json!({"path": "/u", "host": "api.example.com"})
    );
    assert_eq!(alike(json!({"u": "http://0x7f.1/"})), json!({"path": "/u", "host": "127.0.0.1"}));
    assert_eq!(
        alike(json!({"command": "git status -s"})),
        json!({"path": "/command", "command": "git status"})
    );
    assert_eq!(alike(json!({"cmd": "ls -l"})), json!({"path": "/cmd", "command": "ls"}));
    for nothing in [
        json!({"command": "ls; rm x"}),
        json!({"command": "ls > x"}),
        json!({"u": "https://*.com/"}),
        json!({"u": "not a url"}),
        json!({"path": "/etc"}),
        json!({"path": "relative/x"}),
        json!({"n": 1}),
        json!([1]),
    ] {
        assert_eq!(alike(nothing.clone()), Value::Null, "{nothing}");
    }
}

#[test]
fn the_whole_tool_is_suggested_only_if_it_destroys_nothing() {
    let mut call = Call::new(json!({"n": 1}));
    call.safety.destructive = false;
    let suggested = suggested(&call);
    assert_eq!(suggested.len(), 2);
    assert!(suggested[1].arguments.is_empty());
    assert_eq!(
        Call { input: Call::new(json!({})).input, ..call }.decision(&policy_of(&suggested[1])),
        Decision::Allow
    );
}

fn input() -> impl Strategy<Value = Value> {
    let leaf = prop_oneof![
        "\\PC{0,8}".prop_map(Value::from),
        any::<bool>().prop_map(Value::from),
        any::<i32>().prop_map(Value::from),
        "/[a-z./~]{0,8}".prop_map(Value::from),
        "https://[a-z0-9.*@:]{1,9}/".prop_map(Value::from),
        "[a-z ;'$*-]{1,9}".prop_map(Value::from),
    ];
    let key = prop_oneof![Just("command".to_owned()), Just("path".to_owned()), "[a-z~/*]{0,3}"];
    prop::collection::btree_map(key, leaf, 0..5).prop_map(|members| json!(members))
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(1000))]

    #[test]
    fn every_suggestion_loads_and_would_have_spared_the_question(
        input in input(), tool in "[a-z*?\\\\/]{1,6}", actor in prop::option::of("[a-z*?\\\\]{1,4}")
    ) {
        let call = Call { tool_id: tool, actor, ..Call::new(input) };
        let suggested = suggested(&call);
        prop_assert!(!suggested.is_empty());
        for rule in suggested {
            prop_assert_eq!(call.decision(&policy_of(&rule)), Decision::Allow, "{:?}", rule);
        }
    }
}
