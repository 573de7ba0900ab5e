//! How the tables came to look as they do.

use sha2::{Digest as _, Sha256};

use crate::{Dialect, OpenError, StoreError, Tx};

/// A step. Number n of the list makes version n + 1 of the database.
///
/// It is written in the language of PostgreSQL with the types `BIGINT`, `TEXT`, `BYTEA` and `JSONB`.
/// What stands between `/*sqlite` and `*/` is said to SQLite only, between `/*postgres` and `*/` to
/// PostgreSQL only.
#[derive(Clone, Copy, Debug)]
pub struct Migration {
    /// What it is about.
    pub name: &'static str,
    /// Its statements.
    pub sql: &'static str,
}

const TABLE: &str = "CREATE TABLE IF NOT EXISTS schema_migrations (
    version BIGINT PRIMARY KEY, name TEXT NOT NULL, digest TEXT NOT NULL)";
const APPLIED: &str = "SELECT version, digest FROM schema_migrations ORDER BY version
    /* whole table */";
const RECORD: &str = "INSERT INTO schema_migrations (version, name, digest) VALUES ($1, $2, $3)";

impl Migration {
    fn digest(&self) -> String {
        let digest = Sha256::digest(self.sql.as_bytes());
        digest.iter().map(|byte| format!("{byte:02x}")).collect()
    }

    pub(crate) fn statements(&self, dialect: Dialect) -> String {
        match dialect {
            Dialect::Postgres => revealed(self.sql, "/*postgres"),
            Dialect::Sqlite => for_sqlite(self.sql),
        }
    }
}

/// Types by the names that SQLite checks strictly, and its own remarks made visible.
fn for_sqlite(sql: &str) -> String {
    let text = revealed(sql, "/*sqlite");
    text.replace("BIGINT", "INTEGER").replace("JSONB", "TEXT").replace("BYTEA", "BLOB")
}

/// The statements, with the remarks that begin with `mark` made visible.
fn revealed(sql: &str, mark: &str) -> String {
    let mut text = String::with_capacity(sql.len());
    let mut rest = sql;
    while let Some((before, after)) = rest.split_once(mark) {
        text.push_str(before);
        let (remark, after) = after.split_once("*/").unwrap_or((after, ""));
        text.push_str(remark);
        rest = after;
    }
    text.push_str(rest);
    text
}

/// Brings the database to the newest version. The caller holds it alone.
pub(crate) async fn run(tx: &mut Tx, migrations: &'static [Migration]) -> Result<(), OpenError> {
    // Statements about a table are made when it is there.
    tx.change(TABLE, &[]).await?;
    let applied = tx.all(APPLIED, &[]).await?;
    let missing = migrations
        .get(applied.len()..)
        .ok_or(OpenError::TooNew { version: applied.len(), known: migrations.len() })?;
    for (at, (row, migration)) in applied.into_iter().zip(migrations).enumerate() {
        if row.get::<String>(1)? != migration.digest() {
            let version = at.saturating_add(1);
            return Err(OpenError::Rewritten { version, name: migration.name });
        }
    }
    let first = migrations.len().saturating_sub(missing.len());
    for (version, migration) in (1_i64..).skip(first).zip(missing) {
        tx.script(&migration.statements(tx.dialect())).await?;
        let digest = migration.digest();
        tx.execute(RECORD, &[version.into(), migration.name.into(), digest.into()]).await?;
    }
    Ok(())
}

impl Tx {
    async fn script(&mut self, sql: &str) -> Result<(), StoreError> {
        match &mut self.0 {
            crate::tx::Inner::Sqlite(session) => session.script(sql),
            crate::tx::Inner::Postgres(session) => session.script(sql).await,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::{for_sqlite, revealed};

    #[test]
    fn sqlite_reads_its_own_types_and_remarks() {
        let sql = "CREATE TABLE a (n BIGINT, j JSONB, b BYTEA) /*sqlite STRICT*/;";
        assert_eq!(for_sqlite(sql), "CREATE TABLE a (n INTEGER, j TEXT, b BLOB)  STRICT;");
        assert_eq!(for_sqlite("SELECT 1"), "SELECT 1");
    }

    #[test]
    fn postgres_reads_its_own_remarks() {
        let sql = "SELECT 1; /*postgres SELECT 2;*/ /*sqlite SELECT 3;*/";
        assert_eq!(revealed(sql, "/*postgres"), "SELECT 1;  SELECT 2; /*sqlite SELECT 3;*/");
    }
}
