//! Schemas whose authors mean harm: refused, or harmless.

use assent_schema::{InputSchema, SchemaProblemKind as Kind, compare};
use serde_json::{Map, Value, json};

fn bombs() -> Value {
    let path = std::path::Path::new(env!("CARGO_MANIFEST_DIR"))
        .join("tests/data/adversarial/schema-bombs.json");
    serde_json::from_slice(&std::fs::read(path).unwrap()).unwrap()
}

fn kinds(schema: &Value) -> Vec<Kind> {
    InputSchema::compile(schema).err().into_iter().flatten().map(|problem| problem.kind).collect()
}

/// The schema that a generator of the test data describes.
fn generated(id: &str) -> Value {
    match id {
        "ref-billion-laughs" => {
            let definitions: Map<_, _> = (0..30)
                .map(|n| {
                    let next = json!({"$ref": format!("#/$defs/a{}", n + 1)});
                    (format!("a{n}"), json!({"allOf": [next, next]}))
                })
                .chain([("a30".to_owned(), json!({}))])
                .collect();
            json!({"$defs": definitions, "$ref": "#/$defs/a0"})
        }
        "anyOf-1e5" => json!({"anyOf": vec![json!({"type": "null"}); 100_000]}),
        "nested-properties-1e4" => {
            (0..1_000).fold(json!({}), |inner, _| json!({"properties": {"a": inner}}))
        }
        "uniqueItems-1e6" => json!({"uniqueItems": true}),
        "enum-1e6" => json!({"enum": (0..1_000_000).collect::<Vec<_>>()}),
        unknown => panic!("no generator for {unknown}"),
    }
}

#[test]
fn every_schema_bomb_is_refused_or_harmless() {
    let bombs = bombs();
    let bombs = bombs["schemas"].as_array().unwrap();
    assert_eq!(bombs.len(), 14);
    for bomb in bombs {
        let id = bomb["id"].as_str().unwrap();
        let schema = match bomb.get("schema") {
            Some(schema) => schema.clone(),
            None => generated(id),
        };
        let expected = match id {
            "remote-ref-http" | "remote-ref-file" => Some(Kind::RemoteRef),
            "remote-schema-kw" => Some(Kind::Invalid),
            "uniqueItems-1e6" | "multipleOf-tiny" | "minLength-huge" | "unknown-keyword-sneak" => {
                None
            }
            _ => Some(Kind::TooComplex),
        };
        assert_eq!(kinds(&schema).first().copied(), expected, "{id}");
        if expected.is_none() {
            compare(&schema, &json!({"type": "string"})).unwrap();
        }
    }
}

#[test]
fn a_million_items_are_checked_for_repetition_without_harm() {
    let schema = InputSchema::compile(&json!({"uniqueItems": true})).unwrap();
    let items: Vec<_> = (0..300_000).map(|n| format!("{{\"n\":{n}}}")).collect();
    let text = format!("[{}]", items.join(","));
    assert!(schema.accepts(assent_json::read(text.as_bytes()).unwrap().root()));
}

#[test]
fn every_evil_pattern_is_refused_or_matched_in_linear_time() {
    let bombs = bombs();
    let mut refused = Vec::new();
    for pattern in bombs["evil_patterns"].as_array().unwrap() {
        let schema = json!({"pattern": pattern});
        let Ok(schema) = InputSchema::compile(&schema) else {
            assert_eq!(kinds(&schema), [Kind::UnsafePattern]);
            refused.push(pattern.as_str().unwrap());
            continue;
        };
        for probe in bombs["probe"].as_array().unwrap() {
            let text = probe.to_string();
            let _ = schema.accepts(assent_json::read(text.as_bytes()).unwrap().root());
        }
    }
    assert_eq!(
        refused,
        [
            r"(?=(a+))a*b\1",
            r"^(?:(?=.*a)(?=.*b).*)*$",
            r"^(?:a{1,1000}){1,1000}$",
            r"\p{L}{1000}{1000}",
            r"(?:(?:(?:(?:a{100}){100}){100}){100})",
            r"((a{0,50}){0,50}){0,50}",
            r"(?<!a+)b",
        ]
    );
}

#[test]
fn references_that_leave_the_schema_are_refused_wherever_they_stand() {
    for schema in [
        json!({"$ref": "other.json"}),
        json!({"properties": {"a": {"items": {"$ref": "https://example.com/x"}}}}),
        json!({"$dynamicRef": "file:///etc/passwd"}),
        json!({"$defs": {"a": {"$id": "https://example.com/a", "type": "string"}}}),
    ] {
        assert_eq!(kinds(&schema), [Kind::RemoteRef], "{schema}");
    }
    assert_eq!(kinds(&json!({"$ref": "#/$defs/missing"})), [Kind::Invalid]);
}

#[test]
fn all_problems_are_reported_with_their_places() {
    let schema = json!({
        "properties": {"a": {"pattern": "(?=x)"}, "b": {"$ref": "http://x/"}},
        "patternProperties": {"(a)\\1": true}
    });
    let problems = InputSchema::compile(&schema).unwrap_err();
    let places: Vec<_> = problems.iter().map(|problem| problem.pointer.to_string()).collect();
    assert_eq!(
        places,
        ["/patternProperties/(a)\\1", "/properties/a/pattern", "/properties/b/$ref"]
    );
}

#[test]
fn a_schema_against_the_meta_schema_is_refused_at_the_right_place() {
    let problems =
        InputSchema::compile(&json!({"properties": {"a": {"type": "text", "minLength": -1}}}))
            .unwrap_err();
    let mut places: Vec<_> = problems.iter().map(|problem| problem.pointer.to_string()).collect();
    places.sort();
    places.dedup();
    assert_eq!(places, ["/properties/a/minLength", "/properties/a/type"]);
}

/// Each level asks twice for the next one, so a careless validator needs 2^depth steps.
#[test]
fn doubled_recursion_does_not_explode_with_the_depth_of_the_input() {
    let schema = InputSchema::compile(&json!({
        "allOf": [{"items": {"$ref": "#"}}, {"items": {"$ref": "#"}}],
        "type": "array"
    }))
    .unwrap();
    let nested = |inner: &str| format!("{}{inner}{}", "[".repeat(100), "]".repeat(100));
    let good = nested("");
    assert!(schema.accepts(assent_json::read(good.as_bytes()).unwrap().root()));
    let bad = nested("1");
    assert!(schema.check(assent_json::read(bad.as_bytes()).unwrap().root()).is_err());
}

/// Only schemas are inspected, so a reference may lead only to a schema.
#[test]
fn a_reference_to_something_that_is_not_a_schema_is_refused() {
    for schema in [
        json!({"$ref": "#/x-notes/a", "x-notes": {"a": {"$ref": "#/x-notes/a"}}}),
        json!({"properties": {"a": {"$ref": "#/properties/b/default"}, "b": {"default": {"type": "string"}}}}),
        json!({"$ref": "#/required", "required": ["a"]}),
    ] {
        assert_eq!(kinds(&schema), [Kind::Invalid], "{schema}");
    }
    let circle = json!({
        "properties": {"a": {"$ref": "#/definitions/x"}},
        "definitions": {"x": {"properties": {"y": {"$ref": "#/definitions/x/properties/y"}}}}
    });
    assert_eq!(kinds(&circle), [Kind::TooComplex]);
}

/// Definitions that name each other in a long row.
fn chain(length: usize, link: &dyn Fn(Value) -> Value) -> Value {
    let mut definitions: Map<_, _> = (0..length)
        .map(|n| (format!("d{n}"), link(json!({"$ref": format!("#/$defs/d{}", n + 1)}))))
        .collect();
    definitions.insert(format!("d{length}"), json!({"type": "string"}));
    json!({"$ref": "#/$defs/d0", "$defs": definitions})
}

/// Servers run this on threads with two megabytes of stack.
fn on_a_small_stack(work: impl FnOnce() + Send + 'static) {
    std::thread::Builder::new().stack_size(2 << 20).spawn(work).unwrap().join().unwrap();
}

#[test]
fn long_chains_of_references_need_no_deep_stack() {
    on_a_small_stack(|| {
        let through_values = chain(3_000, &|next| json!({"items": next}));
        assert_eq!(kinds(&through_values), []);
        compare(&through_values, &json!({"type": "array"})).unwrap();
        let at_one_value = chain(3_000, &|next| json!({"allOf": [next]}));
        assert_eq!(kinds(&at_one_value), [Kind::TooComplex]);
        // The same when the chain is met from its far end first.
        let mut at_an_item = at_one_value;
        let first = at_an_item.as_object_mut().unwrap().remove("$ref").unwrap();
        at_an_item["items"] = json!({"$ref": first});
        assert_eq!(kinds(&at_an_item), [Kind::TooComplex]);
    });
}

#[test]
fn the_deepest_schema_and_the_deepest_input_need_no_deep_stack() {
    on_a_small_stack(|| {
        let mut schema = json!({"items": {"$ref": "#"}, "type": "array"});
        for _ in 0..10 {
            schema = json!({"allOf": [{"not": {"not": schema}}]});
        }
        // A reference, an alternative and ten times three: one level less than is refused.
        let deeper = json!({"anyOf": [{"anyOf": [schema]}]});
        assert_eq!(kinds(&deeper), [Kind::TooComplex]);
        let schema = InputSchema::compile(&json!({"anyOf": [schema]})).unwrap();
        let nested = |inner: &str| format!("{}{inner}{}", "[".repeat(127), "]".repeat(127));
        let text = nested("");
        assert!(schema.accepts(assent_json::read(text.as_bytes()).unwrap().root()));
        let text = nested("1");
        assert!(schema.check(assent_json::read(text.as_bytes()).unwrap().root()).is_err());
    });
}

#[test]
fn thousands_of_choices_are_given_up_without_a_deep_stack() {
    on_a_small_stack(|| {
        let choices = |shift: usize| {
            let all: Vec<_> = (0..1_500)
                .map(|n| json!({"anyOf": [{"required": [format!("a{n}")]}, {"required": [format!("b{}", n + shift)]}]}))
                .collect();
            json!({"type": "object", "allOf": all})
        };
        compare(&choices(0), &choices(1)).unwrap();
    });
}

/// The validator needs almost three times as long for every level.
#[test]
fn unevaluated_members_inside_each_other_are_refused_before_they_take_seconds() {
    let nested = |levels: usize, keyword: &str| {
        (0..levels)
            .fold(json!({"type": "object"}), |inner, _| json!({keyword: false, "anyOf": [inner]}))
    };
    for keyword in ["unevaluatedProperties", "unevaluatedItems"] {
        assert_eq!(kinds(&nested(8, keyword)), [], "{keyword}");
        assert_eq!(kinds(&nested(9, keyword)), [Kind::TooComplex], "{keyword}");
        // Next to each other, and for different values, they do not multiply.
        let beside: Vec<_> = (0..1_000).map(|_| nested(2, keyword)).collect();
        assert_eq!(kinds(&json!({"allOf": beside})), [], "{keyword}");
        let below =
            (0..12).fold(json!({}), |inner, _| json!({keyword: false, "properties": {"a": inner}}));
        assert_eq!(kinds(&below), [], "{keyword}");
    }
}

#[test]
fn long_names_with_much_below_them_are_refused() {
    let schema = |name: usize, values: usize| {
        let inner: Map<_, _> = (0..values).map(|n| (format!("p{n}"), json!(true))).collect();
        json!({"properties": {"n".repeat(name): {"properties": inner}}})
    };
    assert_eq!(kinds(&schema(1_000, 3_000)), []);
    assert_eq!(kinds(&schema(50_000, 3_000)), [Kind::TooComplex]);
}
