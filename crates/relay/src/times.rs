//! Times in tables and on the wire.

use assent_ids::UnixMillis;
use assent_protocol::wire::Timestamp;

/// A time, as the tables hold it.
pub(crate) fn millis(time: UnixMillis) -> i64 {
    i64::try_from(time.get()).unwrap_or(i64::MAX)
}

/// A time of a table.
pub(crate) fn time(millis: i64) -> UnixMillis {
    UnixMillis::new(u64::try_from(millis).unwrap_or_default())
}

/// A time of a table, as answers tell it.
pub(crate) fn timestamp(millis: i64) -> Timestamp {
    time(millis).into()
}
