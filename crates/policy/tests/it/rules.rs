//! Which rules speak of a call, and what a verdict says about them.

use assent_json::Digest;
use assent_policy::{Decision, Grants, Mode, Opinion, Policy, replay};
use serde_json::json;

use crate::support::{Call, Engine, policy};

/// Item 28.
#[test]
fn a_tool_is_meant_by_its_id_its_qualified_name_or_its_name() {
    let call = Call { tool_id: "tool_7".to_owned(), ..Call::new(json!({})) };
    for (pattern, expected) in [
        ("tool_7", true),
        ("ns/t", true),
        ("t", true),
        ("*", true),
        ("ns/*", true),
        ("tool_?", true),
        ("n?/t", true),
        ("ns", false),
        ("/t", false),
        ("ns/t/", false),
        ("T", false),
        ("tool", false),
        ("other/*", false),
    ] {
        let policy = policy(json!([{"id": "r", "behavior": "deny", "tool": pattern}]));
        let verdict = call.verdict(&policy);
        let heard = verdict.reasons.iter().filter(|reason| reason.rule.is_some()).count();
        assert_eq!(heard, usize::from(expected), "{pattern}");
    }
}

/// Item 5.
#[test]
fn an_alias_leads_around_no_rule_and_into_none_that_allows() {
    let aliases = vec!["old".parse().unwrap(), "older".parse().unwrap()];
    let call = Call { aliases, ..Call::new(json!({})) };
    let decision = |behavior: &str, pattern: &str| {
        let policy = policy(json!([{"id": "r", "behavior": behavior, "tool": pattern}]));
        let verdict = call.verdict(&policy);
        let heard = verdict.reasons.iter().filter(|reason| reason.rule.is_some()).count();
        assert!(heard <= 1, "{pattern} is heard {heard} times");
        verdict.decision
    };
    for pattern in ["old", "ns/old", "older", "ol*", "ns/old*", "*", "n?/older"] {
        assert_eq!(decision("deny", pattern), Decision::Deny, "{pattern}");
    }
    for pattern in ["olde", "other/old", "/old", "OLD"] {
        assert_eq!(decision("deny", pattern), Decision::Ask, "{pattern}");
    }
    for pattern in ["old", "ns/old", "ol*"] {
        assert_eq!(decision("allow", pattern), Decision::Ask, "{pattern}");
    }
    assert_eq!(decision("allow", "*"), Decision::Allow);
    let reading = call.clone().read_only();
    let asked = policy(json!([{"id": "r", "behavior": "ask", "tool": "older"}]));
    assert_eq!(reading.decision(&asked), Decision::Ask);
}

#[test]
fn a_pattern_can_mean_a_wildcard_literally() {
    let policy = policy(json!([{"id": "r", "behavior": "deny", "tool": "a\\*b\\?"}]));
    let tool = |id: &str| Call { tool_id: id.to_owned(), ..Call::new(json!({})) };
    assert_eq!(tool("a*b?").decision(&policy), Decision::Deny);
    assert_eq!(tool("axb?").decision(&policy), Decision::Ask);
}

/// Item 28.
#[test]
fn actor_operation_and_definition_narrow_a_rule() {
    let named = Call {
        actor: Some("agent-1".to_owned()),
        operation: Some("delete".to_owned()),
        ..Call::new(json!({}))
    };
    let nameless = Call::new(json!({}));
    let decision = |call: &Call, behavior: &str, key: &str, value: &str| {
        call.decision(&policy(json!([{"id": "r", "behavior": behavior, key: value}])))
    };
    assert_eq!(decision(&named, "allow", "actor", "agent-*"), Decision::Allow);
    assert_eq!(decision(&named, "allow", "actor", "other"), Decision::Ask);
    assert_eq!(decision(&named, "deny", "actor", "other"), Decision::Ask);
    // Who hides behind no name may be anyone.
    assert_eq!(decision(&nameless, "allow", "actor", "*"), Decision::Ask);
    assert_eq!(decision(&nameless, "deny", "actor", "other"), Decision::Deny);
    assert_eq!(decision(&named, "deny", "operation", "del*"), Decision::Deny);
    assert_eq!(decision(&nameless, "deny", "operation", "del*"), Decision::Ask);
    let current = Digest::of(b"definition").to_string();
    let old = Digest::of(b"old").to_string();
    assert_eq!(decision(&named, "allow", "definition", &current), Decision::Allow);
    assert_eq!(decision(&named, "allow", "definition", &old), Decision::Ask);
}

/// Item 85.
#[test]
fn the_highest_source_of_equal_rules_is_named() {
    let specs = json!([
        {"id": "a", "behavior": "deny", "source": "session"},
        {"id": "z", "behavior": "deny", "source": "policy_settings"},
        {"id": "b", "behavior": "deny"},
        {"id": "c", "behavior": "allow", "source": "policy_settings"},
    ]);
    let verdict = Call::new(json!({})).verdict(&policy(specs));
    let order: Vec<String> = verdict.explain().collect();
    assert_eq!(
        order,
        [
            "rule `z` denies (policy_settings)",
            "rule `a` denies (session)",
            "rule `b` denies",
            "rule `c` allows (policy_settings)"
        ]
    );
}

#[test]
fn an_explanation_holds_no_value_of_an_argument() {
    let opinion = Opinion {
        decision: Decision::Ask,
        hook: "scanner".parse().unwrap(),
        reason: Some("found planted".to_owned()),
        authoritative: false,
    };
    let mut call = Call::new(json!({"token": "planted", "path": "/planted"}));
    call.opinions.push(opinion);
    let policy = policy(json!([{"id": "r", "behavior": "ask",
        "arguments": [{"path": "/path", "under": "/planted"}]}]));
    let verdict = call.verdict(&policy);
    let text: Vec<String> = verdict.explain().collect();
    assert_eq!(text, ["rule `r` asks", "hook `scanner` asks"]);
    assert_eq!(verdict.reasons[1].message, "found planted");
    call.opinions.clear();
    assert!(!format!("{:?}", call.question()).contains("planted"));
}

#[test]
fn examples_that_hold_are_accepted() {
    let specs = json!([{
        "id": "r", "behavior": "allow", "tool": "files/*", "actor": "a*", "operation": "read",
        "definition": Digest::of(b"").to_string(),
        "arguments": [{"path": "/path", "under": "/work"}],
        "match": [{"input": {"path": "/work/a"}}, {"tool": "files/x", "actor": "ab", "input": {"path": "/work"}}],
        "not_match": [
            {"input": {"path": "/work/../etc"}},
            {"tool": "web/x", "input": {"path": "/work/a"}},
            {"actor": "b", "input": {"path": "/work/a"}},
            {"operation": "write", "input": {"path": "/work/a"}}
        ]
    }]);
    policy(specs);
}

#[test]
fn the_digest_tells_policies_apart_and_not_orders() {
    let a = json!({"id": "a", "behavior": "deny", "arguments": [{"path": "/v", "equals": {"x": 1, "y": 2}}]});
    let same = json!({"id": "a", "behavior": "deny", "arguments": [{"path": "/v", "equals": {"y": 2.0, "x": 1}}]});
    let b = json!({"id": "b", "behavior": "deny"});
    let digest = |specs| policy(specs).digest();
    assert_eq!(digest(json!([a, b])), digest(json!([b, a, b])));
    assert_eq!(digest(json!([a])), digest(json!([same])));
    assert_ne!(digest(json!([a])), digest(json!([b])));
    assert_eq!(digest(json!([])), Policy::default().digest());
    let with = |engine: &str| policy(json!([a])).with_engine(Engine::named(engine)).digest();
    assert_eq!(with(""), digest(json!([a])), "an engine without policies adds nothing");
    assert_ne!(with("x"), digest(json!([a])));
    assert_ne!(with("x"), with("y"));
}

#[test]
fn an_empty_policy_asks_unless_the_call_only_reads() {
    let policy = Policy::default();
    assert_eq!(Call::new(json!({})).decision(&policy), Decision::Ask);
    assert_eq!(Call::new(json!({})).read_only().decision(&policy), Decision::Allow);
    let headless = Call { mode: Mode::Headless, ..Call::new(json!({})) };
    assert_eq!(headless.decision(&policy), Decision::Deny);
}

#[test]
fn a_replay_lists_exactly_the_decisions_that_turn_round() {
    let old = policy(json!([{"id": "old", "behavior": "allow", "tool": "ns/*"}]));
    let new = policy(json!([
        {"id": "old", "behavior": "allow", "tool": "ns/*"},
        {"id": "new", "behavior": "deny", "arguments": [{"path": "/path", "under": "/etc"}]},
    ]));
    let calls: Vec<Call> = ["/etc/passwd", "/work/a", "/etc", "/work/../etc"]
        .map(|path| Call::new(json!({"path": path})))
        .to_vec();
    let grants = Grants::none();
    let flips = replay(&old, &new, calls.iter().map(|call| (call.question(), &grants)));
    let found: Vec<_> = flips.iter().map(|flip| (flip.index, flip.before, flip.after)).collect();
    let turned = |index| (index, Decision::Allow, Decision::Deny);
    assert_eq!(found, [turned(0), turned(2), turned(3)]);
    assert_eq!(flips[0].after_reason.as_ref().unwrap().to_string(), "rule `new` denies");
    assert_eq!(flips[0].before_reason.as_ref().unwrap().to_string(), "rule `old` allows");
    assert!(replay(&old, &old, calls.iter().map(|call| (call.question(), &grants))).is_empty());
}
