//! JSON Schemas of what records are made of.

use schemars::{Schema, json_schema};
use serde_json::Value;

/// The schema of a closed vocabulary: what it is, and every word with its meaning.
pub fn vocabulary_schema(description: &str, words: &[(&str, &str)]) -> Schema {
    let names: Vec<&str> = words.iter().map(|(word, _)| *word).collect();
    let mut text = description.trim().to_owned();
    text.push('\n');
    for (word, meaning) in words {
        text.push_str(&format!("\n- `{word}`: {}", meaning.trim()));
    }
    json_schema!({ "type": "string", "enum": names, "description": text })
}

/// For records whose optional fields are absent or a value: takes `null` out of the schemas that the derive
/// makes for `Option`.
pub fn never_null(schema: &mut Schema) {
    let Some(Value::Object(properties)) = schema.get_mut("properties") else { return };
    for property in properties.values_mut() {
        if let Ok(property) = <&mut Schema>::try_from(property) {
            without_null(property);
        }
    }
}

fn without_null(schema: &mut Schema) {
    if let Some(Value::Array(types)) = schema.get_mut("type") {
        types.retain(|name| name != "null");
        if let [only] = types.as_slice() {
            let only = only.clone();
            schema.insert("type".to_owned(), only);
        }
    }
    let Some(Value::Array(choices)) = schema.get_mut("anyOf") else { return };
    choices.retain(|choice| choice.get("type").is_none_or(|name| name != "null"));
    if let [only] = choices.as_slice() {
        let only = only.clone();
        schema.remove("anyOf");
        if let Value::Object(only) = only {
            for (keyword, value) in only {
                // What the field says about itself counts more than what its type says.
                if schema.get(&keyword).is_none() {
                    schema.insert(keyword, value);
                }
            }
        }
    }
}
