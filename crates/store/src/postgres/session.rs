//! A connection with an open transaction.
//!
//! Every answer of the server takes a journey there and back. So nothing is waited for that is not needed
//! at once: the beginning of a transaction, locks and changes travel with the next question, or with the
//! commit, and what the server says against one of them comes back with that. The server does what it is
//! sent in order, and nothing after a mistake.

use deadpool_postgres::Object;
use futures_util::{
    FutureExt as _,
    future::{BoxFuture, join, join_all},
};
use sha2::{Digest as _, Sha256};
use tokio_postgres::{Error, Statement, error::SqlState, types::ToSql};

use super::open::described;
use crate::{Row, StoreError, Value};

/// So much may wait to be sent.
const MAX_WAITING: usize = 256;

/// A connection with an open transaction.
pub(crate) struct Session {
    client: Option<Object>,
    /// What begins the transaction, until it is sent.
    begin: Option<&'static str>,
    /// Changes that were not sent yet.
    waiting: Vec<(Statement, Vec<Value<'static>>)>,
    /// Whether the server has a transaction of ours that has not ended.
    open: bool,
    in_the_way: bool,
    /// Whether the server cannot do what it is asked now. Another connection may reach one that can.
    is_unfit: bool,
}

impl Session {
    /// A transaction that begins with its first question.
    pub(super) const fn new(client: Object, begin: &'static str) -> Self {
        Self {
            client: Some(client),
            begin: Some(begin),
            waiting: Vec::new(),
            open: false,
            in_the_way: false,
            is_unfit: false,
        }
    }

    /// Returns when everything since the beginning is durable.
    pub(super) async fn commit(&mut self) -> Result<(), StoreError> {
        if self.begin.is_some() && self.waiting.is_empty() {
            return Ok(());
        }
        let commit = async |client: &Object| client.batch_execute("COMMIT").await;
        let (before, committed) = self.exchange(commit).await?;
        // After a mistake the server takes everything back and calls that an end as well.
        self.open = committed.is_err();
        before.and(committed).map_err(|error| self.failed(&error))
    }

    /// Rolls back. Does not wait for the answer: the next use of the connection comes after it.
    pub(super) fn roll_back(&mut self) {
        self.waiting.clear();
        if !self.open {
            return;
        }
        let sent = self.client().map(|client| client.batch_execute("ROLLBACK").now_or_never());
        // A connection that does not even take this is thrown away.
        self.open = matches!(sent, Err(_) | Ok(Some(Err(_))));
    }

    /// Whether another transaction was in the way, so that this one is worth another try.
    pub(super) const fn in_the_way(&self) -> bool {
        self.in_the_way
    }

    /// Runs a statement with whatever comes next.
    pub(crate) async fn execute(
        &mut self,
        sql: &'static str,
        values: &[Value<'_>],
    ) -> Result<(), StoreError> {
        let statement = self.prepare(sql).await?;
        self.waiting.push((statement, values.iter().map(Value::to_static).collect()));
        if self.waiting.len() < MAX_WAITING { Ok(()) } else { self.flush().await }
    }

    /// Runs a statement and says how many rows it changed.
    pub(crate) async fn change(
        &mut self,
        sql: &'static str,
        values: &[Value<'_>],
    ) -> Result<u64, StoreError> {
        let statement = self.prepare(sql).await?;
        let run = async |client: &Object| client.execute(&statement, &borrowed(values)).await;
        self.send(run).await
    }

    pub(crate) async fn query(
        &mut self,
        sql: &'static str,
        values: &[Value<'_>],
    ) -> Result<Vec<Row>, StoreError> {
        let statement = self.prepare(sql).await?;
        let run = async |client: &Object| {
            let rows = client.query(&statement, &borrowed(values)).await?;
            rows.iter().map(row).collect::<Result<Vec<_>, _>>()
        };
        self.send(run).await
    }

    pub(crate) async fn script(&mut self, sql: &str) -> Result<(), StoreError> {
        self.send(async |client: &Object| client.batch_execute(sql).await).await
    }

    async fn flush(&mut self) -> Result<(), StoreError> {
        self.send(async |_: &Object| Ok(())).await
    }

    /// The statement, which this connection remembers. It is made outside of the order of the others, so
    /// it cannot speak of tables that they make.
    async fn prepare(&mut self, sql: &'static str) -> Result<Statement, StoreError> {
        let prepared = self.client()?.prepare_cached(sql).await;
        prepared.map_err(|error| self.failed(&error))
    }

    /// What the server answers to `last`, unless it says something against what comes before.
    async fn send<T>(
        &mut self,
        last: impl AsyncFnOnce(&Object) -> Result<T, Error>,
    ) -> Result<T, StoreError> {
        let (before, last) = self.exchange(last).await?;
        before.and(last).map_err(|error| self.failed(&error))
    }

    /// Sends what waits, and `last` after it, all at once; then waits for the answers: the first mistake
    /// in what waited, and what came of `last`.
    async fn exchange<T>(
        &mut self,
        last: impl AsyncFnOnce(&Object) -> Result<T, Error>,
    ) -> Result<(Result<(), Error>, Result<T, Error>), StoreError> {
        let begin = self.begin.take();
        let waiting = std::mem::take(&mut self.waiting);
        // Even if the caller stops waiting, the server was asked to begin.
        self.open = true;
        let client = self.client()?;
        let answers = async {
            let answers = sent(client, begin, &waiting)?;
            Ok(join(join_all(answers), last(client)).await)
        };
        let (before, last) = answers.await.map_err(|error| self.failed(&error))?;
        Ok((before.into_iter().collect(), last))
    }

    pub(crate) async fn lock(&mut self, name: &str) -> Result<(), StoreError> {
        let digest = Sha256::digest(name.as_bytes());
        // Two names that share a number wait for one another, which is slow but right.
        let number =
            digest.iter().take(8).fold(0_i64, |number, byte| number << 8 | i64::from(*byte));
        self.execute("SELECT pg_advisory_xact_lock($1)::text", &[number.into()]).await
    }

    fn client(&self) -> Result<&Object, StoreError> {
        self.client.as_ref().ok_or(StoreError::Closed)
    }

    fn failed(&mut self, error: &Error) -> StoreError {
        let Some(said) = error.as_db_error() else {
            return StoreError::Unavailable(described(error));
        };
        let code = said.code();
        if *code == SqlState::T_R_SERIALIZATION_FAILURE || *code == SqlState::T_R_DEADLOCK_DETECTED
        {
            self.in_the_way = true;
            return StoreError::Overloaded;
        }
        // Connections, resources, operators and the system: the statement is not at fault.
        let classes = ["08", "25006", "53", "57", "58", "XX"];
        if classes.iter().any(|class| code.code().starts_with(class)) {
            self.is_unfit = true;
            return StoreError::Unavailable(described(error));
        }
        StoreError::Refused(described(error))
    }
}

impl Drop for Session {
    /// A connection whose transaction was abandoned does not go back to the others, and neither does one to a
    /// server that only answers that it cannot.
    fn drop(&mut self) {
        if (self.open || self.is_unfit)
            && let Some(client) = self.client.take()
        {
            drop(Object::take(client));
        }
    }
}

/// Sends statements one after the other, without waiting for the answers.
///
/// # Errors
///
/// If one cannot even be sent. Nothing that comes after it is sent either: the server does not know of that
/// mistake, and would take the rest for the whole.
fn sent<'a>(
    client: &'a Object,
    begin: Option<&'a str>,
    statements: &'a [(Statement, Vec<Value<'static>>)],
) -> Result<Vec<BoxFuture<'a, Result<(), Error>>>, Error> {
    let begun = begin.map(|begin| client.batch_execute(begin).boxed());
    let run = statements.iter().map(|(statement, values)| {
        async { client.execute(statement, &borrowed(values)).await.map(|_| ()) }.boxed()
    });
    let mut answers = Vec::with_capacity(statements.len() + 1);
    for mut answer in begun.into_iter().chain(run) {
        // Each is sent when it is first looked at.
        match (&mut answer).now_or_never() {
            None => answers.push(answer),
            Some(outcome) => outcome?,
        }
    }
    Ok(answers)
}

fn borrowed<'v>(values: &'v [Value<'_>]) -> Vec<&'v (dyn ToSql + Sync)> {
    values.iter().map(|value| value as &(dyn ToSql + Sync)).collect()
}

fn row(row: &tokio_postgres::Row) -> Result<Row, Error> {
    (0..row.len()).map(|column| row.try_get(column)).collect::<Result<_, _>>().map(Row::new)
}
