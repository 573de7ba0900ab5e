//! What a query gives.

use crate::{StoreError, Value};

/// One row.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Row(Vec<Value<'static>>);

impl Row {
    pub(crate) const fn new(columns: Vec<Value<'static>>) -> Self {
        Self(columns)
    }

    /// What column `column` holds, counted from zero. A value is taken out only once.
    ///
    /// # Errors
    ///
    /// If there is no such column, or if it holds something else.
    pub fn get<T: FromValue>(&mut self, column: usize) -> Result<T, StoreError> {
        let value = self.0.get_mut(column).map(|value| std::mem::replace(value, Value::Null));
        let unexpected = |found| StoreError::Unexpected { column, expected: T::EXPECTED, found };
        let value = value.ok_or_else(|| unexpected("no such column"))?;
        let found = value.kind();
        T::from_value(value).ok_or_else(|| unexpected(found))
    }
}

/// A type that columns are read as.
pub trait FromValue: Sized {
    /// In words.
    const EXPECTED: &'static str;

    /// The value, if it is one.
    fn from_value(value: Value<'static>) -> Option<Self>;
}

impl FromValue for i64 {
    const EXPECTED: &'static str = "a number";

    fn from_value(value: Value<'static>) -> Option<Self> {
        match value {
            Value::Integer(number) => Some(number),
            _ => None,
        }
    }
}

impl FromValue for u64 {
    const EXPECTED: &'static str = "a number that is not negative";

    fn from_value(value: Value<'static>) -> Option<Self> {
        i64::from_value(value)?.try_into().ok()
    }
}

impl FromValue for u32 {
    const EXPECTED: &'static str = "a small number that is not negative";

    fn from_value(value: Value<'static>) -> Option<Self> {
        i64::from_value(value)?.try_into().ok()
    }
}

impl FromValue for String {
    const EXPECTED: &'static str = "text";

    fn from_value(value: Value<'static>) -> Option<Self> {
        match value {
            Value::Text(text) => Some(text.into_owned()),
            _ => None,
        }
    }
}

impl FromValue for Vec<u8> {
    const EXPECTED: &'static str = "bytes";

    fn from_value(value: Value<'static>) -> Option<Self> {
        match value {
            Value::Bytes(bytes) => Some(bytes.into_owned()),
            _ => None,
        }
    }
}

impl<T: FromValue> FromValue for Option<T> {
    const EXPECTED: &'static str = T::EXPECTED;

    fn from_value(value: Value<'static>) -> Option<Self> {
        match value {
            Value::Null => Some(None),
            value => T::from_value(value).map(Some),
        }
    }
}
