//! Times in tables and on the wire.

use assent_ids::UnixMillis;
use assent_protocol::wire::Timestamp;

/// A time, as the tables hold it.
pub(crate) fn millis(time: UnixMillis) -> i64 {
    i64::try_from(time.get()).unwrap_or(i64::MAX)
}

/// So often a row may look changed that is changed all the time.
const TICK: i64 = 10_000;

/// A time as the tables hold it, to ten seconds. PostgreSQL keeps every state of a row until it is
/// cleaned up; one whose indexed columns are what they were is cleaned up at once.
pub(crate) fn tick(time: UnixMillis) -> i64 {
    let millis = millis(time);
    millis - millis.rem_euclid(TICK)
}

/// A time of a table.
pub(crate) fn time(millis: i64) -> UnixMillis {
    UnixMillis::new(u64::try_from(millis).unwrap_or_default())
}

/// A time of a table, as answers tell it.
pub(crate) fn timestamp(millis: i64) -> Timestamp {
    time(millis).into()
}
