//! Values that are never shown.

use assent_json::Json;
use assent_runtime::catalog::{RedactionKey, SensitiveFields};
use proptest::prelude::*;
use serde_json::{Value, json};

fn key() -> RedactionKey {
    RedactionKey::new([7; 32])
}

fn redact(fields: &[&str], input: Value) -> Value {
    let fields = SensitiveFields::new(fields.iter().copied());
    fields.redact(&Json::from_value(&input).unwrap(), &key()).to_value()
}

fn values(fields: &[&str], input: Value) -> Vec<String> {
    SensitiveFields::new(fields.iter().copied()).values(&Json::from_value(&input).unwrap())
}

/// Item 61: a pointer or a bare name, and what is there is replaced by a digest.
#[test]
fn values_are_replaced_by_keyed_digests() {
    let shown = redact(
        &["pin", "/login/password"],
        json!({"pin": 1234, "login": {"password": "x", "user": "ann"}}),
    );
    let pin = shown["pin"].as_str().unwrap();
    assert_eq!(pin, format!("redacted:sha256:{}", key().digest(b"1234")));
    assert!(shown["login"]["password"].as_str().unwrap().starts_with("redacted:sha256:"));
    assert_eq!(shown["login"]["user"], json!("ann"));
}

#[test]
fn equal_values_are_recognised_only_by_the_holder_of_the_key() {
    let fields = SensitiveFields::new(["a", "b"]);
    let input = Json::read(r#"{"a": 1.0, "b": 1}"#).unwrap();
    let shown = fields.redact(&input, &key()).to_value();
    assert_eq!(shown["a"], shown["b"]);
    let other = fields.redact(&input, &RedactionKey::new([8; 32])).to_value();
    assert_ne!(shown["a"], other["a"]);
}

#[test]
fn a_field_inside_a_list_is_found_in_every_element() {
    let input = json!({"users": [{"token": "a"}, {"token": "b"}], "map": {"x": {"token": "c"}}});
    for pointer in ["/users/token", "/users/*/token"] {
        assert_eq!(values(&[pointer], input.clone()), ["a", "b"], "{pointer}");
        assert!(!redact(&[pointer], input.clone()).to_string().contains("\"a\""));
    }
    assert_eq!(values(&["/users/1/token", "/map/*/token"], input), ["b", "c"]);
}

#[test]
fn whole_objects_can_be_sensitive_and_their_leaves_are_known() {
    let input =
        json!({"card": {"number": "4111", "cvc": 123, "ok": true, "none": null, "empty": ""}});
    assert_eq!(values(&["card"], input.clone()), ["123", "4111"]);
    assert!(redact(&["card"], input)["card"].is_string());
}

#[test]
fn an_input_without_sensitive_values_stays_the_same_value_in_memory() {
    let input = Json::read(r#"{"a": 1}"#).unwrap();
    assert!(SensitiveFields::new(["b", "/a/c"]).redact(&input, &key()).is_same(&input));
    assert!(SensitiveFields::default().redact(&input, &key()).is_same(&input));
}

#[test]
fn the_empty_field_is_the_whole_input() {
    assert!(redact(&[""], json!({"a": 1})).is_string());
}

#[test]
fn fields_are_json_pointers() {
    let fields = SensitiveFields::new(["a/b", "/x/*"]);
    let pointers: Vec<_> = fields.pointers().map(|pointer| pointer.to_string()).collect();
    assert_eq!(pointers, ["/a~1b", "/x/*"]);
}

fn tree() -> impl Strategy<Value = Value> {
    let leaf = prop_oneof![
        Just(Value::Null),
        any::<bool>().prop_map(Value::from),
        (-1000_i32..1000).prop_map(Value::from),
        "[a-z]{0,4}".prop_map(Value::from),
    ];
    leaf.prop_recursive(3, 24, 4, |inner| {
        prop_oneof![
            prop::collection::vec(inner.clone(), 0..4).prop_map(Value::from),
            prop::collection::btree_map("[abc]", inner, 0..4)
                .prop_map(|map| Value::Object(map.into_iter().collect())),
        ]
    })
}

proptest! {
    /// What is redacted is gone: looking for the same fields again finds only stand-ins.
    #[test]
    fn nothing_sensitive_is_left_after_redaction(
        input in tree(),
        fields in prop::collection::vec("(/[abc*0-2]){1,3}|[abc]", 0..4),
    ) {
        let fields = SensitiveFields::new(fields.iter().map(String::as_str));
        let input = Json::from_value(&input).unwrap();
        let shown = fields.redact(&input, &key());
        for left in fields.values(&shown) {
            prop_assert!(left.starts_with("redacted:sha256:"), "{left}");
        }
    }
}
