//! What is said about an input that is refused.

use assent_schema::InputSchema;
use serde_json::json;

#[test]
fn a_violation_names_the_field_and_the_rule_but_never_the_value() {
    let schema = InputSchema::compile(&json!({
        "type": "object",
        "properties": {
            "secret": {"type": "string", "maxLength": 3},
            "mode": {"enum": ["r", "w"]},
            "count": {"type": "integer", "minimum": 1},
            "when": {"format": "date"},
            "name": {"pattern": "^[a-z]+$"}
        },
        "required": ["count"],
        "additionalProperties": false
    }))
    .unwrap();
    let text = br#"{"secret": "hunter2-hunter2", "mode": "hunter2", "when": "hunter2", "name": "HUNTER2", "extra": 1}"#;
    let document = assent_json::read(text).unwrap();
    let mut lines: Vec<_> =
        schema.violations(document.root()).iter().map(ToString::to_string).collect();
    lines.sort();
    assert_eq!(
        lines,
        [
            "/mode: must be one of [\"r\",\"w\"]",
            "/name: must match the pattern `^[a-z]+$`",
            "/secret: must have at most 3 characters",
            "/when: must be a valid `date`",
            "the input: the field `count` is missing",
            "the input: unknown field `extra`",
        ]
    );
    assert!(!lines.join("").to_lowercase().contains("hunter2"));
}

#[test]
fn the_first_violation_is_enough_for_a_verdict() {
    let schema = InputSchema::compile(&json!({"items": {"type": "string"}})).unwrap();
    let good = assent_json::read(br#"["a"]"#).unwrap();
    assert_eq!(schema.check(good.root()), Ok(()));
    let bad = assent_json::read(br#"["a", 1]"#).unwrap();
    let violation = schema.check(bad.root()).unwrap_err();
    assert_eq!((violation.path.as_ref(), violation.keyword.as_ref()), ("/1", "type"));
}
