//! Edits that authors make, and what they mean.

use assent_schema::{Comparison, Verdict, compare};
use serde_json::{Value, json};

fn comparison(old: &Value, new: &Value) -> Comparison {
    let comparison = compare(old, new).unwrap();
    // Turning the question around must give the mirrored answer.
    let mirrored = compare(new, old).unwrap();
    assert_eq!(comparison.lost.witness().is_some(), mirrored.gained.witness().is_some());
    comparison
}

fn check(old: &Value, new: &Value, expected: Verdict) {
    let comparison = comparison(old, new);
    assert_eq!(comparison.verdict(), expected, "{old} → {new}: {comparison:?}");
}

/// An object with one field that has the given schema.
fn field(schema: Value) -> Value {
    json!({"type": "object", "properties": {"f": schema}, "required": ["f"], "additionalProperties": false})
}

#[test]
fn the_rows_of_the_manifest_specification_are_decided() {
    let old = json!({
        "type": "object",
        "properties": {"path": {"type": "string"}, "mode": {"enum": ["r", "w"]}},
        "required": ["path"]
    });
    let edited = |pointer: &str, value: Value| {
        let mut new = old.clone();
        *new.pointer_mut(pointer).unwrap() = value;
        new
    };
    check(&old, &edited("/required", json!(["path", "mode"])), Verdict::Narrower);
    check(&old, &edited("/properties/path", json!({"type": "integer"})), Verdict::Incomparable);
    check(&old, &edited("/properties/mode/enum", json!(["r"])), Verdict::Narrower);
    check(&old, &edited("/properties/mode/enum", json!(["r", "w", "x"])), Verdict::Wider);
    let mut closed = old.clone();
    closed["additionalProperties"] = json!(false);
    check(&old, &closed, Verdict::Narrower);
    check(&closed, &old, Verdict::Wider);
}

#[test]
fn a_witness_is_a_whole_input_and_easy_to_read() {
    let old =
        json!({"type": "object", "properties": {"path": {"type": "string"}}, "required": ["path"]});
    let new = json!({"type": "object", "properties": {"path": {"type": "string", "maxLength": 3}}, "required": ["path"]});
    assert_eq!(comparison(&old, &new).lost.witness(), Some(&json!({"path": "aaaa"})));
}

#[test]
fn numbers_are_compared_exactly() {
    let number = |constraints: Value| {
        let mut schema = json!({"type": "number"});
        schema.as_object_mut().unwrap().extend(constraints.as_object().unwrap().clone());
        field(schema)
    };
    check(
        &number(json!({"minimum": 0})),
        &number(json!({"exclusiveMinimum": 0})),
        Verdict::Narrower,
    );
    check(&number(json!({"multipleOf": 2})), &number(json!({"multipleOf": 4})), Verdict::Narrower);
    check(
        &number(json!({"multipleOf": 2})),
        &number(json!({"multipleOf": 3})),
        Verdict::Incomparable,
    );
    check(
        &number(json!({"multipleOf": 0.1})),
        &number(json!({"multipleOf": 0.05})),
        Verdict::Wider,
    );
    check(
        &field(json!({"type": "integer", "minimum": 1, "maximum": 3})),
        &field(json!({"enum": [1, 2, 3]})),
        Verdict::Equal,
    );
    check(
        &field(json!({"type": "integer", "exclusiveMinimum": 0})),
        &field(json!({"type": "integer", "minimum": 1})),
        Verdict::Equal,
    );
    check(&field(json!({"type": "integer"})), &number(json!({})), Verdict::Wider);
    check(&field(json!({"type": "integer"})), &number(json!({"multipleOf": 1})), Verdict::Equal);
}

#[test]
fn patterns_are_compared_as_languages() {
    let pattern = |text: &str| field(json!({"type": "string", "pattern": text}));
    check(&pattern("^[a-z]+$"), &pattern("^[a-z]{1,}$"), Verdict::Equal);
    check(&pattern("^[a-z]+$"), &pattern("^[a-z0-9]+$"), Verdict::Wider);
    check(&pattern("^(a|b)$"), &field(json!({"enum": ["a", "b"]})), Verdict::Equal);
    check(&pattern("^\\S+$"), &field(json!({"type": "string", "minLength": 1})), Verdict::Wider);
    check(&pattern("^.{1,64}$"), &pattern("^.{1,32}$"), Verdict::Narrower);
    check(
        &field(json!({"type": "string", "minLength": 3, "maxLength": 3, "pattern": "^[0-9]*$"})),
        &pattern("^[0-9]{3}$"),
        Verdict::Equal,
    );
}

#[test]
fn formats_are_compared_with_what_is_known_of_them() {
    let format = |name: &str| field(json!({"type": "string", "format": name}));
    check(&format("uri"), &field(json!({"type": "string"})), Verdict::Wider);
    check(&format("uri"), &format("uri"), Verdict::Equal);
    check(&format("uri"), &format("uri-reference"), Verdict::Wider);
    check(&format("uri"), &format("date"), Verdict::Incomparable);
    check(&format("not-a-format"), &field(json!({"type": "string"})), Verdict::Equal);
}

#[test]
fn a_schema_rewritten_with_other_words_stays_equal() {
    check(
        &field(json!({"type": ["string", "null"]})),
        &field(json!({"anyOf": [{"type": "null"}, {"type": "string"}]})),
        Verdict::Equal,
    );
    check(
        &field(json!({"type": "string"})),
        &json!({
            "type": "object", "properties": {"f": {"$ref": "#/$defs/name"}}, "required": ["f"],
            "additionalProperties": false, "$defs": {"name": {"type": "string", "title": "a name"}}
        }),
        Verdict::Equal,
    );
    check(
        &json!({"type": "object", "properties": {"a": true}, "unevaluatedProperties": false}),
        &json!({"type": "object", "properties": {"a": true}, "additionalProperties": false}),
        Verdict::Equal,
    );
    check(
        &json!({"if": {"type": "string"}, "then": {"minLength": 1}}),
        &json!({"anyOf": [{"not": {"type": "string"}}, {"minLength": 1}]}),
        Verdict::Equal,
    );
    check(
        &json!({"dependentRequired": {"a": ["b"]}}),
        &json!({"dependentSchemas": {"a": {"required": ["b"]}}}),
        Verdict::Equal,
    );
}

#[test]
fn what_is_left_over_is_what_the_validator_leaves_over() {
    // An array has no members, so a schema that depends on one looks at no item.
    check(
        &json!({}),
        &json!({"dependentSchemas": {"a": {"items": true}}, "unevaluatedItems": {"minItems": 1}}),
        Verdict::Narrower,
    );
    check(
        &json!({"dependentSchemas": {"a": {"properties": {"b": true}}}, "unevaluatedProperties": false}),
        &json!({"dependentSchemas": {"a": {"properties": {"b": true, "c": true}}}, "unevaluatedProperties": false}),
        Verdict::Equal,
    );
    check(
        &json!({"type": "object", "properties": {"a": true, "b": true}, "unevaluatedProperties": false}),
        &json!({"type": "object", "properties": {"a": true}, "dependencies": {"a": {"properties": {"b": true}}}, "unevaluatedProperties": false}),
        Verdict::Narrower,
    );
}

#[test]
fn alternatives_are_compared_by_what_they_accept_together() {
    let kind = |name: &str, field: &str| json!({"properties": {"kind": {"const": name}, field: {"type": "string"}}, "required": ["kind", field]});
    let union = |parts: Vec<Value>| json!({"type": "object", "oneOf": parts});
    let two = union(vec![kind("file", "path"), kind("url", "href")]);
    check(&two, &union(vec![kind("url", "href"), kind("file", "path")]), Verdict::Equal);
    check(&two, &union(vec![kind("file", "path")]), Verdict::Narrower);
    check(
        &two,
        &union(vec![kind("file", "path"), kind("url", "href"), kind("id", "id")]),
        Verdict::Wider,
    );
}

#[test]
fn arrays_are_compared_by_length_places_and_repetition() {
    let array = |constraints: Value| {
        let mut schema = json!({"type": "array"});
        schema.as_object_mut().unwrap().extend(constraints.as_object().unwrap().clone());
        field(schema)
    };
    check(&array(json!({})), &array(json!({"uniqueItems": true})), Verdict::Narrower);
    check(
        &array(json!({"maxItems": 1})),
        &array(json!({"maxItems": 1, "uniqueItems": true})),
        Verdict::Equal,
    );
    check(
        &array(json!({"items": {"type": "string"}})),
        &array(json!({"items": {"type": ["string", "null"]}})),
        Verdict::Wider,
    );
    check(
        &array(json!({"contains": {"const": 1}})),
        &array(json!({"contains": {"type": "integer"}})),
        Verdict::Wider,
    );
    check(
        &array(json!({"contains": {"const": 1}})),
        &array(json!({"minItems": 1})),
        Verdict::Wider,
    );
    check(
        &array(json!({"prefixItems": [{"type": "string"}], "items": false})),
        &array(json!({"items": {"type": "string"}, "maxItems": 1})),
        Verdict::Equal,
    );
    check(&array(json!({"maxItems": 5})), &array(json!({"maxItems": 4})), Verdict::Narrower);
}

#[test]
fn recursive_schemas_are_compared_to_the_end() {
    let tree = |leaf: Value| {
        json!({
            "type": "object",
            "properties": {"root": {"$ref": "#/$defs/node"}},
            "required": ["root"],
            "$defs": {"node": {
                "type": "object",
                "properties": {"value": leaf, "children": {"type": "array", "items": {"$ref": "#/$defs/node"}}},
                "required": ["value"],
                "additionalProperties": false
            }}
        })
    };
    check(
        &tree(json!({"type": "integer"})),
        &tree(json!({"type": "integer", "title": "n"})),
        Verdict::Equal,
    );
    check(&tree(json!({"type": "integer"})), &tree(json!({"type": "number"})), Verdict::Wider);
    check(
        &tree(json!({"type": "integer"})),
        &tree(json!({"type": "integer", "maximum": 3})),
        Verdict::Narrower,
    );
}

#[test]
fn a_hundred_options_are_compared_as_easily_as_two() {
    let options: Vec<_> = (0..150).map(|n| format!("option-{n}")).collect();
    let old = field(json!({"enum": options}));
    check(&old, &field(json!({"enum": &options[..149]})), Verdict::Narrower);
    let reversed: Vec<_> = options.iter().rev().collect();
    check(&old, &field(json!({"enum": reversed})), Verdict::Equal);
}

#[test]
fn the_number_of_members_is_compared_with_and_without_names() {
    let object = |members: Value| {
        let mut schema = json!({"type": "object"});
        schema.as_object_mut().unwrap().extend(members.as_object().unwrap().clone());
        schema
    };
    for (old, new) in [
        (json!({"minProperties": 2}), json!({"minProperties": 1})),
        (json!({"maxProperties": 3}), json!({"maxProperties": 4})),
        (
            json!({"minProperties": 2, "maxProperties": 3}),
            json!({"minProperties": 1, "maxProperties": 4}),
        ),
        (
            json!({"minProperties": 2, "propertyNames": {"maxLength": 3}}),
            json!({"minProperties": 1, "propertyNames": {"maxLength": 4}}),
        ),
    ] {
        check(&object(old.clone()), &object(new.clone()), Verdict::Wider);
        check(&object(new), &object(old), Verdict::Narrower);
    }
    check(
        &object(json!({"minProperties": 2})),
        &object(json!({"minProperties": 1, "maxProperties": 4})),
        Verdict::Incomparable,
    );
}
