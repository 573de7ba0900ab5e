//! What our own rules understand, and when they give up.

use serde_json::{Value, json};

use crate::{InputSchema, inspect::MAX_SCHEMAS_PER_VALUE, rules::Rules};

#[test]
fn every_keyword_is_understood_that_authors_use() {
    for schema in [
        json!(true),
        json!(false),
        json!({"type": ["integer", "null"], "enum": [1, "a", null, [1]], "const": {"a": 1}}),
        json!({"minimum": 0, "maximum": 1e300, "exclusiveMinimum": -1, "exclusiveMaximum": u64::MAX}),
        json!({"multipleOf": 0.25, "allOf": [{"multipleOf": 3}, {"multipleOf": u64::MAX}]}),
        json!({"minLength": 1, "maxLength": 2, "pattern": "^a+$", "format": "uri"}),
        json!({"minItems": 1, "maxItems": 2, "uniqueItems": true, "prefixItems": [{}], "items": {}}),
        json!({"contains": {}, "minContains": 0, "maxContains": 3, "unevaluatedItems": false}),
        json!({"properties": {"a": {}}, "patternProperties": {"b": {}}, "additionalProperties": {}}),
        json!({"minProperties": 1, "maxProperties": 2, "required": ["a"], "propertyNames": {}}),
        json!({"dependentRequired": {"a": ["b"]}, "dependentSchemas": {"a": {}}}),
        json!({"anyOf": [{}], "oneOf": [{}], "not": {}, "if": {}, "then": {}, "else": {}}),
        json!({"unevaluatedProperties": {"type": "string"}}),
        json!({"$ref": "#/$defs/a", "$defs": {"a": {"$anchor": "b"}, "c": {"$ref": "#b"}}}),
        json!({"items": {"$dynamicRef": "#a"}, "$dynamicAnchor": "a"}),
        json!({"title": "a", "description": "b", "default": 1, "x-note": {"type": 7}}),
    ] {
        assert!(Rules::of(&schema).is_some(), "{schema}");
    }
}

#[test]
fn a_schema_that_readers_may_disagree_about_is_left_to_the_validator() {
    for schema in [
        json!({"dependencies": {"a": ["b"]}}),
        json!({"properties": {"a": {"dependencies": {}}}}),
        json!({"$ref": "#a", "$defs": {"b": {"$anchor": "a"}, "c": {"$anchor": "a"}}}),
        json!({"$ref": "#/$defs/nowhere"}),
        json!({"minLength": 1.5}),
    ] {
        assert!(Rules::of(&schema).is_none(), "{schema}");
    }
}

fn nested(depth: usize, inner: &str) -> String {
    format!("{}{inner}{}", "[".repeat(depth), "]".repeat(depth))
}

/// What the rules say by themselves, and what users hear.
fn verdicts(schema: &Value, text: &str) -> (Option<bool>, bool) {
    let compiled = InputSchema::compile(schema).unwrap();
    let document = assent_json::read(text.as_bytes()).unwrap();
    let ours = compiled.rules().unwrap().accepts(document.root());
    assert_eq!(compiled.check(document.root()).is_ok(), compiled.accepts(document.root()));
    (ours, compiled.accepts(document.root()))
}

#[test]
fn a_walk_that_doubles_with_every_level_is_given_up_and_still_decided() {
    let items = json!({"items": {"$ref": "#"}});
    let schema = json!({"type": "array", "allOf": [items, items]});
    assert_eq!(verdicts(&schema, &nested(5, "")), (Some(true), true));
    assert_eq!(verdicts(&schema, &nested(5, "1")), (Some(false), false));
    assert_eq!(verdicts(&schema, &nested(100, "")), (None, true));
}

/// Five schemas for each item, and one more for the array in it.
fn six_for_each_level() -> Value {
    let reference = json!({"$ref": "#/$defs/level"});
    let items = (0..4).fold(reference, |inner, _| json!({"allOf": [inner]}));
    json!({"level": {"type": "array", "items": items}})
}

#[test]
fn five_hundred_and_twelve_schemas_are_open_at_most() {
    let definitions = six_for_each_level();
    let at_limit = json!({"$ref": "#/$defs/level", "$defs": definitions});
    let beyond = json!({"allOf": [{"$ref": "#/$defs/level"}], "$defs": definitions});
    // The root, the outermost array, and 85 arrays inside it.
    let text = nested(86, "");
    assert_eq!(verdicts(&at_limit, &text), (Some(true), true));
    assert_eq!(verdicts(&beyond, &text), (None, true));
}

#[test]
fn a_value_may_be_looked_at_by_as_many_schemas_as_the_inspection_allows() {
    let count = usize::try_from(MAX_SCHEMAS_PER_VALUE).unwrap();
    let schema = json!({"allOf": vec![json!(true); count - 1]});
    assert_eq!(verdicts(&schema, "1"), (Some(true), true));
}

/// A long text that is matched again and again costs more than the number of schemas says.
#[test]
fn long_texts_count_for_more_than_one_step() {
    let next = |n: usize| json!({"items": {"$ref": format!("#/$defs/d{n}")}});
    let mut definitions: serde_json::Map<String, Value> =
        (0..20).map(|n| (format!("d{n}"), json!({"allOf": [next(n + 1), next(n + 1)]}))).collect();
    definitions.insert("d20".into(), json!({"pattern": "^(a|b)*$"}));
    let schema = json!({"$ref": "#/$defs/d0", "$defs": definitions});
    let text = nested(20, &format!("\"{}\"", "ab".repeat(50_000)));
    let document = assent_json::read(text.as_bytes()).unwrap();
    assert_eq!(Rules::of(&schema).unwrap().accepts(document.root()), None);
}
