//! A connection with an open transaction.

use deadpool_postgres::Object;
use sha2::{Digest as _, Sha256};
use tokio_postgres::{Error, error::SqlState, types::ToSql};

use super::open::described;
use crate::{OpenError, Row, StoreError, Value};

/// Settings without which an acknowledgement means nothing.
const DURABLE: [&str; 3] = ["fsync", "full_page_writes", "synchronous_commit"];

/// A connection with an open transaction.
pub(crate) struct Session {
    client: Option<Object>,
    open: bool,
    in_the_way: bool,
}

impl Session {
    pub(super) async fn begin(client: Object, how: &str) -> Result<Self, StoreError> {
        let mut session = Self { client: Some(client), open: true, in_the_way: false };
        session.script(how).await?;
        Ok(session)
    }

    /// Returns when everything since the beginning is durable.
    pub(super) async fn commit(&mut self) -> Result<(), StoreError> {
        self.script("COMMIT").await?;
        self.open = false;
        Ok(())
    }

    pub(super) async fn roll_back(&mut self) {
        // A connection that does not even do this is thrown away.
        self.open = self.script("ROLLBACK").await.is_err();
    }

    /// Whether somebody else's transaction was in the way, so that this one is worth another try.
    pub(super) const fn in_the_way(&self) -> bool {
        self.in_the_way
    }

    pub(super) async fn check_durable(&mut self) -> Result<(), OpenError> {
        for setting in DURABLE {
            let row = self.query("SELECT current_setting($1)", &[setting.into()]).await?.pop();
            let value: String = row.ok_or(StoreError::NotOneRow(0))?.get(0)?;
            if value == "off" {
                return Err(OpenError::NotDurable { setting, value });
            }
        }
        Ok(())
    }

    pub(crate) async fn execute(
        &mut self,
        sql: &'static str,
        values: &[Value<'_>],
    ) -> Result<u64, StoreError> {
        let client = self.client()?;
        let run = async {
            let statement = client.prepare_cached(sql).await?;
            client.execute(&statement, &borrowed(values)).await
        };
        run.await.map_err(|error| self.failed(&error))
    }

    pub(crate) async fn query(
        &mut self,
        sql: &'static str,
        values: &[Value<'_>],
    ) -> Result<Vec<Row>, StoreError> {
        let client = self.client()?;
        let run = async {
            let statement = client.prepare_cached(sql).await?;
            let rows = client.query(&statement, &borrowed(values)).await?;
            rows.iter().map(row).collect::<Result<Vec<_>, _>>()
        };
        run.await.map_err(|error| self.failed(&error))
    }

    pub(crate) async fn script(&mut self, sql: &str) -> Result<(), StoreError> {
        let ran = self.client()?.batch_execute(sql).await;
        ran.map_err(|error| self.failed(&error))
    }

    pub(crate) async fn lock(&mut self, name: &str) -> Result<(), StoreError> {
        let digest = Sha256::digest(name.as_bytes());
        // Two names that share a number wait for one another, which is slow but right.
        let number =
            digest.iter().take(8).fold(0_i64, |number, byte| number << 8 | i64::from(*byte));
        self.query("SELECT pg_advisory_xact_lock($1)::text", &[number.into()]).await.map(|_| ())
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
            return StoreError::Unavailable(described(error));
        }
        StoreError::Refused(described(error))
    }
}

impl Drop for Session {
    /// A connection whose transaction was abandoned does not go back to the others.
    fn drop(&mut self) {
        if self.open
            && let Some(client) = self.client.take()
        {
            drop(Object::take(client));
        }
    }
}

fn borrowed<'v>(values: &'v [Value<'_>]) -> Vec<&'v (dyn ToSql + Sync)> {
    values.iter().map(|value| value as &(dyn ToSql + Sync)).collect()
}

fn row(row: &tokio_postgres::Row) -> Result<Row, Error> {
    (0..row.len()).map(|column| row.try_get(column)).collect::<Result<_, _>>().map(Row::new)
}
