//! PostgreSQL: every unit of work in a transaction of its own, tried again when the server says so.

mod durable;
mod listen;
mod open;
mod session;
mod values;

use std::{
    sync::atomic::{AtomicU64, Ordering},
    time::Duration,
};

use deadpool_postgres::Pool;

pub use self::listen::Listener;
pub(crate) use self::session::Session;
use crate::{
    Health, Migration, OpenError, Reached, StoreError, Tx, Work, migration, probe, tx::Inner,
};

/// How often a unit of work is begun when others are in its way.
const ATTEMPTS: u32 = 8;

/// How a unit of work begins, whatever the server's own idea of a transaction is: after a lock, the next statement
/// sees what its holder before has done.
const WRITE: &str = "BEGIN ISOLATION LEVEL READ COMMITTED READ WRITE";

/// Held while the tables are changed, by whichever node comes first.
const MIGRATING: &str = "schema_migrations";

/// Whether there are tables where this program would look for them.
const HAS_TABLES: &str = "SELECT count(*) FROM information_schema.tables
    WHERE table_schema = current_schema() AND table_name = 'schema_migrations'";

/// Connections to a server.
pub(crate) struct Postgres {
    pool: Pool,
    url: String,
    commits: AtomicU64,
}

impl Postgres {
    pub(crate) async fn open(
        url: &str,
        migrations: &'static [Migration],
    ) -> Result<Self, OpenError> {
        open::look(url).await?;
        let pool = open::pool(url)?;
        let postgres = Self { pool, url: url.to_owned(), commits: AtomicU64::new(0) };
        let mut tx = postgres.begin(WRITE).await?;
        tx.lock(MIGRATING).await?;
        migration::run(&mut tx, migrations).await?;
        session(&mut tx)?.commit().await?;
        Ok(postgres)
    }

    pub(crate) async fn probe(
        url: &str,
        migrations: &'static [Migration],
    ) -> Result<Reached, OpenError> {
        open::look(url).await?;
        let pool = open::pool(url)?;
        let postgres = Self { pool, url: url.to_owned(), commits: AtomicU64::new(0) };
        let mut tx = postgres.begin("BEGIN READ ONLY").await?;
        let tables: i64 = tx.scalar(HAS_TABLES, &[]).await?;
        let reached = probe::look(&mut tx, tables > 0, migrations).await;
        session(&mut tx)?.roll_back();
        reached
    }

    pub(crate) async fn write<W: Work>(&self, work: &W) -> Result<W::Output, W::Error> {
        let mut attempt = 1;
        loop {
            let mut tx = self.begin(WRITE).await?;
            let outcome = self.attempt(work, &mut tx).await;
            if outcome.is_ok() || !session(&mut tx)?.in_the_way() || attempt == ATTEMPTS {
                return outcome;
            }
            // Longer each time, so that those who met do not meet again.
            tokio::time::sleep(Duration::from_millis(1 << attempt)).await;
            attempt += 1;
        }
    }

    async fn attempt<W: Work>(&self, work: &W, tx: &mut Tx) -> Result<W::Output, W::Error> {
        let outcome = work.run(tx).await;
        let session = session(tx)?;
        match outcome {
            Ok(output) => {
                session.commit().await?;
                self.commits.fetch_add(1, Ordering::Relaxed);
                Ok(output)
            }
            Err(error) => {
                session.roll_back();
                Err(error)
            }
        }
    }

    pub(crate) async fn read<W: Work>(&self, work: &W) -> Result<W::Output, W::Error> {
        let mut tx = self.begin("BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY").await?;
        let outcome = work.run(&mut tx).await;
        session(&mut tx)?.roll_back();
        outcome
    }

    pub(crate) fn health(&self) -> Health {
        Health {
            waiting: self.pool.status().waiting,
            commits: self.commits.load(Ordering::Relaxed),
        }
    }

    pub(crate) async fn listen(&self, channel: &'static str) -> Result<Listener, StoreError> {
        Listener::new(&self.url, channel).await
    }

    async fn begin(&self, how: &'static str) -> Result<Tx, StoreError> {
        let client = self.pool.get().await.map_err(|error| open::unavailable(&error))?;
        Ok(Tx(Inner::Postgres(Session::new(client, how))))
    }
}

fn session(tx: &mut Tx) -> Result<&mut Session, StoreError> {
    match &mut tx.0 {
        Inner::Postgres(session) => Ok(session),
        Inner::Sqlite(_) => Err(StoreError::Closed),
    }
}
