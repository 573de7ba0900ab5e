//! Random manifests, and ways to write one down.

use proptest::{prelude::*, sample::select};
use serde_json::{Value, json};

use crate::scope;

/// A valid manifest.
pub(crate) fn manifest() -> impl Strategy<Value = Value> {
    let scopes = proptest::collection::btree_map(
        select(vec!["filesystem:read", "camera:use", "network:http", "shell:exec"]),
        select(vec!["low", "medium", "high"]),
        1..4,
    );
    (scopes, proptest::collection::btree_set("[a-z][a-z0-9_]{1,6}", 0..4), any::<u8>())
        .prop_flat_map(|(scopes, names, version)| {
            let ids: Vec<&str> = scopes.keys().copied().collect();
            let tools: Vec<_> = names.into_iter().map(|name| tool(name, ids.clone())).collect();
            let scopes: Vec<_> = scopes.iter().map(|(id, level)| scope(id, level)).collect();
            tools.prop_map(move |tools| {
                json!({
                    "schema_version": "1.0",
                    "agent_version": format!("1.{version}.0"),
                    "tools": tools,
                    "permission_scopes": scopes,
                    "capability_flags": {"supports_streaming": version % 2 == 0}
                })
            })
        })
}

fn tool(name: String, scopes: Vec<&'static str>) -> impl Strategy<Value = Value> {
    let properties = proptest::collection::btree_map("[a-e]", property(), 0..4);
    (properties, select(scopes), 1..600_000_u32, any::<bool>(), "[ -~é€读\n]{0,12}").prop_map(
        move |(properties, scope, timeout, required, text)| {
            let needed: Vec<_> = properties.keys().take(1).cloned().collect();
            json!({
                "name": name,
                "description_i18n_key": format!("agent.{name}"),
                "description_fallback": text,
                "input_schema": {
                    "type": "object", "properties": properties, "required": needed,
                    "additionalProperties": false
                },
                "permission_scope": scope,
                "required": required,
                "timeout_ms": timeout
            })
        },
    )
}

fn property() -> impl Strategy<Value = Value> {
    prop_oneof![
        Just(json!({"type": "string"})),
        Just(json!({"type": ["string", "null"], "maxLength": 5})),
        (0..9_u8).prop_map(|n| json!({"type": "integer", "minimum": n, "title": "a number"})),
        Just(json!({"enum": ["r", "w", 1, 0.5]})),
        Just(
            json!({"type": "array", "items": {"type": "string", "format": "uri"}, "uniqueItems": true})
        ),
        Just(json!({"type": "string", "pattern": "^[a-z]+$", "default": "a"})),
    ]
}

pub(crate) fn any_json() -> impl Strategy<Value = Value> {
    let scalar = prop_oneof![
        Just(Value::Null),
        any::<bool>().prop_map(Value::from),
        (-3_i64..700_000).prop_map(Value::from),
        select(vec!["", "1.0", "read_file", "filesystem:read", "object", "#", "a\u{202e}"])
            .prop_map(Value::from),
    ];
    scalar.prop_recursive(3, 12, 4, |inner| {
        let key =
            select(vec!["type", "$ref", "properties", "name", "id", "required", "pattern", "x"]);
        prop_oneof![
            proptest::collection::vec(inner.clone(), 0..4).prop_map(Value::from),
            proptest::collection::btree_map(key, inner, 0..4).prop_map(|members| {
                Value::Object(
                    members.into_iter().map(|(key, value)| (key.to_owned(), value)).collect(),
                )
            }),
        ]
    })
}

/// The pointers to all values of a document.
pub(crate) fn pointers(value: &Value) -> Vec<String> {
    let mut found = vec![String::new()];
    let mut inside = |step: String, inner: &Value| {
        let escaped = step.replace('~', "~0").replace('/', "~1");
        found.extend(pointers(inner).into_iter().map(|rest| format!("/{escaped}{rest}")));
    };
    match value {
        Value::Array(elements) => {
            elements.iter().enumerate().for_each(|(index, inner)| inside(index.to_string(), inner));
        }
        Value::Object(members) => {
            members.iter().for_each(|(key, inner)| inside(key.clone(), inner))
        }
        _ => {}
    }
    found
}

/// Writes a value in one of the many ways that mean the same, chosen by `dice`.
pub(crate) fn write(value: &Value, dice: &mut impl FnMut(usize) -> usize) -> String {
    let spaces =
        |dice: &mut dyn FnMut(usize) -> usize| [" ", "", "\n\t", "\r\n  "][dice(4)].to_owned();
    match value {
        Value::Array(elements) => {
            let parts: Vec<_> = elements.iter().map(|element| write(element, dice)).collect();
            format!("[{}{}]", spaces(dice), parts.join(&format!("{},", spaces(dice))))
        }
        Value::Object(members) => {
            let mut parts: Vec<_> = members
                .iter()
                .map(|(key, value)| {
                    format!("{}{}:{}", text(key, dice), spaces(dice), write(value, dice))
                })
                .collect();
            for last in (1..parts.len()).rev() {
                parts.swap(last, dice(last + 1));
            }
            format!("{{{}}}", parts.join(&format!("{},{}", spaces(dice), spaces(dice))))
        }
        Value::String(string) => text(string, dice),
        Value::Number(number) => match (number.as_i64(), dice(3)) {
            (Some(integer), 0) => format!("{integer}.0"),
            (Some(integer), 1) => format!("{integer}e0"),
            _ => number.to_string(),
        },
        other => other.to_string(),
    }
}

fn text(string: &str, dice: &mut impl FnMut(usize) -> usize) -> String {
    let mut out = String::from("\"");
    for character in string.chars() {
        if dice(4) == 0 {
            let mut units = [0; 2];
            character
                .encode_utf16(&mut units)
                .iter()
                .for_each(|unit| out.push_str(&format!("\\u{unit:04x}")));
        } else {
            let plain = Value::from(character.to_string()).to_string();
            out.push_str(&plain[1..plain.len() - 1]);
        }
    }
    out + "\""
}
