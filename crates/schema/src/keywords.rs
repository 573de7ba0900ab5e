//! The vocabulary of Draft 2020-12, as far as it holds schemas inside schemas.

use assent_json::Pointer;
use serde_json::{Map, Value};

/// What a keyword holds.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Holds {
    /// One schema.
    Schema,
    /// An array of schemas.
    List,
    /// An object whose values are schemas.
    Map,
}

/// Which value the held schemas look at.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Place {
    /// The same value as the schema around them.
    Same,
    /// A value inside it.
    Inside,
    /// None: they only wait to be referred to.
    Nowhere,
}

const APPLICATORS: [(&str, Holds, Place); 20] = [
    ("$defs", Holds::Map, Place::Nowhere),
    ("additionalProperties", Holds::Schema, Place::Inside),
    ("allOf", Holds::List, Place::Same),
    ("anyOf", Holds::List, Place::Same),
    ("contains", Holds::Schema, Place::Inside),
    // The name of `$defs` before Draft 2019-09, still in wide use.
    ("definitions", Holds::Map, Place::Nowhere),
    ("dependencies", Holds::Map, Place::Same),
    ("dependentSchemas", Holds::Map, Place::Same),
    ("else", Holds::Schema, Place::Same),
    ("if", Holds::Schema, Place::Same),
    ("items", Holds::Schema, Place::Inside),
    ("not", Holds::Schema, Place::Same),
    ("oneOf", Holds::List, Place::Same),
    ("patternProperties", Holds::Map, Place::Inside),
    ("prefixItems", Holds::List, Place::Inside),
    ("properties", Holds::Map, Place::Inside),
    ("propertyNames", Holds::Schema, Place::Inside),
    ("then", Holds::Schema, Place::Same),
    ("unevaluatedItems", Holds::Schema, Place::Inside),
    ("unevaluatedProperties", Holds::Schema, Place::Inside),
];

/// Keywords that say something about a value without restricting it.
const ANNOTATIONS: [&str; 13] = [
    "$comment",
    "$schema",
    "$id",
    "contentEncoding",
    "contentMediaType",
    "contentSchema",
    "default",
    "deprecated",
    "description",
    "examples",
    "readOnly",
    "title",
    "writeOnly",
];

/// Keywords that restrict a value without holding schemas, or that name and refer.
const ASSERTIONS: [&str; 25] = [
    "$anchor",
    "$dynamicAnchor",
    "$dynamicRef",
    "$ref",
    "const",
    "dependentRequired",
    "enum",
    "exclusiveMaximum",
    "exclusiveMinimum",
    "format",
    "maxContains",
    "maxItems",
    "maxLength",
    "maxProperties",
    "maximum",
    "minContains",
    "minItems",
    "minLength",
    "minProperties",
    "minimum",
    "multipleOf",
    "pattern",
    "required",
    "type",
    "uniqueItems",
];

/// What `keyword` holds, and where, if it holds schemas.
pub(crate) fn applicator(keyword: &str) -> Option<(Holds, Place)> {
    APPLICATORS
        .iter()
        .find(|(name, _, _)| *name == keyword)
        .map(|(_, holds, place)| (*holds, *place))
}

/// True if no value is accepted or refused because of `keyword`: a known annotation, or a word that
/// the standard does not know.
#[must_use]
pub fn is_annotation(keyword: &str) -> bool {
    ANNOTATIONS.contains(&keyword)
        || (applicator(keyword).is_none() && !ASSERTIONS.contains(&keyword))
}

/// A schema inside a schema.
pub(crate) struct Subschema<'s> {
    pub(crate) pointer: Pointer,
    pub(crate) place: Place,
    pub(crate) schema: &'s Value,
}

/// The schemas directly inside `schema`, which stands at `pointer`.
pub(crate) fn subschemas<'s>(
    schema: &'s Map<String, Value>,
    pointer: &Pointer,
) -> Vec<Subschema<'s>> {
    let mut found = Vec::new();
    for (keyword, held) in schema {
        let Some((holds, place)) = applicator(keyword) else { continue };
        let here = pointer.key(keyword);
        let mut add = |pointer, schema: &'s Value| {
            // `dependencies` also maps to arrays of names, which are no schemas.
            if schema.is_object() || schema.is_boolean() {
                found.push(Subschema { pointer, place, schema });
            }
        };
        match (holds, held) {
            (Holds::Schema, schema) => add(here, schema),
            (Holds::List, Value::Array(list)) => {
                list.iter().enumerate().for_each(|(index, schema)| add(here.index(index), schema));
            }
            (Holds::Map, Value::Object(map)) => {
                map.iter().for_each(|(key, schema)| add(here.key(key), schema));
            }
            // The wrong type: the meta-schema complains about it.
            (Holds::List | Holds::Map, _) => {}
        }
    }
    found
}
