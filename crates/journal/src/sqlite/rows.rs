//! Reading from the file.

use std::{fmt::Display, sync::Arc};

use assent_ids::{GeneratedId, InvocationId, Ulid, UnixMillis};
use rusqlite::{ErrorCode, OptionalExtension, Params, Row};

use super::{encode::key, readers::Reader};
use crate::{Draft, Entry, Fact, JournalError, SavedState, Seq, codec};

const FROM: &str = "SELECT first, last, invocation, body FROM runs
    WHERE first >= (SELECT coalesce(max(first), 0) FROM runs WHERE first <= $1) ORDER BY first";
const OF_CALL: &str = "SELECT first, last, invocation, body FROM runs
    WHERE invocation = $1 ORDER BY first";
const SAVED: &str = "SELECT invocation, state FROM held ORDER BY invocation";
const CLAIMED: &str = "SELECT used FROM claims WHERE key = $1";
/// The sequence number of the last fact.
pub(super) const LAST: &str =
    "SELECT coalesce((SELECT last FROM runs ORDER BY first DESC LIMIT 1), 0)";
const MISSING: &str = "SELECT coalesce(max(last) - sum(last - first + 1), 0) FROM runs";
const OUT_OF_STEP: &str = "SELECT count(DISTINCT invocation) FROM (
    SELECT invocation, next_step - (last - first + 1) AS step,
        lag(next_step, 1, 0) OVER (PARTITION BY invocation ORDER BY first) AS expected
    FROM runs WHERE invocation IS NOT NULL) WHERE step <> expected";

pub(super) fn read(
    reader: &Reader,
    from: Seq,
    limit: usize,
) -> Result<Vec<Arc<Entry>>, JournalError> {
    let from = Seq(from.0.min(i64::MAX.cast_unsigned()));
    entries(reader, FROM, [from.0], from, limit)
}

pub(super) fn of_call(
    reader: &Reader,
    invocation: InvocationId,
) -> Result<Vec<Arc<Entry>>, JournalError> {
    entries(reader, OF_CALL, [key(invocation)], Seq::FIRST, usize::MAX)
}

pub(super) fn saved_states(reader: &Reader) -> Result<Vec<SavedState>, JournalError> {
    let mut statement = reader.connection.prepare_cached(SAVED).map_err(failed)?;
    let saved = |row: &Row<'_>| Ok((row.get(0)?, row.get(1)?));
    let rows = statement.query_map((), saved).map_err(failed)?;
    rows.map(|row| {
        let (invocation, stored) = row.map_err(failed)?;
        let bytes = reader.cipher.read_state(invocation, stored)?;
        Ok(SavedState { invocation: call(invocation), bytes: bytes.into() })
    })
    .collect()
}

pub(super) fn claimed(reader: &Reader, claimed: &str) -> Result<u32, JournalError> {
    let mut statement = reader.connection.prepare_cached(CLAIMED).map_err(failed)?;
    let used = statement.query_row([claimed], |row| row.get(0)).optional().map_err(failed)?;
    Ok(used.unwrap_or_default())
}

pub(super) fn last(reader: &Reader) -> Result<Seq, JournalError> {
    let mut statement = reader.connection.prepare_cached(LAST).map_err(failed)?;
    statement.query_row((), |row| row.get(0)).map(Seq).map_err(failed)
}

/// All problems of the file.
pub(super) fn integrity(reader: &Reader) -> Result<Vec<String>, JournalError> {
    let mut statement = reader.connection.prepare("PRAGMA integrity_check").map_err(failed)?;
    let found = statement.query_map((), |row| row.get::<_, String>(0)).map_err(failed)?;
    let mut problems = found.collect::<Result<Vec<_>, _>>().map_err(failed)?;
    problems.retain(|problem| problem != "ok");
    let count =
        |query| reader.connection.query_row(query, (), |row| row.get::<_, i64>(0)).map_err(failed);
    let (missing, out_of_step) = (count(MISSING)?, count(OUT_OF_STEP)?);
    let unreadable = unreadable(reader)?;
    match missing {
        0 => {}
        1.. => problems.push(format!("{missing} entries are missing")),
        _ => problems.push("some entries are there twice".to_owned()),
    }
    if out_of_step > 0 {
        problems.push(format!("the facts of {out_of_step} calls are not numbered without gaps"));
    }
    if unreadable > 0 {
        problems.push(format!("{unreadable} runs of entries cannot be read"));
    }
    Ok(problems)
}

/// The number of runs that cannot be read.
fn unreadable(reader: &Reader) -> Result<usize, JournalError> {
    let mut statement = reader.connection.prepare(FROM).map_err(failed)?;
    let mut rows = statement.query([Seq::FIRST.0]).map_err(failed)?;
    let mut count = 0;
    while let Some(row) = rows.next().map_err(failed)? {
        let read = unroll(reader, row, Seq::FIRST, usize::MAX, &mut Vec::new());
        count += usize::from(read.is_err());
    }
    Ok(count)
}

/// The facts in the runs that a query finds, from `from` on, and at most `limit`.
fn entries(
    reader: &Reader,
    query: &str,
    parameters: impl Params,
    from: Seq,
    limit: usize,
) -> Result<Vec<Arc<Entry>>, JournalError> {
    let mut statement = reader.connection.prepare_cached(query).map_err(failed)?;
    let mut rows = statement.query(parameters).map_err(failed)?;
    let mut found = Vec::new();
    while found.len() < limit
        && let Some(row) = rows.next().map_err(failed)?
    {
        unroll(reader, row, from, limit, &mut found)?;
    }
    Ok(found)
}

/// The facts of a run.
fn unroll(
    reader: &Reader,
    row: &Row<'_>,
    from: Seq,
    limit: usize,
    found: &mut Vec<Arc<Entry>>,
) -> Result<(), JournalError> {
    let (first, last): (u64, u64) = (row.get(0).map_err(failed)?, row.get(1).map_err(failed)?);
    let invocation = row.get::<_, Option<_>>(2).map_err(failed)?.map(call);
    let stored = row.get_ref(3).map_err(failed)?.as_bytes().unwrap_or_default();
    let body = reader.cipher.read_run(first, stored)?;
    let mut lines = body.split_inclusive(|byte| *byte == b'\n');
    let corrupt = |seq: u64, what: &dyn Display| JournalError::Corrupt {
        what: format!("entry {seq}: {what}"),
    };
    for seq in first..=last {
        let line = lines.next().ok_or_else(|| corrupt(seq, &"it is not there"))?;
        if seq < from.0 || found.len() >= limit {
            continue;
        }
        let (at, step, fact): (u64, u32, Fact) =
            codec::read(line).map_err(|error| corrupt(seq, &error))?;
        let draft = Draft { at: UnixMillis::new(at), invocation, step, fact };
        found.push(Arc::new(Entry { seq: Seq(seq), draft }));
    }
    match lines.next() {
        Some(_) => Err(corrupt(last, &"there are more facts than the run has")),
        None => Ok(()),
    }
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
