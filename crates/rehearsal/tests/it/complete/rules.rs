//! Its rules.

use assent_policy::{ArgumentSpec, CommandSpec, Example, RuleSpec};
use assent_protocol::agent_tool::{Behavior, RuleSource};
use serde_json::{Number, Value, json};

use super::read_yaml;

#[test]
fn rules_are_read_as_they_were_written() {
    let argument = |path: &str| ArgumentSpec { path: path.to_owned(), ..ArgumentSpec::default() };
    let text = |text: &str| Some(text.to_owned());
    let first = RuleSpec {
        source: Some(RuleSource::ProjectSettings),
        tool: text("mail*"),
        arguments: vec![
            ArgumentSpec { equals: Some(json!({"to": "me"})), ..argument("") },
            ArgumentSpec { matches: text("^a"), ..argument("/to") },
            ArgumentSpec { under: text("/home/me"), ..argument("/file") },
            ArgumentSpec { host: text("*.example.org"), ..argument("/url") },
            ArgumentSpec {
                one_of: Some(vec![json!(1), json!("two"), json!(null)]),
                ..argument("/kind")
            },
            ArgumentSpec {
                one_of: Some(vec![json!(-1), json!(0)]),
                above: Some(Number::from_f64(-1.5).unwrap()),
                ..argument("/amount")
            },
        ],
        ..RuleSpec::new("r1", Behavior::Allow)
    };
    let commands = vec!["git log".to_owned(), "git diff".to_owned()];
    let third = RuleSpec {
        definition: Some("00".repeat(32)),
        operation: text("read"),
        actor: text("me"),
        bypass_immune: true,
        arguments: vec![
            ArgumentSpec { url: text("https://example.org/*"), ..argument("/url") },
            ArgumentSpec {
                command: Some(CommandSpec::One("git status".to_owned())),
                ..argument("/command")
            },
            ArgumentSpec { command: Some(CommandSpec::Any(commands)), ..argument("/command") },
            ArgumentSpec { below: Some(Number::from(7)), absent: Some(false), ..argument("/n") },
            ArgumentSpec {
                digest: Some("01".repeat(32)),
                shape: Some("02".repeat(32)),
                ..argument("/n")
            },
        ],
        ..RuleSpec::new("r3", Behavior::Ask)
    };
    let fourth = RuleSpec {
        operation: text("read"),
        matching: vec![Example {
            tool: text("mail/send_mail"),
            operation: text("read"),
            actor: text("me"),
            input: json!({"n": 1}),
        }],
        not_matching: vec![Example {
            tool: None,
            operation: text("write"),
            actor: None,
            input: Value::Null,
        }],
        ..RuleSpec::new("r4", Behavior::Deny)
    };
    let second = RuleSpec::new("r2", Behavior::Ask);
    assert_eq!(read_yaml().rules, [first, second, third, fourth]);
}
