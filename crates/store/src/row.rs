//! Rows of a query.

use crate::{StoreError, Value};

/// One row.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Row(Vec<Value<'static>>);

impl Row {
    pub(crate) const fn new(columns: Vec<Value<'static>>) -> Self {
        Self(columns)
    }

    /// Reads the value of a column, counted from zero.
    ///
    /// # Errors
    ///
    /// If there is no such column, or if its value is of another type.
    pub fn get<T: FromValue>(&self, column: usize) -> Result<T, StoreError> {
        let unexpected = |found| StoreError::Unexpected { column, expected: T::EXPECTED, found };
        let value = self.0.get(column).ok_or_else(|| unexpected("no such column"))?;
        T::from_value(value).ok_or_else(|| unexpected(value.kind()))
    }
}

/// A type that columns can be read as.
pub trait FromValue: Sized {
    /// The expected kind of value, as error texts name it.
    const EXPECTED: &'static str;

    /// Converts the value; `None` if it is of another type.
    fn from_value(value: &Value<'static>) -> Option<Self>;
}

impl FromValue for i64 {
    const EXPECTED: &'static str = "a number";

    fn from_value(value: &Value<'static>) -> Option<Self> {
        match value {
            Value::Integer(number) => Some(*number),
            _ => None,
        }
    }
}

impl FromValue for u64 {
    const EXPECTED: &'static str = "a number that is not negative";

    fn from_value(value: &Value<'static>) -> Option<Self> {
        i64::from_value(value)?.try_into().ok()
    }
}

impl FromValue for u32 {
    const EXPECTED: &'static str = "a small number that is not negative";

    fn from_value(value: &Value<'static>) -> Option<Self> {
        i64::from_value(value)?.try_into().ok()
    }
}

impl FromValue for String {
    const EXPECTED: &'static str = "text";

    fn from_value(value: &Value<'static>) -> Option<Self> {
        match value {
            Value::Text(text) => Some(text.as_ref().to_owned()),
            _ => None,
        }
    }
}

impl FromValue for Vec<u8> {
    const EXPECTED: &'static str = "bytes";

    fn from_value(value: &Value<'static>) -> Option<Self> {
        match value {
            Value::Bytes(bytes) => Some(bytes.as_ref().to_owned()),
            _ => None,
        }
    }
}

impl<T: FromValue> FromValue for Option<T> {
    const EXPECTED: &'static str = T::EXPECTED;

    fn from_value(value: &Value<'static>) -> Option<Self> {
        match value {
            Value::Null => Some(None),
            value => T::from_value(value).map(Some),
        }
    }
}
