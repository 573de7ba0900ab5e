//! Where a list goes on: opaque to clients, and checked when it comes back.

use assent_relay_api::value::Cursor;

use crate::http::Refusal;

/// The cursor behind an entry of a list that is ordered by a number and then by an id.
pub(crate) fn after(number: i64, id: &str) -> String {
    format!("{number}.{id}")
}

/// The number and the id behind which to go on.
pub(crate) fn read(cursor: Option<&Cursor>) -> Result<Option<(i64, String)>, Refusal> {
    let Some(cursor) = cursor else { return Ok(None) };
    let parts = cursor.as_str().split_once('.');
    let parsed = parts.and_then(|(number, id)| Some((number.parse().ok()?, id.to_owned())));
    parsed.map(Some).ok_or_else(unknown)
}

/// The cursor is none of ours.
pub(crate) fn unknown() -> Refusal {
    let text = "this cursor is none of this list; begin without one";
    Refusal::invalid("/cursor", text)
}
