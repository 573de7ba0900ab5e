//! The schemas of tools: inspected at once, compiled late, free of internal fields.

use assent_json::Json;
use assent_runtime::ToolDefinition;
use serde_json::{Value, json};

use crate::definitions::{contract, definition, lints, problems, tool, with};

const MODEL: &str = "/declaration/input_contract/model_input_schema";
const RUNTIME: &str = "/declaration/input_contract/runtime_input_schema";

fn internal(model: Value, runtime: Option<Value>, fields: &[&str]) -> ToolDefinition {
    with("t", "act", |tool| {
        let contract = contract(tool);
        contract.model_input_schema = Some(model);
        contract.runtime_input_schema = runtime;
        let fields: Vec<_> = fields.iter().map(|field| (*field).to_owned()).collect();
        contract.internal_only_fields = (!fields.is_empty()).then_some(fields);
    })
}

#[test]
fn a_schema_that_could_not_be_used_is_refused_at_registration() {
    let remote = internal(json!({"$ref": "https://example.com/schema"}), None, &[]);
    assert_eq!(problems(remote), [format!("{MODEL}/$ref")]);
    let output = with("t", "act", |tool| {
        tool.interface.output_schema =
            Some(serde_json::from_value(json!({"type": "nonsense"})).unwrap());
    });
    assert_eq!(problems(output), ["/declaration/output_contract/structured_schema/type"]);
}

#[test]
fn two_schemas_for_one_thing_are_refused_if_they_differ() {
    let given = |schema: Value| {
        with("t", "act", |tool| {
            tool.interface.model_input_schema = Some(serde_json::from_value(schema).unwrap());
        })
    };
    assert_eq!(problems(given(json!({"type": "object"}))), [MODEL]);
    assert_eq!(lints(given(crate::definitions::schema())), [""; 0]);
}

/// Item 29: the model's schema is what the model can produce; the runtime's is kept from it.
#[test]
fn the_models_schema_holds_only_what_the_model_can_write() {
    let tool = tool(internal(
        json!({"type": "object", "properties": {"q": {"type": "string"}}, "additionalProperties": false}),
        Some(json!({"type": "object", "properties": {"q": {}, "_user": {"type": "string"}}})),
        &["_user"],
    ));
    assert!(!tool.model_schema().unwrap().contains("_user"));
    let schemas = tool.schemas().unwrap();
    let whole = Json::read(r#"{"q": "x", "_user": "ann"}"#).unwrap();
    assert!(!schemas.model.accepts(whole.root()));
    assert!(schemas.runtime.as_ref().unwrap().accepts(whole.root()));
}

/// Item 30.
#[test]
fn a_model_schema_that_mentions_an_internal_field_is_refused() {
    for (model, place) in [
        (json!({"properties": {"_user": {}}}), "/properties"),
        (json!({"patternProperties": {"^_": {}}}), "/patternProperties"),
        (
            json!({"allOf": [{"$ref": "#/$defs/x"}], "$defs": {"x": {"properties": {"_user": {}}}}}),
            "/$defs/x/properties",
        ),
        (json!({"required": ["_user"]}), "/required"),
    ] {
        let refused = internal(model.clone(), None, &["/_user"]);
        assert_eq!(problems(refused), [format!("{MODEL}{place}")], "{model}");
    }
}

/// Item 30: also if only the runtime schema's mark says that the field is internal.
#[test]
fn a_mark_in_the_runtime_schema_is_enough() {
    let marked = json!({"properties": {"_user": {"visibility": "internal"}}});
    let refused = internal(json!({"properties": {"_user": {}}}), Some(marked.clone()), &[]);
    assert_eq!(problems(refused), [format!("{MODEL}/properties")]);
    let refused = internal(marked, None, &[]);
    assert_eq!(problems(refused), [format!("{MODEL}/properties/_user")]);
}

/// Item 31, E20: list and mark say the same afterwards.
#[test]
fn internal_fields_are_marked_in_the_runtime_schema() {
    let runtime = json!({"properties": {"q": {}, "_a": {"type": "string"}, "_b": {"visibility": "internal"}}});
    let tool = tool(internal(json!({"type": "object"}), Some(runtime), &["_a"]));
    assert_eq!(tool.internal_fields, ["_a", "_b"]);
    let exported = tool.interface().runtime_input_schema.unwrap();
    assert_eq!(exported["properties"]["_a"], json!({"type": "string", "visibility": "internal"}));
    let declaration = tool.declaration();
    let listed = declaration.input_contract.unwrap().typed().unwrap().internal_only_fields.clone();
    assert_eq!(listed, Some(vec!["_a".to_owned(), "_b".to_owned()]));
}

#[test]
fn only_top_level_fields_can_be_internal() {
    let nested = json!({"properties": {"a": {"properties": {"b": {"visibility": "internal"}}}}});
    let refused = internal(json!({"type": "object"}), Some(nested), &["/a/b"]);
    assert_eq!(
        problems(refused),
        [
            "/declaration/input_contract/internal_only_fields/0".to_owned(),
            format!("{RUNTIME}/properties/a/properties/b"),
        ]
    );
}

#[test]
fn an_internal_field_that_nothing_describes_is_remarked_on() {
    assert_eq!(lints(internal(json!({"type": "object"}), None, &["_user"])), [RUNTIME]);
}

#[test]
fn a_repository_may_be_internal_without_being_an_internal_field() {
    let model = json!({"properties": {"visibility": {"enum": ["public", "internal"], "default": "internal"}}});
    assert_eq!(lints(internal(model, None, &[])), [""; 0]);
}

#[test]
fn schemas_are_compiled_once_and_only_when_needed() {
    let tool = tool(definition("t", "read"));
    let first: *const _ = tool.schemas().unwrap();
    assert!(std::ptr::eq(first, tool.schemas().unwrap()));
    let violation = tool.schemas().unwrap().model.check(Json::read("{}").unwrap().root());
    assert!(violation.is_err());
}

#[test]
fn a_sensitive_field_that_no_schema_describes_is_remarked_on() {
    let typo = with("t", "read", |tool| {
        contract(tool).sensitive_fields = Some(vec!["/path".to_owned(), "paht".to_owned()]);
    });
    assert_eq!(lints(typo), ["/declaration/input_contract/sensitive_fields/1"]);
}
