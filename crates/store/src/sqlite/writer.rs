//! The thread that writes: what waits at one moment is committed together, with one wait for the disk.

use std::{
    io,
    panic::{AssertUnwindSafe, catch_unwind},
    path::{Path, PathBuf},
    sync::{
        Arc,
        atomic::{AtomicBool, AtomicU64, AtomicUsize, Ordering},
        mpsc::{self, RecvTimeoutError, SendError},
    },
    thread::JoinHandle,
    time::Duration,
};

use tokio::runtime::Handle;

use super::{
    Flush,
    buffer::Buffer,
    job::{Job, Pending, Ran},
    session,
    session::Session,
};
use crate::{Health, StoreError, Tx, tx::Inner};

/// Maximum number of units of work that wait. It is reached only with very many callers at once, or if the disk
/// has stopped.
const MAX_WAITING: usize = 16_384;

/// Units of work in one transaction: beyond that, one more saves nothing and all wait longer.
const MAX_GROUP: usize = 512;

/// Number of outcomes to send before other tasks have their turn.
const OUTCOMES_AT_ONCE: usize = 64;

/// How long to wait after a fault of the disk before the buffer is flushed without need.
const RETRY_DELAY: Duration = Duration::from_secs(1);

/// The way to the thread.
pub(super) struct Writer {
    jobs: Option<mpsc::Sender<Box<dyn Job>>>,
    counts: Arc<Counts>,
    thread: Option<JoinHandle<()>>,
}

#[derive(Default)]
struct Counts {
    waiting: AtomicUsize,
    commits: AtomicU64,
    /// Whether something that was acknowledged is not in its tables.
    buffered: AtomicBool,
}

impl Writer {
    pub(super) fn start(tx: Tx, path: &Path, buffer: Buffer) -> io::Result<Self> {
        let receivers = Handle::try_current().map_err(io::Error::other)?;
        let (jobs, backlog) = mpsc::channel();
        let counts = Arc::<Counts>::default();
        let state = State {
            tx,
            path: path.to_owned(),
            buffer,
            usable: true,
            counts: Arc::clone(&counts),
            receivers,
        };
        let thread = std::thread::Builder::new().name("store-writer".to_owned());
        let thread = thread.spawn(move || state.run(&backlog))?;
        Ok(Self { jobs: Some(jobs), counts, thread: Some(thread) })
    }

    /// Submits a work. If it cannot be run, its receiver gets the error at once.
    pub(super) fn submit(&self, job: Box<dyn Job>) {
        if self.counts.waiting.fetch_add(1, Ordering::AcqRel) >= MAX_WAITING {
            self.counts.waiting.fetch_sub(1, Ordering::AcqRel);
            return job.settle(&Err(StoreError::Overloaded));
        }
        let refused = match &self.jobs {
            Some(jobs) => jobs.send(job).err().map(|SendError(job)| job),
            None => Some(job),
        };
        if let Some(job) = refused {
            job.settle(&Err(StoreError::Closed));
        }
    }

    /// Whether something that was acknowledged is not in its tables.
    pub(super) fn has_buffered(&self) -> bool {
        self.counts.buffered.load(Ordering::Acquire)
    }

    pub(super) fn health(&self) -> Health {
        Health {
            waiting: self.counts.waiting.load(Ordering::Acquire),
            commits: self.counts.commits.load(Ordering::Acquire),
        }
    }
}

impl Drop for Writer {
    /// Finishes what waits.
    fn drop(&mut self) {
        drop(self.jobs.take());
        let Some(thread) = self.thread.take() else { return };
        // A work whose asker has gone may be the last to let go of the storage; then this is the thread.
        if thread.thread().id() != std::thread::current().id() {
            // It cannot have panicked: works that panic are caught.
            let _ = thread.join();
        }
    }
}

struct State {
    tx: Tx,
    path: PathBuf,
    buffer: Buffer,
    /// False after a fault of the disk, until the file could be opened again.
    usable: bool,
    counts: Arc<Counts>,
    /// The runtime on which outcomes are received.
    receivers: Handle,
}

impl State {
    fn run(mut self, backlog: &mpsc::Receiver<Box<dyn Job>>) {
        while let Some(group) = self.next_group(backlog) {
            let (mut buffered_reads, mut writing): (Vec<_>, Vec<_>) =
                group.into_iter().partition(|job| job.reads_buffered());
            if !writing.is_empty() {
                let committed = self.commit(&mut writing);
                self.send_outcomes(writing, committed);
            }
            if !buffered_reads.is_empty() {
                let ran = self.run_reads(&mut buffered_reads);
                self.send_outcomes(buffered_reads, ran);
            }
        }
        if !self.buffer.is_empty() {
            // What cannot be flushed now is flushed when the file is opened again.
            let _ = self.commit(&mut [Self::flush()]);
        }
    }

    /// The works that wait, or a flush if there was no write for a while; `None` at the end.
    fn next_group(&self, backlog: &mpsc::Receiver<Box<dyn Job>>) -> Option<Vec<Box<dyn Job>>> {
        let first = match self.buffer.max_delay() {
            None => backlog.recv().ok()?,
            Some(max_delay) => {
                let max_delay = if self.usable { max_delay } else { max_delay.max(RETRY_DELAY) };
                match backlog.recv_timeout(max_delay) {
                    Ok(job) => job,
                    Err(RecvTimeoutError::Timeout) => return Some(vec![Self::flush()]),
                    Err(RecvTimeoutError::Disconnected) => return None,
                }
            }
        };
        // Lets callers that are about to submit do so: on a busy core, this thread is woken before them.
        std::thread::yield_now();
        let mut group = vec![first];
        group.extend(backlog.try_iter().take(MAX_GROUP.saturating_sub(1)));
        self.counts.waiting.fetch_sub(group.len(), Ordering::AcqRel);
        Some(group)
    }

    /// A flush, without a receiver.
    fn flush() -> Box<dyn Job> {
        Pending::new(Flush).0
    }

    fn commit(&mut self, group: &mut [Box<dyn Job>]) -> Result<(), StoreError> {
        let committed = self.write(group);
        match &committed {
            Ok(()) => {
                self.counts.commits.fetch_add(1, Ordering::AcqRel);
            }
            Err(error) => {
                tracing::error!(%error, "a transaction failed; nothing of it was acknowledged");
                self.usable = false;
            }
        }
        self.note_buffered();
        committed
    }

    /// Called before outcomes are sent: their receivers may read next.
    fn note_buffered(&self) {
        self.counts.buffered.store(!self.buffer.is_empty(), Ordering::Release);
    }

    /// Flushes the buffer in memory, runs works that only read, and rolls back, so that reads are answered while the
    /// disk takes nothing.
    fn run_reads(&mut self, group: &mut [Box<dyn Job>]) -> Result<(), StoreError> {
        let ran = self.make_usable().and_then(|()| self.flush_in_memory(group));
        self.roll_back()?;
        if ran.is_err() {
            self.usable = false;
        }
        self.note_buffered();
        ran
    }

    fn flush_in_memory(&mut self, group: &mut [Box<dyn Job>]) -> Result<(), StoreError> {
        session(&mut self.tx)?.spill(false)?;
        session(&mut self.tx)?.begin()?;
        self.buffer.flush(&mut self.tx)?;
        for job in group {
            self.run_job(job.as_mut())?;
        }
        session(&mut self.tx)?.roll_back();
        session(&mut self.tx)?.spill(true)
    }

    /// Sends all outcomes from one task of the runtime: sent from this thread, each would wake its receiver alone, which
    /// on a busy machine takes the place of this thread for the time of a request.
    fn send_outcomes(&self, group: Vec<Box<dyn Job>>, committed: Result<(), StoreError>) {
        drop(self.receivers.spawn(async move {
            for (count, job) in group.into_iter().enumerate() {
                if count > 0 && count % OUTCOMES_AT_ONCE == 0 {
                    tokio::task::yield_now().await;
                }
                // A function of one receiver may panic: the others still get their outcomes.
                let _ = catch_unwind(AssertUnwindSafe(|| job.settle(&committed)));
            }
        }));
    }

    fn write(&mut self, group: &mut [Box<dyn Job>]) -> Result<(), StoreError> {
        self.make_usable()?;
        let written = self.run_group(group);
        match &written {
            Ok(()) => self.buffer.committed(),
            Err(_) => self.roll_back()?,
        }
        written
    }

    fn roll_back(&mut self) -> Result<(), StoreError> {
        session(&mut self.tx)?.roll_back();
        self.buffer.rolled_back();
        Ok(())
    }

    /// Runs all jobs in one transaction. A refused job is undone alone; a fault of the disk fails the group.
    fn run_group(&mut self, group: &mut [Box<dyn Job>]) -> Result<(), StoreError> {
        session(&mut self.tx)?.begin()?;
        for job in group {
            self.flush_for(job.as_ref())?;
            session(&mut self.tx)?.save()?;
            let ran = self.run_job(job.as_mut())?;
            let session = session(&mut self.tx)?;
            match ran {
                Ran::Kept => session.keep()?,
                Ran::Undone => session.forget()?,
            }
        }
        self.end()
    }

    /// Flushes the buffer before a job that needs it.
    fn flush_for(&mut self, job: &dyn Job) -> Result<(), StoreError> {
        if job.needs_flush() { self.buffer.flush(&mut self.tx) } else { Ok(()) }
    }

    fn end(&mut self) -> Result<(), StoreError> {
        self.buffer.before_commit(&mut self.tx)?;
        session(&mut self.tx)?.commit()
    }

    fn run_job(&mut self, job: &mut dyn Job) -> Result<Ran, StoreError> {
        let ran = job.run(&mut self.tx);
        match session(&mut self.tx)?.fault() {
            Some(fault) => Err(fault.clone()),
            None => Ok(ran),
        }
    }

    /// After a fault the state of the connection is unknown: a new one reads the file.
    fn make_usable(&mut self) -> Result<(), StoreError> {
        if !self.usable {
            let fresh = Session::to_write(&self.path)
                .map_err(|error| StoreError::Unavailable(error.to_string()))?;
            self.tx = Tx(Inner::Sqlite(fresh));
            self.buffer.load(&mut self.tx)?;
            self.usable = true;
        }
        Ok(())
    }
}
