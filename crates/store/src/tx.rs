//! A transaction, as a unit of work sees it.

use crate::{Dialect, FromValue, Row, StoreError, Value, postgres, sqlite};

/// An open transaction.
pub struct Tx(pub(crate) Inner);

pub(crate) enum Inner {
    Sqlite(sqlite::Session),
    Postgres(postgres::Session),
}

impl Tx {
    /// Runs a statement. PostgreSQL gets it together with the next one, so what it says against it may
    /// come with that, or with the end of the unit of work.
    ///
    /// # Errors
    ///
    /// If the store refuses.
    pub async fn execute(
        &mut self,
        sql: &'static str,
        values: &[Value<'_>],
    ) -> Result<(), StoreError> {
        match &mut self.0 {
            Inner::Sqlite(session) => session.execute(sql, values).map(|_| ()),
            Inner::Postgres(session) => session.execute(sql, values).await,
        }
    }

    /// Runs a statement and says how many rows it changed.
    ///
    /// # Errors
    ///
    /// If the store refuses.
    pub async fn change(
        &mut self,
        sql: &'static str,
        values: &[Value<'_>],
    ) -> Result<u64, StoreError> {
        match &mut self.0 {
            Inner::Sqlite(session) => session.execute(sql, values),
            Inner::Postgres(session) => session.change(sql, values).await,
        }
    }

    /// All rows of a query. The query bounds their number.
    ///
    /// # Errors
    ///
    /// If the store refuses.
    pub async fn all(
        &mut self,
        sql: &'static str,
        values: &[Value<'_>],
    ) -> Result<Vec<Row>, StoreError> {
        match &mut self.0 {
            Inner::Sqlite(session) => session.query(sql, values),
            Inner::Postgres(session) => session.query(sql, values).await,
        }
    }

    /// The row of a query that gives at most one.
    ///
    /// # Errors
    ///
    /// If the store refuses, or if there are several.
    pub async fn optional(
        &mut self,
        sql: &'static str,
        values: &[Value<'_>],
    ) -> Result<Option<Row>, StoreError> {
        let mut rows = self.all(sql, values).await?;
        if rows.len() > 1 {
            return Err(StoreError::NotOneRow(rows.len()));
        }
        Ok(rows.pop())
    }

    /// The row of a query that gives exactly one.
    ///
    /// # Errors
    ///
    /// If the store refuses, or if there is not exactly one.
    pub async fn one(
        &mut self,
        sql: &'static str,
        values: &[Value<'_>],
    ) -> Result<Row, StoreError> {
        self.optional(sql, values).await?.ok_or(StoreError::NotOneRow(0))
    }

    /// The first column of a query that gives exactly one row.
    ///
    /// # Errors
    ///
    /// If the store refuses, if there is not exactly one row, or if it holds something else.
    pub async fn scalar<T: FromValue>(
        &mut self,
        sql: &'static str,
        values: &[Value<'_>],
    ) -> Result<T, StoreError> {
        self.one(sql, values).await?.get(0)
    }

    /// The first column of all rows of a query.
    ///
    /// # Errors
    ///
    /// If the store refuses, or if a row holds something else.
    pub async fn column<T: FromValue>(
        &mut self,
        sql: &'static str,
        values: &[Value<'_>],
    ) -> Result<Vec<T>, StoreError> {
        self.all(sql, values).await?.into_iter().map(|row| row.get(0)).collect()
    }

    /// Locks `name` until the transaction ends. A work that takes several locks takes them in the order of their
    /// names.
    ///
    /// SQLite has one writer, who holds everything.
    ///
    /// # Errors
    ///
    /// If the store refuses.
    pub async fn lock(&mut self, name: &str) -> Result<(), StoreError> {
        match &mut self.0 {
            Inner::Sqlite(_) => Ok(()),
            Inner::Postgres(session) => session.lock(name).await,
        }
    }

    /// Which database it is, for the few statements that they do not share.
    #[must_use]
    pub const fn dialect(&self) -> Dialect {
        match &self.0 {
            Inner::Sqlite(_) => Dialect::Sqlite,
            Inner::Postgres(_) => Dialect::Postgres,
        }
    }
}
