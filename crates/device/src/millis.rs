//! Times in stored records, as milliseconds since 1970.

use assent_ids::UnixMillis;
use serde::{Deserialize as _, Deserializer, Serializer};

pub(crate) fn serialize<S: Serializer>(
    time: &UnixMillis,
    serializer: S,
) -> Result<S::Ok, S::Error> {
    serializer.serialize_u64(time.get())
}

pub(crate) fn deserialize<'de, D: Deserializer<'de>>(
    deserializer: D,
) -> Result<UnixMillis, D::Error> {
    u64::deserialize(deserializer).map(UnixMillis::new)
}

/// A time as a value of SQL.
pub(crate) fn sql(time: UnixMillis) -> i64 {
    i64::try_from(time.get()).unwrap_or(i64::MAX)
}
