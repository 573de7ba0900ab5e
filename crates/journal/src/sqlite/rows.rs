//! What is read from the file.

use std::sync::Arc;

use assent_ids::{GeneratedId, InvocationId, Ulid, UnixMillis};
use rusqlite::{Connection, ErrorCode, OptionalExtension, Params, Row};

use super::encode::key;
use crate::{Draft, Entry, Fact, Held, JournalError, Seq, codec};

const PAGE: &str = "SELECT seq, at, invocation, step, body FROM entries
    WHERE seq >= $1 ORDER BY seq LIMIT $2";
const OF_CALL: &str = "SELECT seq, at, invocation, step, body FROM entries
    WHERE invocation = $1 ORDER BY step";
const HELD: &str = "SELECT invocation, state FROM held ORDER BY invocation";
const CLAIMED: &str = "SELECT used FROM claims WHERE key = $1";
const LAST: &str = "SELECT coalesce(max(seq), 0) FROM entries";
const MISSING: &str = "SELECT coalesce(max(seq), 0) - count(*) FROM entries";
const OUT_OF_STEP: &str = "SELECT count(*) FROM (
    SELECT 1 FROM entries WHERE invocation IS NOT NULL
    GROUP BY invocation HAVING min(step) <> 0 OR count(*) <> max(step) + 1)";

pub(super) fn read(
    connection: &Connection,
    from: Seq,
    limit: usize,
) -> Result<Vec<Arc<Entry>>, JournalError> {
    let limit = i64::try_from(limit).unwrap_or(i64::MAX);
    let from = i64::try_from(from.0).unwrap_or(i64::MAX);
    entries(connection, PAGE, (from, limit))
}

pub(super) fn of_call(
    connection: &Connection,
    invocation: InvocationId,
) -> Result<Vec<Arc<Entry>>, JournalError> {
    entries(connection, OF_CALL, [key(invocation)])
}

pub(super) fn held(connection: &Connection) -> Result<Vec<Held>, JournalError> {
    let mut statement = connection.prepare_cached(HELD).map_err(failed)?;
    let held = |row: &Row<'_>| {
        let state: Vec<u8> = row.get(1)?;
        Ok(Held { invocation: call(row.get(0)?), state: state.into() })
    };
    statement.query_map((), held).and_then(Iterator::collect).map_err(failed)
}

pub(super) fn claimed(connection: &Connection, claimed: &str) -> Result<u32, JournalError> {
    let mut statement = connection.prepare_cached(CLAIMED).map_err(failed)?;
    let used = statement.query_row([claimed], |row| row.get(0)).optional().map_err(failed)?;
    Ok(used.unwrap_or_default())
}

pub(super) fn last(connection: &Connection) -> Result<Seq, JournalError> {
    let mut statement = connection.prepare_cached(LAST).map_err(failed)?;
    statement.query_row((), |row| row.get(0)).map(Seq).map_err(failed)
}

/// Everything that is wrong with the file.
pub(super) fn integrity(connection: &Connection) -> Result<Vec<String>, JournalError> {
    let mut statement = connection.prepare("PRAGMA integrity_check").map_err(failed)?;
    let found = statement.query_map((), |row| row.get::<_, String>(0)).map_err(failed)?;
    let mut problems = found.collect::<Result<Vec<_>, _>>().map_err(failed)?;
    problems.retain(|problem| problem != "ok");
    let count = |query| connection.query_row(query, (), |row| row.get::<_, u64>(0)).map_err(failed);
    let (missing, out_of_step) = (count(MISSING)?, count(OUT_OF_STEP)?);
    if missing > 0 {
        problems.push(format!("{missing} entries are missing"));
    }
    if out_of_step > 0 {
        problems.push(format!("the facts of {out_of_step} calls are not numbered without gaps"));
    }
    Ok(problems)
}

fn entries(
    connection: &Connection,
    query: &str,
    parameters: impl Params,
) -> Result<Vec<Arc<Entry>>, JournalError> {
    let mut statement = connection.prepare_cached(query).map_err(failed)?;
    let mut rows = statement.query(parameters).map_err(failed)?;
    let mut found = Vec::new();
    while let Some(row) = rows.next().map_err(failed)? {
        found.push(Arc::new(entry(row)?));
    }
    Ok(found)
}

fn entry(row: &Row<'_>) -> Result<Entry, JournalError> {
    let seq = row.get(0).map(Seq).map_err(failed)?;
    let at = row.get(1).map(UnixMillis::new).map_err(failed)?;
    let invocation = row.get::<_, Option<_>>(2).map_err(failed)?.map(call);
    let step = row.get(3).map_err(failed)?;
    let body = row.get_ref(4).map_err(failed)?.as_bytes().unwrap_or_default();
    let fact: Fact = codec::read(body)
        .map_err(|error| JournalError::Corrupt { what: format!("entry {seq}: {error}") })?;
    Ok(Entry { seq, draft: Draft { at, invocation, step, fact } })
}

fn call(bits: [u8; 16]) -> InvocationId {
    InvocationId::from_ulid(Ulid::from_bits(u128::from_be_bytes(bits)))
}

#[expect(clippy::needless_pass_by_value, reason = "it is given to `map_err`")]
fn failed(error: rusqlite::Error) -> JournalError {
    match error.sqlite_error_code() {
        Some(ErrorCode::DatabaseCorrupt | ErrorCode::NotADatabase) => {
            JournalError::Corrupt { what: error.to_string() }
        }
        _ => JournalError::Unavailable(error.to_string()),
    }
}
