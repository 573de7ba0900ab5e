//! What can go wrong.

use std::{io, path::PathBuf};

/// Why a statement or a transaction failed.
#[derive(Clone, Debug, thiserror::Error)]
#[non_exhaustive]
pub enum StoreError {
    /// The disk or the database does not do what it should; nothing was acknowledged. Trying again
    /// later, with the same ids, is safe.
    #[error("the storage is not available: {0}")]
    Unavailable(String),
    /// Too much waits already.
    #[error("the storage has too much to do")]
    Overloaded,
    /// A rule of the tables was broken: the program is wrong.
    #[error("the storage refused a statement: {0}")]
    Refused(String),
    /// A column holds something else than the program expects.
    #[error("column {column} holds {found} instead of {expected}")]
    Unexpected {
        /// The number of the column, from zero.
        column: usize,
        /// What was asked for.
        expected: &'static str,
        /// What is there.
        found: &'static str,
    },
    /// There is not exactly one row.
    #[error("a statement gave {0} rows instead of one")]
    NotOneRow(usize),
    /// A unit of work waited for something else than its transaction.
    #[error("a unit of work waited for something outside of its transaction")]
    WaitedOutside,
    /// The database was closed.
    #[error("the storage is closed")]
    Closed,
}

impl StoreError {
    /// Whether the same request may succeed later.
    #[must_use]
    pub const fn is_temporary(&self) -> bool {
        matches!(self, Self::Unavailable(_) | Self::Overloaded | Self::Closed)
    }
}

/// Why a database could not be opened.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum OpenError {
    /// Another process has it open.
    #[error("`{}` is in use by another process: stop it, or choose another data directory", .0.display())]
    InUse(PathBuf),
    /// SQLite is too old.
    #[error("SQLite {0} can lose what was written: 3.51.3 or newer is needed")]
    UnsupportedSqlite(&'static str),
    /// The file belongs to another program.
    #[error("`{}` is a database of another program", .0.display())]
    Foreign(PathBuf),
    /// A newer version of the program has changed it.
    #[error("the database has version {version}, this program knows {known}: use a newer one")]
    TooNew {
        /// The version that is there.
        version: usize,
        /// The newest that this program knows.
        known: usize,
    },
    /// A migration that was applied is not the one that the program has.
    #[error("migration {version} `{name}` is not the one that was applied to this database")]
    Rewritten {
        /// Its number.
        version: usize,
        /// Its name in the program.
        name: &'static str,
    },
    /// PostgreSQL would acknowledge before it is durable.
    #[error(
        "PostgreSQL runs with `{setting} = '{value}'` and would acknowledge what it can lose: {}",
        remedy(setting)
    )]
    NotDurable {
        /// The setting.
        setting: &'static str,
        /// What it says.
        value: String,
    },
    /// The file system refused.
    #[error("`{}` cannot be opened: {error}", .path.display())]
    File {
        /// The file.
        path: PathBuf,
        /// What it said.
        error: io::Error,
    },
    /// The database refused.
    #[error("the database cannot be opened: {0}")]
    Database(String),
    /// The system gave no thread.
    #[error("the database cannot be opened: {0}")]
    Thread(io::Error),
}

impl From<StoreError> for OpenError {
    fn from(error: StoreError) -> Self {
        Self::Database(error.to_string())
    }
}

/// What to do about a setting.
fn remedy(setting: &str) -> &'static str {
    if setting == "synchronous_standby_names" {
        "the address names several servers, so say there which of them must have what is acknowledged"
    } else {
        "set it to `on`"
    }
}
