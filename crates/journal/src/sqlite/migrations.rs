//! How the file came to look as it does. Steps are only ever added at the end.

use rusqlite::{Connection, TransactionBehavior};

use super::OpenError;

/// Step n makes version n + 1 of the file.
const STEPS: [&str; 1] = [include_str!("migrations/0001_initial.sql")];

/// Says in the header of the file that it is a journal: `ASTJ`.
const APPLICATION_ID: i32 = i32::from_be_bytes(*b"ASTJ");

/// Brings the file to the newest version.
pub(super) fn run(connection: &mut Connection) -> Result<(), OpenError> {
    let transaction = connection.transaction_with_behavior(TransactionBehavior::Immediate)?;
    let application: i32 =
        transaction.pragma_query_value(None, "application_id", |row| row.get(0))?;
    let version: usize = transaction.pragma_query_value(None, "user_version", |row| row.get(0))?;
    let tables: u32 =
        transaction.query_row("SELECT count(*) FROM sqlite_schema", (), |row| row.get(0))?;
    match (application, version, tables) {
        (0, 0, 0) => transaction.pragma_update(None, "application_id", APPLICATION_ID)?,
        (APPLICATION_ID, 1.., _) => {}
        _ => return Err(OpenError::NotAJournal),
    }
    let missing = STEPS.get(version..).ok_or(OpenError::TooNew { version })?;
    for step in missing {
        transaction.execute_batch(step)?;
    }
    transaction.pragma_update(None, "user_version", STEPS.len())?;
    transaction.commit()?;
    Ok(())
}
