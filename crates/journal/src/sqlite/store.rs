//! The writing connection.

use std::{collections::BTreeMap, sync::Arc};

use assent_ids::InvocationId;
use rusqlite::{Connection, Transaction, TransactionBehavior, types::ValueRef};

use super::{
    cipher::FileCipher,
    encode::{Encoded, key},
    rows,
};
use crate::{Claim, JournalError, Seq, steps};

/// The number of calls whose next step is cached.
const MAX_REMEMBERED: usize = 16_384;

const INSERT: &str =
    "INSERT INTO runs (first, last, invocation, next_step, body) VALUES ($1, $2, $3, $4, $5)";
const NEXT_STEP: &str = "SELECT coalesce(max(next_step), 0) FROM runs WHERE invocation = $1";
const CLAIM: &str = "INSERT INTO claims (key, used) VALUES ($1, 1)
    ON CONFLICT (key) DO UPDATE SET used = used + 1 WHERE used < $2";
const SAVE: &str = "INSERT INTO held (invocation, state) VALUES ($1, $2)
    ON CONFLICT (invocation) DO UPDATE SET state = excluded.state";
const RELEASE: &str = "DELETE FROM held WHERE invocation = $1";

/// Writes batches.
pub(super) struct Store {
    connection: Connection,
    cipher: FileCipher,
    last: Seq,
    next_steps: BTreeMap<InvocationId, u32>,
}

/// Why a batch is not written: the batch is refused, or writing failed.
enum WriteError {
    Refused(JournalError),
    Failed(rusqlite::Error),
}

impl From<JournalError> for WriteError {
    fn from(error: JournalError) -> Self {
        Self::Refused(error)
    }
}

impl From<rusqlite::Error> for WriteError {
    fn from(error: rusqlite::Error) -> Self {
        Self::Failed(error)
    }
}

impl Store {
    pub(super) fn new(connection: Connection, cipher: FileCipher) -> Result<Self, rusqlite::Error> {
        let last = connection.query_row(rows::LAST, (), |row| row.get(0)).map(Seq)?;
        Ok(Self { connection, cipher, last, next_steps: BTreeMap::new() })
    }

    /// Writes a group in one transaction and returns when it is durable, with the outcome of each batch. After an error
    /// nothing of the group is written, and it can be tried again.
    pub(super) fn write(
        &mut self,
        group: &[Encoded],
    ) -> Result<Vec<Result<Seq, JournalError>>, rusqlite::Error> {
        let before = self.last;
        let result = self.write_all(group);
        if result.is_err() {
            self.last = before;
            self.next_steps.clear();
        }
        result
    }

    fn write_all(
        &mut self,
        group: &[Encoded],
    ) -> Result<Vec<Result<Seq, JournalError>>, rusqlite::Error> {
        if self.next_steps.len() > MAX_REMEMBERED {
            self.next_steps.clear();
        }
        // Dropped without a commit, it rolls back.
        let transaction =
            self.connection.transaction_with_behavior(TransactionBehavior::Immediate)?;
        let mut outcomes = Vec::with_capacity(group.len());
        for batch in group {
            match write_one(&transaction, &self.cipher, batch, &mut self.last, &mut self.next_steps)
            {
                Ok(()) => outcomes.push(Ok(self.last)),
                Err(WriteError::Refused(error)) => outcomes.push(Err(error)),
                Err(WriteError::Failed(error)) => return Err(error),
            }
        }
        transaction.commit()?;
        Ok(outcomes)
    }

    /// Checkpoints and empties the log. Returns `false` if a reader prevents it.
    pub(super) fn empty_log(&self) -> bool {
        let busy = self
            .connection
            .query_row("PRAGMA wal_checkpoint(TRUNCATE)", (), |row| row.get::<_, bool>(0));
        matches!(busy, Ok(false))
    }
}

/// Writes a batch, or refuses it before anything of it is written.
fn write_one(
    transaction: &Transaction<'_>,
    cipher: &FileCipher,
    batch: &Encoded,
    last: &mut Seq,
    next_steps: &mut BTreeMap<InvocationId, u32>,
) -> Result<(), WriteError> {
    let next = steps::check(batch.steps(), |call| match next_steps.get(&call) {
        Some(next) => Ok(*next),
        None => next_step(transaction, call).map_err(WriteError::Failed),
    })?;
    claim(transaction, &batch.claims)?;
    let mut insert = transaction.prepare_cached(INSERT)?;
    for (run, body) in batch.runs() {
        let first = last.next();
        last.0 = last.0.saturating_add(run.steps.len() as u64);
        let invocation = run.invocation.map(key);
        let body = cipher.write_run(first.0, body);
        insert.execute((first.0, last.0, invocation, run.next_step(), Text(&body)))?;
    }
    if let Some(saved) = &batch.save {
        let call = key(saved.invocation);
        let state = cipher.write_state(call, &saved.bytes);
        transaction.prepare_cached(SAVE)?.execute((call, &*state))?;
    }
    if let Some(call) = batch.release {
        transaction.prepare_cached(RELEASE)?.execute([key(call)])?;
    }
    next_steps.extend(next);
    Ok(())
}

/// The next step of a call, from the file.
fn next_step(transaction: &Transaction<'_>, call: InvocationId) -> Result<u32, rusqlite::Error> {
    transaction.prepare_cached(NEXT_STEP)?.query_row([key(call)], |row| row.get(0))
}

/// Makes all claims or none.
fn claim(transaction: &Transaction<'_>, claims: &[Claim]) -> Result<(), WriteError> {
    if claims.is_empty() {
        return Ok(());
    }
    transaction.prepare_cached("SAVEPOINT claims")?.execute(())?;
    let mut take = transaction.prepare_cached(CLAIM)?;
    for claim in claims {
        if claim.limit == 0 || take.execute((&*claim.key, claim.limit))? == 0 {
            transaction.prepare_cached("ROLLBACK TO claims")?.execute(())?;
            transaction.prepare_cached("RELEASE claims")?.execute(())?;
            return Err(JournalError::Claimed { key: Arc::clone(&claim.key) }.into());
        }
    }
    transaction.prepare_cached("RELEASE claims")?.execute(())?;
    Ok(())
}

/// Bytes that are known to be UTF-8, because a serializer wrote them.
struct Text<'a>(&'a [u8]);

impl rusqlite::ToSql for Text<'_> {
    fn to_sql(&self) -> rusqlite::Result<rusqlite::types::ToSqlOutput<'_>> {
        Ok(rusqlite::types::ToSqlOutput::Borrowed(ValueRef::Text(self.0)))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Batch, conformance::sample, sqlite::open};

    fn encoded(number: u64) -> Encoded {
        let claims = vec![Claim { key: format!("start:{number}").into(), limit: 1 }];
        let drafts = sample::allowed_call(number);
        Encoded::new(Batch { drafts, claims, ..Batch::default() }).unwrap()
    }

    fn count(store: &Store) -> u64 {
        let count = "SELECT coalesce(sum(last - first + 1), 0) FROM runs";
        store.connection.query_row(count, (), |row| row.get(0)).unwrap()
    }

    #[test]
    fn a_group_that_finds_no_room_leaves_nothing_and_can_be_tried_again() {
        let directory = tempfile::tempdir().unwrap();
        let mut store =
            open::open(&directory.path().join("journal.db"), &FileCipher::default()).unwrap().store;
        store.write(&[encoded(0)]).unwrap();
        store.connection.pragma_update(None, "max_page_count", 20).unwrap();
        let group: Vec<Encoded> = (1..50).map(encoded).collect();
        let error = store.write(&group).unwrap_err();
        assert!(error.to_string().contains("full"), "{error}");
        assert_eq!((count(&store), store.last), (12, Seq(12)));
        store.connection.pragma_update(None, "max_page_count", 100_000).unwrap();
        let outcomes = store.write(&group).unwrap();
        let expected: Vec<_> = (2..=50).map(|call| Ok(Seq(call * 12))).collect();
        assert_eq!(outcomes, expected);
        assert_eq!(count(&store), 600);
    }

    #[test]
    fn a_batch_that_is_refused_does_not_touch_the_others_of_its_group() {
        let directory = tempfile::tempdir().unwrap();
        let mut store =
            open::open(&directory.path().join("journal.db"), &FileCipher::default()).unwrap().store;
        let mut again = encoded(2);
        again.claims = encoded(1).claims;
        let outcomes = store.write(&[encoded(1), again, encoded(3), encoded(1)]).unwrap();
        let used_up = Err(JournalError::Claimed { key: "start:1".into() });
        let invocation = sample::call(1);
        let repeated = Err(JournalError::OutOfStep { invocation, expected: 12, found: 0 });
        assert_eq!(outcomes, [Ok(Seq(12)), used_up, Ok(Seq(24)), repeated]);
        assert_eq!(count(&store), 24);
    }

    #[test]
    fn what_comes_next_is_known_after_reopening() {
        let directory = tempfile::tempdir().unwrap();
        let path = directory.path().join("journal.db");
        open::open(&path, &FileCipher::default()).unwrap().store.write(&[encoded(1)]).unwrap();
        let mut store = open::open(&path, &FileCipher::default()).unwrap().store;
        assert_eq!(store.last, Seq(12));
        let outcomes = store.write(&[encoded(1)]).unwrap();
        assert!(matches!(outcomes.as_slice(), [Err(JournalError::OutOfStep { .. })]));
    }
}
