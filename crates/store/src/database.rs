//! A database, whichever it is.

use std::{path::Path, pin::Pin, sync::Arc};

use crate::{
    Location, Migration, OpenError, Reached, StoreError, Work, WriteBehind,
    postgres::{Listener, Postgres},
    sqlite::Sqlite,
};

/// A database that is open. Copies are handles of the same one.
#[derive(Clone)]
pub struct Database(Backend);

#[derive(Clone)]
enum Backend {
    Sqlite(Arc<Sqlite>),
    Postgres(Arc<Postgres>),
}

/// Which language a database speaks.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Dialect {
    /// SQLite: one process, one writer.
    Sqlite,
    /// PostgreSQL: many processes.
    Postgres,
}

/// How a database is doing.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Health {
    /// Units of work that wait.
    pub waiting: usize,
    /// Transactions that were committed since it was opened.
    pub commits: u64,
}

impl Database {
    /// Opens a database and brings it to the newest version. Answers are sent on the
    /// runtime that this is called on.
    ///
    /// # Errors
    ///
    /// If it cannot be reached, belongs to another program, is newer than the program, or would not be
    /// durable.
    pub async fn open(
        location: &Location,
        migrations: &'static [Migration],
    ) -> Result<Self, OpenError> {
        Ok(Self(match location {
            Location::Sqlite(path) => {
                Backend::Sqlite(Arc::new(Sqlite::open(path, migrations, None)?))
            }
            Location::Postgres(url) => {
                Backend::Postgres(Arc::new(Postgres::open(url, migrations).await?))
            }
        }))
    }

    /// Opens the file `path` as [`Database::open`] does, with a write-behind buffer.
    ///
    /// # Errors
    ///
    /// The same, or if the buffer cannot be flushed.
    pub fn open_with_write_behind(
        path: &Path,
        migrations: &'static [Migration],
        buffer: Arc<dyn WriteBehind>,
    ) -> Result<Self, OpenError> {
        Ok(Self(Backend::Sqlite(Arc::new(Sqlite::open(path, migrations, Some(buffer))?))))
    }

    /// Looks whether a database can be used, without changing it and without blocking other clients.
    ///
    /// # Errors
    ///
    /// If it cannot be reached, belongs to another program, is newer than this one, or would not be
    /// durable.
    pub async fn probe(
        location: &Location,
        migrations: &'static [Migration],
    ) -> Result<Reached, OpenError> {
        match location {
            Location::Sqlite(path) => Sqlite::probe(path, migrations),
            Location::Postgres(url) => Postgres::probe(url, migrations).await,
        }
    }

    /// Does `work`. When it answers, the work is durable.
    ///
    /// # Errors
    ///
    /// What the work says, or the store. Then nothing of it is there, except after
    /// [`StoreError::Unavailable`], when it may be there as a whole.
    pub async fn write<W: Work>(&self, work: W) -> Result<W::Output, W::Error> {
        match &self.0 {
            Backend::Sqlite(sqlite) => sqlite.write(work).await,
            Backend::Postgres(postgres) => postgres.write(&work).await,
        }
    }

    /// Runs `work`, and calls `then` with its outcome once that is durable, also if the caller has gone. For works that
    /// are committed together, `then` is called one right after the other, without waking a task for each. So `then`
    /// must not take long.
    pub fn write_then<W: Work>(
        &self,
        work: W,
        then: impl FnOnce(Result<W::Output, W::Error>) + Send + 'static,
    ) {
        match &self.0 {
            Backend::Sqlite(sqlite) => sqlite.write_then(work, then),
            Backend::Postgres(postgres) => {
                let postgres = Arc::clone(postgres);
                // In a box, so that spawning is compiled once and not for each kind of work.
                let doing: Pin<Box<dyn Future<Output = ()> + Send>> =
                    Box::pin(async move { then(postgres.write(&work).await) });
                drop(tokio::spawn(doing));
            }
        }
    }

    /// Does `work`, which only reads. It sees one state of the database throughout.
    ///
    /// # Errors
    ///
    /// What the work says, or the store.
    pub async fn read<W: Work>(&self, work: W) -> Result<W::Output, W::Error> {
        match &self.0 {
            Backend::Sqlite(sqlite) => sqlite.read(work).await,
            Backend::Postgres(postgres) => postgres.read(&work).await,
        }
    }

    /// Which database it is.
    #[must_use]
    pub const fn dialect(&self) -> Dialect {
        match &self.0 {
            Backend::Sqlite(_) => Dialect::Sqlite,
            Backend::Postgres(_) => Dialect::Postgres,
        }
    }

    /// How it is doing.
    #[must_use]
    pub fn health(&self) -> Health {
        match &self.0 {
            Backend::Sqlite(sqlite) => sqlite.health(),
            Backend::Postgres(postgres) => postgres.health(),
        }
    }

    /// Copies a SQLite database to the new file `to`, while it is used.
    ///
    /// # Errors
    ///
    /// If the file is not new or cannot be written, or if the database is a PostgreSQL, which brings
    /// tools of its own for that.
    pub async fn back_up(&self, to: &Path) -> Result<(), StoreError> {
        match &self.0 {
            Backend::Sqlite(sqlite) => sqlite.back_up(to).await,
            Backend::Postgres(_) => {
                Err(StoreError::Refused("back up PostgreSQL with `pg_dump`".to_owned()))
            }
        }
    }

    /// Hears what other processes say on `channel`, with `pg_notify`.
    ///
    /// # Errors
    ///
    /// If the server cannot be reached, or if the database is a file, which has no other processes.
    pub async fn listen(&self, channel: &'static str) -> Result<Listener, StoreError> {
        match &self.0 {
            Backend::Sqlite(_) => {
                Err(StoreError::Refused("a file has no other processes to hear of".to_owned()))
            }
            Backend::Postgres(postgres) => postgres.listen(channel).await,
        }
    }
}

impl std::fmt::Debug for Database {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "Database({:?})", self.dialect())
    }
}
