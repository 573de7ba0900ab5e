//! Looking at a database before it is used.

use crate::{Migration, OpenError, Tx};

/// What is there.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Reached {
    /// Nothing yet: the tables will be made.
    Empty,
    /// Tables of this version; they will be brought to the newest one.
    Version {
        /// The version that is there.
        version: usize,
        /// The newest that this program knows.
        newest: usize,
    },
}

const APPLIED: &str = "SELECT version FROM schema_migrations /* whole table */";

/// What the tables say, once it is known whether there are any.
pub(crate) async fn look(
    tx: &mut Tx,
    has_tables: bool,
    migrations: &'static [Migration],
) -> Result<Reached, OpenError> {
    if !has_tables {
        return Ok(Reached::Empty);
    }
    let (version, newest) = (tx.all(APPLIED, &[]).await?.len(), migrations.len());
    if version > newest {
        return Err(OpenError::TooNew { version, known: newest });
    }
    Ok(Reached::Version { version, newest })
}
