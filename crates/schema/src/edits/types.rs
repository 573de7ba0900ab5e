//! The types that a schema allows by what it says about types.

use serde_json::Value;

use crate::{compare::Kinds, references::References};

/// How far references and alternatives are followed.
const MAX_DEPTH: usize = 8;

/// The types that `type`, and the alternatives and references that stand in for it, allow.
///
/// Constants and enumerations do not count: a new option of another type is a new option.
pub(super) fn types(schema: &Value, references: &References<'_>) -> Kinds {
    allowed(schema, references, 0)
}

fn allowed(schema: &Value, references: &References<'_>, depth: usize) -> Kinds {
    // `true` and `false` say nothing about types.
    let Value::Object(keywords) = schema else { return Kinds::all() };
    if depth > MAX_DEPTH {
        return Kinds::all();
    }
    let list = |keyword: &str| keywords.get(keyword).and_then(Value::as_array);
    let mut kinds = match keywords.get("type") {
        Some(Value::String(name)) => Kinds::named(name),
        Some(Value::Array(names)) => names
            .iter()
            .filter_map(Value::as_str)
            .fold(Kinds::default(), |kinds, name| kinds.union(Kinds::named(name))),
        _ => Kinds::all(),
    };
    for schema in list("allOf").into_iter().flatten() {
        kinds = kinds.intersection(allowed(schema, references, depth + 1));
    }
    for keyword in ["anyOf", "oneOf"] {
        if let Some(alternatives) = list(keyword) {
            let union = alternatives.iter().fold(Kinds::default(), |union, schema| {
                union.union(allowed(schema, references, depth + 1))
            });
            kinds = kinds.intersection(union);
        }
    }
    let target = keywords.get("$ref").and_then(Value::as_str);
    match target.and_then(|reference| references.resolve(reference)) {
        Some((_, target)) => kinds.intersection(allowed(target, references, depth + 1)),
        None => kinds,
    }
}
