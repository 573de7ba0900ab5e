//! Large schemas. Each has `size` parts, and `version` 0 or 1 says on which side of a pair it is.

use serde_json::{Map, Value, json};

pub(crate) type Schema = fn(size: usize, version: usize) -> Value;

fn object(members: Value) -> Value {
    let mut schema = json!({"type": "object"});
    let Value::Object(members) = members else { panic!("not an object: {members}") };
    schema.as_object_mut().unwrap().extend(members);
    schema
}

fn field(schema: Value) -> Value {
    object(json!({"properties": {"x": schema}, "required": ["x"]}))
}

fn map(numbers: impl Iterator<Item = usize>, entry: impl Fn(usize) -> (String, Value)) -> Value {
    Value::Object(numbers.map(entry).collect::<Map<_, _>>())
}

fn list(numbers: impl Iterator<Item = usize>, element: impl Fn(usize) -> Value) -> Value {
    numbers.map(element).collect()
}

/// The first `size` numbers, or as many that share half with them.
fn half_replaced(size: usize, version: usize) -> std::ops::Range<usize> {
    let start = version * size / 2;
    start..start + size
}

pub(crate) fn enum_of_numbers(size: usize, version: usize) -> Value {
    let options: Vec<_> = half_replaced(size, version).collect();
    object(json!({"properties": {"x": {"enum": options}}}))
}

pub(crate) fn enum_of_strings(size: usize, version: usize) -> Value {
    field(json!({"enum": list(half_replaced(size, version), |n| json!(format!("v{n}")))}))
}

pub(crate) fn enum_of_objects(size: usize, version: usize) -> Value {
    field(json!({"enum": list(half_replaced(size, version), |n| json!({format!("a{n}"): n}))}))
}

pub(crate) fn enum_of_arrays(size: usize, version: usize) -> Value {
    field(json!({"enum": list(half_replaced(size, version), |n| json!([n, [n]]))}))
}

pub(crate) fn all_options_replaced(size: usize, version: usize) -> Value {
    let options: Vec<_> = (version * size..(version + 1) * size).collect();
    field(json!({"enum": options}))
}

pub(crate) fn required(size: usize, version: usize) -> Value {
    object(json!({"required": list(half_replaced(size, version), |n| json!(format!("p{n}")))}))
}

pub(crate) fn properties(size: usize, version: usize) -> Value {
    let properties =
        map(half_replaced(size, version), |n| (format!("p{n}"), json!({"type": "string"})));
    object(json!({"properties": properties}))
}

pub(crate) fn closed_properties(size: usize, version: usize) -> Value {
    let mut schema = properties(size, version);
    schema["additionalProperties"] = json!(false);
    schema
}

pub(crate) fn renamed_properties(size: usize, version: usize) -> Value {
    let properties = map(0..size, |n| {
        let name = if n % 2 == version { format!("p{n}") } else { format!("q{n}") };
        (name, json!({"maxLength": n}))
    });
    object(json!({"properties": properties, "additionalProperties": false}))
}

pub(crate) fn types_of_properties(size: usize, version: usize) -> Value {
    let kind = ["string", "number"][version];
    object(json!({"properties": map(0..size, |n| (format!("p{n}"), json!({"type": kind})))}))
}

pub(crate) fn pattern_properties(size: usize, version: usize) -> Value {
    let patterns = map(0..6, |n| (format!("^a{n}"), json!({"type": "string"})));
    let properties = map(0..size, |n| (format!("p{n}"), json!({"maxLength": n + version})));
    object(json!({
        "patternProperties": patterns, "properties": properties, "additionalProperties": false
    }))
}

pub(crate) fn many_patterns(size: usize, version: usize) -> Value {
    let patterns = map(0..size, |n| (format!("^{n}"), json!({"maxLength": n + version})));
    object(json!({"patternProperties": patterns, "additionalProperties": false}))
}

pub(crate) fn large_patterns(size: usize, version: usize) -> Value {
    let patterns = list(
        0..size.min(8),
        |n| json!({"pattern": format!("(a|b)*a(a|b){{{}}}$", 12 + n + version)}),
    );
    field(json!({"type": "string", "allOf": patterns}))
}

pub(crate) fn alternatives(size: usize, version: usize) -> Value {
    let kind = ["string", "number"][version];
    let alternatives = list(
        0..size,
        |n| json!({"properties": {"k": {"const": n}, format!("v{n}"): {"type": kind}}, "required": ["k"]}),
    );
    object(json!({"anyOf": alternatives}))
}

pub(crate) fn exclusive_constants(size: usize, version: usize) -> Value {
    field(json!({"oneOf": list(half_replaced(size, version), |n| json!({"const": n}))}))
}

pub(crate) fn exclusive_types(size: usize, version: usize) -> Value {
    field(json!({"oneOf": list(0..size, |n| json!({"type": "string", "minLength": n + version}))}))
}

pub(crate) fn choices(size: usize, version: usize) -> Value {
    let choices = list(
        0..size,
        |n| json!({"anyOf": [{"required": [format!("a{n}")]}, {"required": [format!("b{}", n + version)]}]}),
    );
    object(json!({"allOf": choices}))
}

/// Alternatives inside alternatives, as deep as schemas may be, and many of them.
pub(crate) fn nested_alternatives(size: usize, version: usize) -> Value {
    let nest = |n: usize| {
        (0..14).fold(
            json!({"minimum": n + version}),
            |inner, level| json!({"anyOf": [inner, {"multipleOf": level + n + 2}]}),
        )
    };
    object(json!({"properties": map(0..size, |n| (format!("p{n}"), nest(n)))}))
}

pub(crate) fn conditions(size: usize, version: usize) -> Value {
    let otherwise = ["c", "d"][version];
    let conditions = list(0..size, |n| {
        json!({
            "if": {"required": [format!("a{n}")]}, "then": {"required": [format!("b{n}")]},
            "else": {"required": [format!("{otherwise}{n}")]}
        })
    });
    object(json!({"allOf": conditions}))
}

/// Definitions that refer to the next one for the items of a value.
pub(crate) fn chain_of_definitions(size: usize, version: usize) -> Value {
    let last = ["string", "number"][version];
    let definitions = map(0..size + 1, |n| {
        let next = json!({"items": {"$ref": format!("#/$defs/d{}", n + 1)}, "maxItems": n + 1});
        (format!("d{n}"), if n < size { next } else { json!({"type": last}) })
    });
    object(json!({"$defs": definitions, "properties": {"x": {"$ref": "#/$defs/d0"}}}))
}

/// Definitions that refer to the next one nine times, used by many properties.
pub(crate) fn fan_of_definitions(size: usize, version: usize) -> Value {
    let last = ["string", "number"][version];
    let definitions = map(0..4, |n| {
        let next = json!({"$ref": format!("#/$defs/d{}", n + 1)});
        (
            format!("d{n}"),
            if n < 3 { json!({"anyOf": vec![next; 9]}) } else { json!({"type": last}) },
        )
    });
    let properties = map(0..size, |n| {
        (format!("p{n}"), json!({"$ref": "#/$defs/d0", "maxLength": 5 - version}))
    });
    object(json!({"$defs": definitions, "properties": properties}))
}

pub(crate) fn recursive_definitions(size: usize, version: usize) -> Value {
    let definitions = map(0..size, |n| {
        let next = |step: usize| json!({"$ref": format!("#/$defs/d{}", (n + step) % size)});
        let schema = json!({"type": "object", "properties": {
            "a": next(1), "b": next(7), "c": {"maxLength": n + version}
        }});
        (format!("d{n}"), schema)
    });
    object(json!({"$defs": definitions, "properties": {"x": {"$ref": "#/$defs/d0"}}}))
}

pub(crate) fn unevaluated_below_references(size: usize, version: usize) -> Value {
    let shared = map(0..size, |n| (format!("n{n}"), json!({"type": "string"})));
    let properties = map(0..size / 2, |n| {
        let schema = json!({
            "$ref": "#/$defs/n", "unevaluatedProperties": false, "maxProperties": 5 + version
        });
        (format!("p{n}"), schema)
    });
    object(json!({"$defs": {"n": {"properties": shared}}, "properties": properties}))
}

pub(crate) fn nested_unevaluated(_: usize, version: usize) -> Value {
    let kind = ["object", "array"][version];
    let innermost = json!({"type": kind});
    field((0..28).fold(innermost, |inner, n| {
        json!({"unevaluatedProperties": false, "anyOf": [inner], "properties": {format!("k{n}"): {}}})
    }))
}

pub(crate) fn negated_names(size: usize, version: usize) -> Value {
    let names = list(
        version..size + version,
        |n| json!({"not": {"propertyNames": {"const": format!("p{n}")}}}),
    );
    object(json!({"allOf": names}))
}

pub(crate) fn negated_members(size: usize, version: usize) -> Value {
    let members =
        list(version..size + version, |n| json!({"not": {"additionalProperties": {"const": n}}}));
    object(json!({"allOf": members, "maxProperties": 2000}))
}

pub(crate) fn names(size: usize, version: usize) -> Value {
    let names = list(half_replaced(size, version), |n| json!(format!("p{n}")));
    object(json!({"propertyNames": {"enum": names}}))
}

pub(crate) fn dependent_names(size: usize, version: usize) -> Value {
    let dependencies =
        map(0..size, |n| (format!("p{n}"), json!([format!("p{}", n + 1 + version)])));
    object(json!({"dependentRequired": dependencies, "minProperties": 1}))
}

pub(crate) fn number_of_members(size: usize, version: usize) -> Value {
    let properties = map(0..size, |n| (format!("p{n}"), json!({"maxLength": 1 + version})));
    object(json!({"minProperties": 900 + version, "properties": properties}))
}

pub(crate) fn multiples(size: usize, version: usize) -> Value {
    let multiples = list(version..size + version, |n| json!({"multipleOf": 1_000_003 + 2 * n}));
    field(json!({"type": "integer", "allOf": multiples}))
}

pub(crate) fn large_multiples(size: usize, version: usize) -> Value {
    let multiples = list(version..size + version, |n| {
        let text = format!("{}.{}e{}", 1 + n % 9, 1_000_003 + n * 7919, 200 + n % 100);
        json!({"multipleOf": text.parse::<f64>().unwrap()})
    });
    field(json!({"allOf": multiples}))
}

pub(crate) fn places_of_arrays(size: usize, version: usize) -> Value {
    let places = list(0..size, |n| json!({"maxLength": n + version}));
    let negated = list(0..300, |n| json!({"not": {"items": {"const": n}}}));
    field(json!({"type": "array", "prefixItems": places, "allOf": negated}))
}

pub(crate) fn contained(size: usize, version: usize) -> Value {
    let contained =
        list(0..size, |n| json!({"contains": {"minimum": n, "multipleOf": n + 2 + version}}));
    field(json!({"type": "array", "allOf": contained}))
}

pub(crate) fn different_items(_: usize, version: usize) -> Value {
    let items = json!({"type": "string", "minLength": 1000});
    field(json!({"type": "array", "uniqueItems": true, "minItems": 300 + version, "items": items}))
}

/// The smallest input is an array of arrays of arrays of long strings.
pub(crate) fn large_inputs(_: usize, version: usize) -> Value {
    let array = |items: Value| json!({"type": "array", "minItems": 400, "items": items});
    let input = array(array(array(json!({"type": "string", "minLength": 10_000}))));
    field(if version == 0 { input } else { json!(false) })
}

/// Many edits, each of which loses the same large input.
pub(crate) fn many_large_inputs(_: usize, version: usize) -> Value {
    let long = json!({"type": "string", "minLength": 100_000});
    let large = json!({"type": "array", "minItems": 400, "items": long});
    let mut properties = Map::new();
    if version == 1 {
        properties.extend((0..60).map(|n| (format!("y{n}"), json!(false))));
    }
    properties.insert("x".to_owned(), if version == 0 { large } else { json!(false) });
    object(json!({"properties": properties, "required": ["x"]}))
}

pub(crate) fn long_names(size: usize, version: usize) -> Value {
    let kind = ["string", "number"][version];
    let inner = map(0..size, |n| (format!("p{n}"), json!({"type": kind})));
    object(json!({"properties": {"n".repeat(50_000): {"properties": inner}}}))
}

/// Names as long as they may be for the number of values below them.
pub(crate) fn rather_long_names(size: usize, version: usize) -> Value {
    let kind = ["string", "number"][version];
    let inner = map(0..size.min(2500), |n| (format!("p{n}"), json!({"type": kind})));
    object(json!({"properties": {"n".repeat(750): {"properties": inner}}}))
}

pub(crate) fn long_strings(size: usize, version: usize) -> Value {
    let text = |n: usize| json!(format!("{}{n}", "x".repeat(1000)));
    field(json!({"enum": list(half_replaced(size, version), text)}))
}
