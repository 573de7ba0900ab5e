//! Optional fields: absent or a value, never `null`.

use serde::{Deserialize, Deserializer};

/// Reads a field that is there. With `#[serde(default)]` an absent field is `None`; `null` is a value
/// like any other, which the fields of type `any` accept and all others refuse, as the schemas do.
pub(crate) fn present<'de, D, T>(deserializer: D) -> Result<Option<T>, D::Error>
where
    D: Deserializer<'de>,
    T: Deserialize<'de>,
{
    T::deserialize(deserializer).map(Some)
}
