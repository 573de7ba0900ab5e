//! The types of arguments in policies: the part of a tool's input schema that Cedar can express.
//!
//! | JSON Schema                               | Cedar                                            |
//! |-------------------------------------------|--------------------------------------------------|
//! | `string`                                  | `String`                                         |
//! | `boolean`                                 | `Bool`                                           |
//! | `integer`                                 | `Long`                                           |
//! | `number`                                  | `decimal`, four places                           |
//! | `array` with `items` of one type          | `Set`                                            |
//! | `object`                                  | a record of its `properties`                     |
//! | a type or `null`                          | the type, in an attribute that may be missing    |
//! | no `type`, but `const` or an `enum` of one type | that type                                  |
//!
//! Everything else is left out: several types, bare schemas, types behind a `$ref` or `anyOf`. A policy that
//! refers to such an argument is refused at load, so nothing is silently left unchecked.

use std::collections::BTreeMap;

use serde_json::{Map, Value, json};

/// The deepest nesting of records and sets, and the most attributes of a record.
const MAX_DEPTH: usize = 8;
const MAX_ATTRIBUTES: usize = 512;

/// The type of an argument.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Type {
    Bool,
    Long,
    String,
    Decimal,
    Set(Box<Type>),
    Record(Record),
}

/// The attributes of an object.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Record(pub(crate) BTreeMap<Box<str>, Attribute>);

/// One attribute.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Attribute {
    pub(crate) kind: Type,
    pub(crate) required: bool,
}

impl Record {
    /// Returns the arguments that a schema describes.
    pub(crate) fn of_input(schema: Option<&Value>) -> Self {
        schema.map_or_else(Self::default, |schema| Self::of(schema, 0))
    }

    fn of(schema: &Value, depth: usize) -> Self {
        let required: Vec<&str> =
            schema["required"].as_array().into_iter().flatten().filter_map(Value::as_str).collect();
        let properties = schema["properties"].as_object().into_iter().flatten();
        let attribute = |(key, schema): (&String, &Value)| {
            let (kind, nullable) = Type::of(schema, depth + 1)?;
            let required = !nullable && required.contains(&key.as_str());
            Some((key.as_str().into(), Attribute { kind, required }))
        };
        Self(properties.take(MAX_ATTRIBUTES).filter_map(attribute).collect())
    }

    /// Converts the record to a Cedar schema.
    pub(crate) fn to_schema(&self) -> Value {
        let mut attributes = Map::new();
        for (key, attribute) in &self.0 {
            let mut schema = attribute.kind.to_schema();
            if let Value::Object(members) = &mut schema {
                members.insert("required".to_owned(), attribute.required.into());
            }
            attributes.insert(key.to_string(), schema);
        }
        json!({"type": "Record", "attributes": attributes})
    }
}

impl Type {
    /// Returns the type that a schema accepts, and whether it also accepts `null`.
    fn of(schema: &Value, depth: usize) -> Option<(Self, bool)> {
        if depth > MAX_DEPTH {
            return None;
        }
        let (name, nullable) = type_name(schema)?;
        let kind = match name {
            "boolean" => Self::Bool,
            "integer" => Self::Long,
            "string" => Self::String,
            "number" => Self::Decimal,
            "array" => match Self::of(&schema["items"], depth + 1)? {
                (element, false) if schema["prefixItems"].is_null() => Self::Set(Box::new(element)),
                _ => return None,
            },
            "object" => Self::Record(Record::of(schema, depth)),
            _ => return None,
        };
        Some((kind, nullable))
    }

    fn to_schema(&self) -> Value {
        match self {
            Self::Bool => json!({"type": "Boolean"}),
            Self::Long => json!({"type": "Long"}),
            Self::String => json!({"type": "String"}),
            Self::Decimal => json!({"type": "Extension", "name": "decimal"}),
            Self::Set(element) => json!({"type": "Set", "element": element.to_schema()}),
            Self::Record(record) => record.to_schema(),
        }
    }
}

/// Returns the only type that a schema accepts besides `null`.
fn type_name(schema: &Value) -> Option<(&str, bool)> {
    let declared = match &schema["type"] {
        Value::String(name) => vec![name.as_str()],
        Value::Array(names) => names.iter().map(Value::as_str).collect::<Option<_>>()?,
        Value::Null => kinds_of_values(schema),
        _ => return None,
    };
    let nullable = declared.contains(&"null");
    let mut names: Vec<&str> = declared.into_iter().filter(|name| *name != "null").collect();
    names.sort_unstable();
    names.dedup();
    match names.as_slice() {
        [name] => Some((name, nullable)),
        _ => None,
    }
}

/// Returns the types of the values of `const` or `enum`.
fn kinds_of_values(schema: &Value) -> Vec<&'static str> {
    let one = schema.get("const").into_iter();
    let many = schema["enum"].as_array().into_iter().flatten();
    let name = |value: &Value| match value {
        Value::Null => "null",
        Value::Bool(_) => "boolean",
        Value::Number(number) if number.is_f64() => "number",
        Value::Number(_) => "integer",
        Value::String(_) => "string",
        // The element types of a list or an object are not known.
        Value::Array(_) | Value::Object(_) => "unknown",
    };
    one.chain(many).map(name).collect()
}
