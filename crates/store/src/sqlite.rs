//! SQLite: one file, one thread that writes, two that read.

mod buffer;
mod file;
mod job;
#[cfg(debug_assertions)]
mod plan;
mod readers;
mod session;
mod writer;

use std::{
    fs::File,
    path::{Path, PathBuf},
    pin::pin,
    sync::Arc,
    task::{Context, Poll, Waker},
};

use tokio::sync::oneshot;

pub(crate) use self::session::Session;
use self::{buffer::Buffer, job::Pending, readers::Readers, writer::Writer};
use crate::{
    Health, Migration, OpenError, Reached, StoreError, Tx, Work, WriteBehind, migration, probe,
    tx::Inner,
};

/// An open file.
pub(crate) struct Sqlite {
    readers: Readers,
    /// Closed after the readers: the last connection moves the log into the file, and readers cannot write.
    writer: Writer,
    path: PathBuf,
    /// Held as long as the file is open: a second process is refused.
    _lock: File,
}

impl Sqlite {
    pub(crate) fn open(
        path: &Path,
        migrations: &'static [Migration],
        buffer: Option<Arc<dyn WriteBehind>>,
    ) -> Result<Self, OpenError> {
        file::check_version(rusqlite::version_number())?;
        // As an absolute path no name is special to SQLite.
        let path = std::path::absolute(path).map_err(|error| file::refused(path, error))?;
        let lock = file::lock(&path)?;
        let mut tx = Tx(Inner::Sqlite(Session::to_write(&path)?));
        migrate(&mut tx, &path, migrations)?;
        let buffer = Buffer::new(buffer);
        buffer.recover(&mut tx)?;
        Ok(Self {
            readers: Readers::start(&path)?,
            writer: Writer::start(tx, &path, buffer).map_err(OpenError::Thread)?,
            path,
            _lock: lock,
        })
    }

    pub(crate) fn probe(
        path: &Path,
        migrations: &'static [Migration],
    ) -> Result<Reached, OpenError> {
        file::check_version(rusqlite::version_number())?;
        let path = std::path::absolute(path).map_err(|error| file::refused(path, error))?;
        if !file::is_there(&path)? {
            return Ok(Reached::Empty);
        }
        let session = Session::to_read(&path)?;
        let has_tables = session.is_ours(&path)?;
        let mut tx = Tx(Inner::Sqlite(session));
        at_once(probe::look(&mut tx, has_tables, migrations))
            .unwrap_or(Err(StoreError::WaitedOutside.into()))
    }

    pub(crate) async fn write<W: Work>(&self, work: W) -> Result<W::Output, W::Error> {
        let (job, answer) = Pending::new(work);
        self.writer.submit(job);
        answered(answer).await
    }

    pub(crate) fn write_then<W: Work>(
        &self,
        work: W,
        then: impl FnOnce(Result<W::Output, W::Error>) + Send + 'static,
    ) {
        self.writer.submit(Pending::before(work, then));
    }

    pub(crate) async fn read<W: Work>(&self, work: W) -> Result<W::Output, W::Error> {
        if work.needs_flush() && self.writer.has_buffered() {
            match self.write(Flush).await {
                Ok(()) => {}
                // While the disk takes nothing, the buffer cannot be flushed: the work reads in a transaction in memory.
                Err(StoreError::Unavailable(_)) => return self.read_buffered(work).await,
                Err(error) => return Err(error.into()),
            }
        }
        let (job, answer) = Pending::new(work);
        self.readers.submit(job)?;
        answered(answer).await
    }

    /// Runs `work`, which only reads, on the writer thread, in a transaction in memory in which the buffer is flushed.
    async fn read_buffered<W: Work>(&self, work: W) -> Result<W::Output, W::Error> {
        let (job, answer) = Pending::to_read_buffered(work);
        self.writer.submit(job);
        answered(answer).await
    }

    pub(crate) fn health(&self) -> Health {
        self.writer.health()
    }

    pub(crate) async fn back_up(&self, to: &Path) -> Result<(), StoreError> {
        let (from, to) = (self.path.clone(), to.to_owned());
        let copied = tokio::task::spawn_blocking(move || file::back_up(&from, &to)).await;
        copied.map_err(|_| StoreError::Closed)?
    }
}

/// Has the buffer flushed.
struct Flush;

impl Work for Flush {
    type Output = ();
    type Error = StoreError;

    async fn run(&self, _: &mut Tx) -> Result<(), StoreError> {
        Ok(())
    }
}

async fn answered<T, E: From<StoreError>>(answer: oneshot::Receiver<Result<T, E>>) -> Result<T, E> {
    answer.await.unwrap_or_else(|_| Err(StoreError::Closed.into()))
}

fn migrate(tx: &mut Tx, path: &Path, migrations: &'static [Migration]) -> Result<(), OpenError> {
    session(tx)?.claim(path)?;
    session(tx)?.begin()?;
    match at_once(migration::run(tx, migrations)) {
        Some(Ok(())) => Ok(session(tx)?.commit()?),
        Some(Err(error)) => Err(error),
        None => Err(StoreError::WaitedOutside.into()),
    }
}

fn session(tx: &mut Tx) -> Result<&mut Session, StoreError> {
    match &mut tx.0 {
        Inner::Sqlite(session) => Ok(session),
        Inner::Postgres(_) => Err(StoreError::Closed),
    }
}

/// What a future gives that never waits: every statement on SQLite answers at once.
fn at_once<T>(future: impl Future<Output = T>) -> Option<T> {
    match pin!(future).poll(&mut Context::from_waker(Waker::noop())) {
        Poll::Ready(value) => Some(value),
        Poll::Pending => None,
    }
}
