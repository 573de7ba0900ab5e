//! Every problem of a load is reported, with the rule and the place.

use assent_policy::{Policy, RuleSpec};
use serde_json::{Value, json};

use crate::support::load;

fn problems(specs: Value) -> Vec<String> {
    load(specs).unwrap_err().iter().map(ToString::to_string).collect()
}

/// The one problem of a rule with this condition.
fn condition(condition: Value) -> String {
    let found = problems(json!([{"id": "r", "behavior": "allow", "arguments": [condition]}]));
    assert_eq!(found.len(), 1, "{found:?}");
    found[0].strip_prefix("/rules/0/arguments/0").unwrap().to_owned()
}

#[test]
fn all_problems_of_all_rules_are_reported_at_once() {
    let found = problems(json!([
        {"id": "", "behavior": "passthrough", "tool": ""},
        {"id": "good", "behavior": "deny"},
        {"id": "bad", "behavior": "allow", "operation": "a\\", "actor": "", "definition": "x",
         "bypass_immune": true,
         "arguments": [{"path": "x"}, {"path": "/a~2", "matches": "(", "under": "~"}]},
        {"id": "good", "behavior": "allow"},
    ]));
    let places: Vec<&str> = found.iter().map(|text| text.split(':').next().unwrap()).collect();
    assert_eq!(
        places,
        [
            "/rules/0/behavior (``)",
            "/rules/0/id (``)",
            "/rules/0/tool (``)",
            "/rules/2/bypass_immune (`bad`)",
            "/rules/2/operation (`bad`)",
            "/rules/2/actor (`bad`)",
            "/rules/2/definition (`bad`)",
            "/rules/2/arguments/0/path (`bad`)",
            "/rules/2/arguments/0 (`bad`)",
            "/rules/2/arguments/1/path (`bad`)",
            "/rules/2/arguments/1/matches (`bad`)",
            "/rules/2/arguments/1/under (`bad`)",
            "/rules/3/id (`good`)",
        ]
    );
}

#[test]
fn each_problem_says_what_to_do() {
    for (spec, expected) in [
        (
            json!({"path": "/a"}),
            " (`r`): a condition needs a test, such as `equals`, `under` or `host`",
        ),
        (
            json!({"path": "/a", "equals": 9007199254740993_i64}),
            "/equals (`r`): the value cannot be compared: ",
        ),
        (
            json!({"path": "/a", "in": [9007199254740993_i64]}),
            "/in (`r`): the value cannot be compared: ",
        ),
        (
            json!({"path": "/a", "above": 9007199254740993_i64}),
            "/above (`r`): the number cannot be compared exactly",
        ),
        (
            json!({"path": "/a", "matches": "(?=a)"}),
            "/matches (`r`): `(?=a)` is not a regular expression",
        ),
        (
            json!({"path": "/a", "matches": "(a{1000}){1000}"}),
            "/matches (`r`): `(a{1000}){1000}` is too large",
        ),
        (json!({"path": "/a", "matches": "a".repeat(4097)}), "/matches (`r`): `aaa"),
        (json!({"path": "/a", "under": "../x"}), "/under (`r`): `../x` is no directory"),
        (json!({"path": "/a", "under": ""}), "/under (`r`): `` is no directory"),
        (json!({"path": "/a", "host": "a b"}), "/host (`r`): `a b` is no pattern for hosts"),
        (json!({"path": "/a", "host": "a.*"}), "/host (`r`): `a.*` would allow hosts of strangers"),
        (json!({"path": "/a", "url": "a.b"}), "/url (`r`): `a.b` is no pattern for URLs"),
        (json!({"path": "/a", "command": "a;b"}), "/command (`r`): `a;b` is no command"),
        (json!({"path": "/a", "digest": "x"}), "/digest (`r`): a digest is written as"),
        (json!({"path": "/a", "shape": "x"}), "/shape (`r`): a digest is written as"),
        (json!({"path": "a", "equals": 1}), "/path (`r`): a path is a JSON Pointer"),
        (json!({"path": "/~", "equals": 1}), "/path (`r`): a path is a JSON Pointer"),
    ] {
        let found = condition(spec.clone());
        assert!(found.starts_with(expected), "{spec}: {found}");
    }
}

#[test]
fn a_rule_that_contradicts_its_examples_is_refused_with_their_numbers() {
    let found = problems(json!([{
        "id": "r", "behavior": "allow", "arguments": [{"path": "/path", "under": "/work"}],
        "match": [{"input": {"path": "/work"}}, {"input": {"path": "/etc"}}, {"input": {}}],
        "not_match": [{"input": {"path": "/etc"}}, {"input": {"path": "/work/a"}}]
    }]));
    assert_eq!(
        found,
        [
            "/rules/0/match/1 (`r`): the rule does not match the example, but should",
            "/rules/0/match/2 (`r`): the rule does not match the example, but should",
            "/rules/0/not_match/1 (`r`): the rule matches the example, but should not",
        ]
    );
    let strange = problems(json!([{"id": "r", "behavior": "deny",
        "match": [{"input": 9007199254740993_i64}]}]));
    assert!(strange[0].starts_with("/rules/0/match/0/input (`r`): the value cannot be compared"));
}

#[test]
fn limits_hold_at_the_limit_and_not_beyond() {
    let conditions = |count: usize| {
        json!([{"id": "r", "behavior": "deny",
            "arguments": vec![json!({"path": "/a", "equals": 1}); count]}])
    };
    assert!(load(conditions(64)).is_ok());
    assert_eq!(problems(conditions(65)), ["/rules/0/arguments (`r`): at most 64 are allowed here"]);
    let examples = |count: usize| json!([{"id": "r", "behavior": "deny", "match": vec![json!({"input": 1}); count]}]);
    assert!(load(examples(256)).is_ok());
    assert_eq!(problems(examples(257)), ["/rules/0/match (`r`): at most 256 are allowed here"]);
    let glob = |count: usize| json!([{"id": "r", "behavior": "deny", "tool": "a".repeat(count)}]);
    assert!(load(glob(1024)).is_ok());
    assert!(load(glob(1025)).is_err());
    let rule: RuleSpec = serde_json::from_value(json!({"id": "r", "behavior": "deny"})).unwrap();
    let count = |count| Policy::load(vec![rule.clone(); count]);
    assert!(count(100_000).is_ok());
    assert!(count(100_001).is_err());
}

#[test]
fn unknown_keys_and_nulls_are_not_read() {
    for wrong in [
        json!({"id": "r", "behavior": "deny", "tools": "x"}),
        json!({"id": "r", "behavior": "deny", "tool": null}),
        json!({"id": "r", "behavior": "never"}),
        json!({"id": "r", "behavior": "deny", "source": "elsewhere"}),
        json!({"id": "r", "behavior": "deny", "arguments": [{"path": "/a", "is": 1}]}),
        json!({"id": "r", "behavior": "deny", "arguments": [{"path": "/a", "under": null}]}),
        json!({"id": "r", "behavior": "deny", "arguments": [{"equals": 1}]}),
        json!({"id": "r", "behavior": "deny", "match": [{"inputs": 1}]}),
        json!({"behavior": "deny"}),
    ] {
        assert!(serde_json::from_value::<RuleSpec>(wrong.clone()).is_err(), "{wrong}");
    }
}

#[test]
fn a_rule_survives_being_written_and_read() {
    let spec = json!({"id": "r", "behavior": "ask", "source": "session", "tool": "a*",
        "arguments": [{"path": "", "equals": null}, {"path": "/a", "in": [1], "command": ["a", "b"]}],
        "bypass_immune": true, "match": [{"input": {}}]});
    let read: RuleSpec = serde_json::from_value(spec.clone()).unwrap();
    assert_eq!(serde_json::to_value(&read).unwrap(), spec);
}
