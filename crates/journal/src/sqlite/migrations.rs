//! The migrations of the file. Steps are only added at the end.

use std::cmp::Ordering;

use rusqlite::{Connection, TransactionBehavior};

use super::OpenError;

/// Step n makes version n + 1 of the file.
const STEPS: [&str; 2] =
    [include_str!("migrations/0001_initial.sql"), include_str!("migrations/0002_runs.sql")];

/// Identifies a journal in the header of the file: `ASTJ`.
const APPLICATION_ID: i32 = i32::from_be_bytes(*b"ASTJ");

/// Checks that the file is a journal of the newest version.
pub(super) fn check(connection: &Connection) -> Result<(), OpenError> {
    let pragma = |name| connection.pragma_query_value(None, name, |row| row.get::<_, i64>(0));
    if pragma("application_id")? != i64::from(APPLICATION_ID) {
        return Err(OpenError::NotAJournal);
    }
    let version = usize::try_from(pragma("user_version")?).unwrap_or_default();
    match version.cmp(&STEPS.len()) {
        Ordering::Less => Err(OpenError::TooOld { version }),
        Ordering::Equal => Ok(()),
        Ordering::Greater => Err(OpenError::TooNew { version }),
    }
}

/// Migrates the file to the newest version.
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

#[cfg(test)]
mod tests {
    use rusqlite::Connection;

    use super::{APPLICATION_ID, STEPS, run};
    use crate::{
        Fact, Seq,
        conformance::sample,
        sqlite::{cipher::FileCipher, encode::key, readers::Reader, rows},
    };

    /// A file as the first version of the program left it.
    fn first_version() -> Connection {
        let connection = Connection::open_in_memory().unwrap();
        connection.execute_batch(STEPS[0]).unwrap();
        connection.pragma_update(None, "application_id", APPLICATION_ID).unwrap();
        connection.pragma_update(None, "user_version", 1).unwrap();
        let body = serde_json::to_string(&Fact::NeedsInput { prompt: "two\nlines".to_owned() });
        let insert = "INSERT INTO entries (at, invocation, step, body) VALUES (7, ?1, ?2, ?3)";
        for (call, step) in [(1, 0), (2, 0), (1, 1), (2, 1), (2, 2)] {
            let row = (key(sample::call(call)), step, body.as_ref().unwrap());
            connection.execute(insert, row).unwrap();
        }
        connection
    }

    #[test]
    fn everything_in_a_file_of_the_first_version_is_found() {
        let mut connection = first_version();
        run(&mut connection).unwrap();
        let reader = Reader { connection, cipher: FileCipher::default() };
        let steps = |call| {
            let entries = rows::of_call(&reader, sample::call(call)).unwrap();
            entries.iter().map(|entry| entry.draft.step).collect::<Vec<_>>()
        };
        assert_eq!((steps(1), steps(2), steps(3)), (vec![0, 1], vec![0, 1, 2], vec![]));
        let page = rows::read(&reader, Seq(2), 3).unwrap();
        let found: Vec<_> = page.iter().map(|entry| (entry.seq.0, entry.draft.at.get())).collect();
        assert_eq!(found, [(2, 7), (3, 7), (4, 7)]);
        let fact = &page[0].draft.fact;
        assert_eq!(*fact, Fact::NeedsInput { prompt: "two\nlines".to_owned() });
        assert_eq!(rows::integrity(&reader), Ok(Vec::new()));
    }
}
