//! Conversion to `serde_json` values.

use serde_json::{Map, Value};

use crate::{Kind, Node, Number};

impl Node<'_> {
    /// Copies the value. Numbers are in canonical form, so that `1.0` and `1` give the same value.
    #[must_use]
    pub fn to_value(&self) -> Value {
        match self.kind() {
            Kind::Null => Value::Null,
            Kind::Boolean => Value::Bool(self.as_bool().unwrap_or_default()),
            Kind::Number => self.as_number().map_or(Value::Null, |number| number.to_value()),
            Kind::String => Value::String(self.as_str().unwrap_or_default().to_owned()),
            Kind::Array => self.elements().map(|element| element.to_value()).collect(),
            Kind::Object => Value::Object(
                self.members()
                    .map(|(key, value)| (key.to_owned(), value.to_value()))
                    .collect::<Map<_, _>>(),
            ),
        }
    }
}

impl Number<'_> {
    /// Converts the number.
    #[must_use]
    pub fn to_value(&self) -> Value {
        if let Some(integer) = self.as_i64() {
            Value::from(integer)
        } else if let Some(integer) = self.as_u64() {
            Value::from(integer)
        } else {
            Value::from(self.as_f64())
        }
    }
}
