//! The validator's own check of a representation.

use jsonschema::json::conformance;

use crate::representation::{Instance, OnTape};

#[test]
fn the_tape_behaves_as_the_validator_expects() {
    let text = conformance::document().to_string();
    let document = assent_json::read(text.as_bytes()).unwrap();
    conformance::assert_conformance::<OnTape>(&Instance::Value(document.root()));
}

#[test]
fn an_error_holds_no_copy_of_the_value_it_is_about() {
    let validator = crate::input_schema::options::<OnTape>()
        .build(&serde_json::json!({"properties": {"a": {"items": {"type": "string"}}}}))
        .unwrap();
    let document = assent_json::read(br#"{"x": [], "a": ["b", {"c": 1}]}"#).unwrap();
    let error = validator.validate(Instance::Value(document.root())).unwrap_err();
    assert_eq!(error.instance().as_ref(), &serde_json::Value::Null);
    assert_eq!(error.instance_path().as_str(), "/a/1");
}
