//! `${name.path}` in the texts of a script.

use std::collections::BTreeMap;

use serde_json::Value;

/// A part of a text.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum Part<'t> {
    /// It stands for itself.
    Text(&'t str),
    /// It stands for a value: the name of a variable or of what a step saved, then a path into it.
    Reference { name: &'t str, path: Vec<&'t str> },
}

/// Takes a text apart. `$${` stands for `${`.
pub(super) fn parts(text: &str) -> Result<Vec<Part<'_>>, String> {
    let mut parts = Vec::new();
    let mut rest = text;
    while let Some((before, after)) = rest.split_once("${") {
        if let Some(before) = before.strip_suffix('$') {
            parts.extend([Part::Text(before), Part::Text("${")]);
            rest = after;
            continue;
        }
        let Some((reference, after)) = after.split_once('}') else {
            return Err("`${` has no `}`; write `$${` for the characters themselves".to_owned());
        };
        let mut names = reference.split('.');
        let name = names.next().unwrap_or_default();
        let path: Vec<&str> = names.collect();
        if name.is_empty() || path.iter().any(|key| key.is_empty()) {
            return Err(format!("`${{{reference}}}` is not `${{name}}` or `${{name.path}}`"));
        }
        parts.extend([Part::Text(before), Part::Reference { name, path }]);
        rest = after;
    }
    parts.push(Part::Text(rest));
    parts.retain(|part| *part != Part::Text(""));
    Ok(parts)
}

/// Inserts values into all texts of a value. A text that is only a reference becomes the value itself.
pub(in crate::command::agent) fn insert(
    value: &Value,
    saved: &BTreeMap<String, Value>,
) -> Result<Value, String> {
    Ok(match value {
        Value::String(text) => insert_text(text, saved)?,
        Value::Array(items) => {
            let items = items.iter().map(|item| insert(item, saved));
            Value::Array(items.collect::<Result<_, _>>()?)
        }
        Value::Object(members) => {
            let members = members
                .iter()
                .map(|(key, value)| insert(value, saved).map(|value| (key.clone(), value)));
            Value::Object(members.collect::<Result<_, _>>()?)
        }
        other => other.clone(),
    })
}

fn insert_text(text: &str, saved: &BTreeMap<String, Value>) -> Result<Value, String> {
    let parts = parts(text)?;
    if let [Part::Reference { name, path }] = parts.as_slice() {
        return find(saved, name, path).cloned();
    }
    let mut inserted = String::new();
    for part in parts {
        match part {
            Part::Text(text) => inserted.push_str(text),
            Part::Reference { name, path } => match find(saved, name, &path)? {
                Value::String(text) => inserted.push_str(text),
                value => inserted.push_str(&value.to_string()),
            },
        }
    }
    Ok(Value::String(inserted))
}

fn find<'s>(
    saved: &'s BTreeMap<String, Value>,
    name: &str,
    path: &[&str],
) -> Result<&'s Value, String> {
    let mut value = saved.get(name).ok_or_else(|| format!("nothing is saved as `{name}`"))?;
    for key in path {
        let index = || key.parse::<usize>().ok();
        let found = match value {
            Value::Object(members) => members.get(*key),
            Value::Array(items) => index().and_then(|index| items.get(index)),
            _ => None,
        };
        value = found.ok_or_else(|| format!("`${{{name}.{}}}` is not there", path.join(".")))?;
    }
    Ok(value)
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;

    use serde_json::{Value, json};

    use super::insert;

    fn inserted(value: &Value) -> Result<Value, String> {
        let saved = BTreeMap::from([
            ("city".to_owned(), json!("Oslo")),
            ("notes".to_owned(), json!({ "result": { "lines": ["a", "b"], "size": 7 } })),
        ]);
        insert(value, &saved)
    }

    #[test]
    fn references_become_values_alone_and_text_within_text() {
        for (text, expected) in [
            (json!("${notes.result.size}"), json!(7)),
            (json!("${notes.result.lines}"), json!(["a", "b"])),
            (
                json!("to ${city}: ${notes.result.lines.1}, ${notes.result.size}"),
                json!("to Oslo: b, 7"),
            ),
            (json!("$${city} is ${city}"), json!("${city} is Oslo")),
            (json!({ "a": ["${city}", 1, null] }), json!({ "a": ["Oslo", 1, null] })),
            (json!("$5 {x} }"), json!("$5 {x} }")),
        ] {
            assert_eq!(inserted(&text), Ok(expected), "{text}");
        }
    }

    #[test]
    fn references_that_lead_nowhere_are_errors() {
        for text in ["${town}", "${city.name}", "${notes.result.lines.2}", "${notes.x}"] {
            assert!(inserted(&json!(text)).is_err(), "{text}");
        }
        for text in ["${", "${}", "${city", "${.a}", "${city.}"] {
            assert!(super::parts(text).is_err(), "{text}");
        }
    }
}
