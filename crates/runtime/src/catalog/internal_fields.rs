//! Fields that only the runtime may fill in. "Internal-only fields MUST NOT appear in model-facing
//! schemas", and in runtime schemas they "MUST carry `visibility: \"internal\"`".

use std::collections::BTreeSet;

use assent_json::{Json, Pointer};
use assent_schema::InputSchema;
use serde_json::{Map, Value, json};

/// The keyword that marks a field as internal.
const VISIBILITY: &str = "visibility";
const INTERNAL: &str = "internal";

/// Keywords whose values are data rather than schemas.
const DATA: [&str; 5] = ["const", "default", "enum", "example", "examples"];

/// The location at which a schema names the field: as a property, as required, by a pattern, or in a
/// definition.
pub(super) fn mention(schema: &Value, field: &str) -> Option<Pointer> {
    objects(schema).into_iter().find_map(|(pointer, members)| {
        mentioning_keyword(members, field).map(|keyword| pointer.key(keyword))
    })
}

fn mentioning_keyword(members: &Map<String, Value>, field: &str) -> Option<&'static str> {
    let has_key = |keyword| object(members, keyword).is_some_and(|map| map.contains_key(field));
    if let Some(keyword) = ["properties", "dependentSchemas", "dependentRequired", "dependencies"]
        .into_iter()
        .find(|keyword| has_key(keyword))
    {
        return Some(keyword);
    }
    let lists = |value: &Value| {
        value.as_array().is_some_and(|items| items.iter().any(|item| item == field))
    };
    if members.get("required").is_some_and(lists) {
        return Some("required");
    }
    for keyword in ["dependentRequired", "dependencies"] {
        if object(members, keyword).is_some_and(|map| map.values().any(lists)) {
            return Some(keyword);
        }
    }
    let patterns = object(members, "patternProperties");
    if patterns.is_some_and(|patterns| patterns.keys().any(|pattern| matches(pattern, field))) {
        return Some("patternProperties");
    }
    let names = object(members, "propertyNames")?;
    let listed = names.get("enum").is_some_and(lists)
        || names.get("const").is_some_and(|name| name == field);
    listed.then_some("propertyNames")
}

fn object<'v>(members: &'v Map<String, Value>, keyword: &str) -> Option<&'v Map<String, Value>> {
    members.get(keyword).and_then(Value::as_object)
}

/// Returns `true` if the pattern matches the name, as the validator understands patterns. An invalid pattern
/// counts as matching.
fn matches(pattern: &str, field: &str) -> bool {
    let schema = InputSchema::compile(&json!({"pattern": pattern}));
    match (schema, Json::from_value(&Value::from(field))) {
        (Ok(schema), Ok(name)) => schema.accepts(name.root()),
        _ => true,
    }
}

/// The names of all properties of a schema, at any depth.
pub(super) fn properties(schema: &Value) -> BTreeSet<&str> {
    let maps = objects(schema).into_iter().filter_map(|(_, members)| object(members, "properties"));
    maps.flat_map(Map::keys).map(String::as_str).collect()
}

/// The locations in a schema that are marked as internal.
pub(super) fn marked(schema: &Value) -> Vec<Pointer> {
    let is_marked = |members: &Map<String, Value>| {
        members.get(VISIBILITY).is_some_and(|visibility| visibility == INTERNAL)
    };
    let mut found: Vec<_> = objects(schema)
        .into_iter()
        .filter(|(_, members)| is_marked(members))
        .map(|(pointer, _)| pointer)
        .collect();
    found.sort_unstable();
    found
}

/// Marks a top-level property of a runtime schema as internal. Returns `false` if there is no such property.
pub(super) fn mark(schema: &mut Value, field: &str) -> bool {
    let property = schema.get_mut("properties").and_then(|properties| properties.get_mut(field));
    let Some(property) = property else { return false };
    match property {
        Value::Object(members) => {
            members.insert(VISIBILITY.to_owned(), INTERNAL.into());
        }
        // `true` is the schema that says nothing; `false` refuses every value and stays.
        Value::Bool(true) => *property = json!({VISIBILITY: INTERNAL}),
        _ => {}
    }
    true
}

/// The top-level property of a pointer, if it has one.
pub(super) fn top_level(pointer: &Pointer) -> Option<String> {
    let mut steps = Pointer::tokens(pointer.as_str());
    let name = (steps.next()? == "properties").then(|| steps.next()).flatten()?;
    steps.next().is_none().then_some(name)
}

/// Every object of a schema that is not data. Properties with the names of keywords are treated as schemas as
/// well, which finds too much rather than too little.
fn objects(schema: &Value) -> Vec<(Pointer, &Map<String, Value>)> {
    let mut found = Vec::new();
    let mut open = vec![(Pointer::root(), schema)];
    while let Some((pointer, value)) = open.pop() {
        match value {
            Value::Object(members) => {
                let inner = members.iter().filter(|(keyword, _)| !DATA.contains(&keyword.as_str()));
                open.extend(inner.map(|(keyword, value)| (pointer.key(keyword), value)));
                found.push((pointer, members));
            }
            Value::Array(items) => {
                open.extend(items.iter().enumerate().map(|(at, item)| (pointer.index(at), item)));
            }
            _ => {}
        }
    }
    found
}

#[cfg(test)]
mod tests {
    use serde_json::{Value, json};

    use super::{mark, marked, mention, top_level};

    fn place(schema: &Value) -> Option<String> {
        mention(schema, "_user").map(|pointer| pointer.as_str().to_owned())
    }

    /// Item 30, E19: however a schema reaches the name.
    #[test]
    fn a_field_is_found_wherever_a_schema_can_name_it() {
        for (schema, at) in [
            (json!({"properties": {"_user": {}}}), "/properties"),
            (json!({"required": ["_user"]}), "/required"),
            (json!({"patternProperties": {"^_": {}}}), "/patternProperties"),
            (json!({"patternProperties": {"(": {}}}), "/patternProperties"),
            (
                json!({"$ref": "#/$defs/a", "$defs": {"a": {"properties": {"_user": {}}}}}),
                "/$defs/a/properties",
            ),
            (json!({"anyOf": [{}, {"properties": {"_user": true}}]}), "/anyOf/1/properties"),
            (json!({"dependentRequired": {"a": ["_user"]}}), "/dependentRequired"),
            (json!({"dependentSchemas": {"_user": {}}}), "/dependentSchemas"),
            (json!({"propertyNames": {"enum": ["a", "_user"]}}), "/propertyNames"),
            (
                json!({"properties": {"a": {"properties": {"_user": {}}}}}),
                "/properties/a/properties",
            ),
        ] {
            assert_eq!(place(&schema).as_deref(), Some(at), "{schema}");
        }
    }

    #[test]
    fn a_schema_that_does_not_name_the_field_is_left_alone() {
        for schema in [
            json!({"type": "object"}),
            json!({"properties": {"user": {"description": "not _user"}}, "required": ["user"]}),
            json!({"patternProperties": {"^x": {}}}),
            json!({"default": {"properties": {"_user": 1}}}),
            json!(true),
        ] {
            assert_eq!(place(&schema), None, "{schema}");
        }
    }

    /// Item 31, E20.
    #[test]
    fn marks_are_found_and_set() {
        let mut schema = json!({"properties": {"_a": {"type": "string"}, "_b": true, "c": {}}});
        assert!(mark(&mut schema, "_a") && mark(&mut schema, "_b") && !mark(&mut schema, "_z"));
        let fields: Vec<_> = marked(&schema).iter().filter_map(top_level).collect();
        assert_eq!(fields, ["_a", "_b"]);
        assert_eq!(schema["properties"]["_a"], json!({"type": "string", "visibility": "internal"}));
    }

    #[test]
    fn data_that_says_internal_marks_nothing() {
        let schema = json!({"properties": {"visibility": {"enum": ["internal"]}},
            "default": {"visibility": "internal"}, "examples": [{"visibility": "internal"}]});
        assert!(marked(&schema).is_empty());
    }
}
