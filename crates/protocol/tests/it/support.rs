//! Random records, random JSON and the published schemas.

pub(crate) mod arbitrary;
mod calls;
mod catalog;
pub(crate) mod foreign;
pub(crate) mod json;
pub(crate) mod schemas;

use assent_protocol::wire::Timestamp;

/// A point in time for records.
pub(crate) fn at(millis: u64) -> Timestamp {
    assent_ids::UnixMillis::new(millis).into()
}

/// An id or name that is known to be good.
pub(crate) fn id<T: std::str::FromStr<Err = assent_ids::ParseIdError>>(text: &str) -> T {
    text.parse().unwrap()
}
