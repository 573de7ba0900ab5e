//! Its rules.

use assent_ids::RuleId;
use assent_json::Pointer;
use assent_protocol::agent_tool::RuleSource;
use assent_rehearsal::{Condition, Rule, RuleExample, Test, Verdict};
use serde_json::{Number, Value, json};

use super::{path, read_yaml};

#[test]
fn rules_are_read_and_kept_as_they_were_written() {
    let rules = read_yaml().rules;
    let Test::Matches(pattern) = rules[0].arguments[1].tests[0].clone() else { panic!() };
    assert_eq!(pattern.as_str(), "^a");
    let condition = |path: Pointer, test| Condition { path, tests: vec![test] };
    let rule = |id: &str, verdict, written| Rule {
        id: id.parse::<RuleId>().unwrap(),
        verdict,
        source: None,
        tool: None,
        definition: None,
        operation: None,
        actor: None,
        arguments: vec![],
        bypass_immune: false,
        matching: vec![],
        not_matching: vec![],
        written,
    };
    let first = Rule {
        source: Some(RuleSource::ProjectSettings),
        tool: Some("mail*".to_owned()),
        arguments: vec![
            condition(Pointer::root(), Test::Equals(json!({"to": "me"}))),
            condition(path(&["to"]), Test::Matches(pattern)),
            condition(path(&["file"]), Test::Under("/home/me".to_owned())),
            condition(path(&["url"]), Test::Host("*.example.org".to_owned())),
            condition(path(&["kind"]), Test::In(vec![json!(1), json!("two"), json!(null)])),
            Condition {
                path: path(&["amount"]),
                tests: vec![
                    Test::In(vec![json!(-1), json!(0)]),
                    Test::Above(Number::from_f64(-1.5).unwrap()),
                ],
            },
        ],
        ..rule(
            "r1",
            Verdict::Allow,
            json!({
                "id": "r1",
                "behavior": "allow",
                "source": "project_settings",
                "tool": "mail*",
                "arguments": [
                    {"path": "", "equals": {"to": "me"}},
                    {"path": "/to", "matches": "^a"},
                    {"path": "/file", "under": "/home/me"},
                    {"path": "/url", "host": "*.example.org"},
                    {"path": "/kind", "in": [1, "two", null]},
                    {"path": "/amount", "above": -1.5, "in": [-1, 0]},
                ],
            }),
        )
    };
    assert_eq!(
        rules[..2],
        [first, rule("r2", Verdict::Ask, json!({"id": "r2", "behavior": "ask"}))]
    );
    let text = |text: &str| Some(text.to_owned());
    let third = Rule {
        definition: Some("00".repeat(32)),
        operation: text("read"),
        actor: text("me"),
        bypass_immune: true,
        arguments: vec![
            condition(path(&["url"]), Test::Url("https://example.org/*".to_owned())),
            condition(path(&["command"]), Test::Command(vec!["git status".to_owned()])),
            condition(
                path(&["command"]),
                Test::Command(vec!["git log".to_owned(), "git diff".to_owned()]),
            ),
            Condition {
                path: path(&["n"]),
                tests: vec![Test::Below(Number::from(7)), Test::Absent(false)],
            },
            Condition {
                path: path(&["n"]),
                tests: vec![Test::Digest("01".repeat(32)), Test::Shape("02".repeat(32))],
            },
        ],
        ..rule("r3", Verdict::Ask, rules[2].written.clone())
    };
    assert_eq!(rules[2], third);
    let kept = json!({"path": "/command", "command": ["git log", "git diff"]});
    assert_eq!(rules[2].written["arguments"][2], kept);
    let fourth = Rule {
        operation: text("read"),
        matching: vec![RuleExample {
            tool: text("mail/send_mail"),
            operation: text("read"),
            actor: text("me"),
            input: json!({"n": 1}),
        }],
        not_matching: vec![RuleExample {
            tool: None,
            operation: text("write"),
            actor: None,
            input: Value::Null,
        }],
        ..rule("r4", Verdict::Deny, rules[3].written.clone())
    };
    assert_eq!(rules[3], fourth);
}
