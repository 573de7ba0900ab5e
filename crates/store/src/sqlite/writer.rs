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
    Look,
    filed::Filed,
    job::{Job, Pending, Ran},
    session,
    session::Session,
};
use crate::{Health, StoreError, Tx, tx::Inner};

/// Units of work that may wait. Everybody waits for an answer, so this is reached only if very many ask
/// at once or if the disk has stopped.
const MAX_WAITING: usize = 16_384;

/// Units of work in one transaction: beyond that, one more saves nothing and everybody waits longer.
const MAX_GROUP: usize = 512;

/// So many are told before others have their turn.
const TOLD_AT_ONCE: usize = 64;

/// After a fault of the disk, nobody tries without need for so long.
const CAUTION: Duration = Duration::from_secs(1);

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
    unfiled: AtomicBool,
}

impl Writer {
    pub(super) fn start(tx: Tx, path: &Path, filed: Filed) -> io::Result<Self> {
        let askers = Handle::try_current().map_err(io::Error::other)?;
        let (jobs, backlog) = mpsc::channel();
        let counts = Arc::<Counts>::default();
        let state = State {
            tx,
            path: path.to_owned(),
            filed,
            usable: true,
            counts: Arc::clone(&counts),
            askers,
        };
        let thread = std::thread::Builder::new().name("store-writer".to_owned());
        let thread = thread.spawn(move || state.run(&backlog))?;
        Ok(Self { jobs: Some(jobs), counts, thread: Some(thread) })
    }

    /// Has a work done. If that is not possible, whoever waits for it is told at once.
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
    pub(super) fn has_unfiled(&self) -> bool {
        self.counts.unfiled.load(Ordering::Acquire)
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
    filed: Filed,
    /// False after a fault of the disk, until the file could be opened again.
    usable: bool,
    counts: Arc<Counts>,
    /// Where everybody waits.
    askers: Handle,
}

impl State {
    fn run(mut self, backlog: &mpsc::Receiver<Box<dyn Job>>) {
        while let Some(group) = self.next_group(backlog) {
            let (mut peeking, mut writing): (Vec<_>, Vec<_>) =
                group.into_iter().partition(|job| job.peeks());
            if !writing.is_empty() {
                let committed = self.commit(&mut writing);
                self.tell(writing, committed);
            }
            if !peeking.is_empty() {
                let shown = self.show(&mut peeking);
                self.tell(peeking, shown);
            }
        }
        if !self.filed.is_everything() {
            // What cannot be filed now is filed when the file is opened again.
            let _ = self.commit(&mut [Self::look()]);
        }
    }

    /// Whatever waits, or somebody who looks if nobody has written for a while; nothing at the end.
    fn next_group(&self, backlog: &mpsc::Receiver<Box<dyn Job>>) -> Option<Vec<Box<dyn Job>>> {
        let first = match self.filed.patience() {
            None => backlog.recv().ok()?,
            Some(patience) => {
                let patience = if self.usable { patience } else { patience.max(CAUTION) };
                match backlog.recv_timeout(patience) {
                    Ok(job) => job,
                    Err(RecvTimeoutError::Timeout) => return Some(vec![Self::look()]),
                    Err(RecvTimeoutError::Disconnected) => return None,
                }
            }
        };
        // Whoever is about to ask may do so: on a busy core, being woken means to have come before them.
        std::thread::yield_now();
        let mut group = vec![first];
        group.extend(backlog.try_iter().take(MAX_GROUP.saturating_sub(1)));
        self.counts.waiting.fetch_sub(group.len(), Ordering::AcqRel);
        Some(group)
    }

    /// Somebody who looks, and does not wait for an answer.
    fn look() -> Box<dyn Job> {
        Pending::new(Look).0
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
        self.note_unfiled();
        committed
    }

    /// Before anybody is told: who hears of something may look for it.
    fn note_unfiled(&self) {
        self.counts.unfiled.store(!self.filed.is_everything(), Ordering::Release);
    }

    /// Shows everything in its place, and takes it back: all of it happens in memory, so that those who only look
    /// are answered while the disk takes nothing.
    fn show(&mut self, group: &mut [Box<dyn Job>]) -> Result<(), StoreError> {
        let shown = self.make_usable().and_then(|()| self.file_in_memory(group));
        self.roll_back()?;
        if shown.is_err() {
            self.usable = false;
        }
        self.note_unfiled();
        shown
    }

    fn file_in_memory(&mut self, group: &mut [Box<dyn Job>]) -> Result<(), StoreError> {
        session(&mut self.tx)?.spill(false)?;
        session(&mut self.tx)?.begin()?;
        self.filed.file(&mut self.tx)?;
        for job in group {
            self.run_job(job.as_mut())?;
        }
        session(&mut self.tx)?.roll_back();
        session(&mut self.tx)?.spill(true)
    }

    /// Tells everybody at once, and over there: each who is told from here would be woken alone, and on a
    /// busy machine take this thread's place for as long as it takes to answer one request.
    fn tell(&self, group: Vec<Box<dyn Job>>, committed: Result<(), StoreError>) {
        drop(self.askers.spawn(async move {
            for (count, job) in group.into_iter().enumerate() {
                if count > 0 && count % TOLD_AT_ONCE == 0 {
                    tokio::task::yield_now().await;
                }
                // What is done then may panic: that ends nobody else's wait.
                let _ = catch_unwind(AssertUnwindSafe(|| job.settle(&committed)));
            }
        }));
    }

    fn write(&mut self, group: &mut [Box<dyn Job>]) -> Result<(), StoreError> {
        self.make_usable()?;
        let written = self.run_group(group);
        match &written {
            Ok(()) => self.filed.keep(),
            Err(_) => self.roll_back()?,
        }
        written
    }

    fn roll_back(&mut self) -> Result<(), StoreError> {
        session(&mut self.tx)?.roll_back();
        self.filed.undo();
        Ok(())
    }

    /// Runs all jobs in one transaction. A refused job is undone alone; a fault of the disk fails the group.
    fn run_group(&mut self, group: &mut [Box<dyn Job>]) -> Result<(), StoreError> {
        session(&mut self.tx)?.begin()?;
        for job in group {
            self.file_for(job.as_ref())?;
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

    /// Whoever looks finds everything in its place.
    fn file_for(&mut self, job: &dyn Job) -> Result<(), StoreError> {
        if job.looks() { self.filed.file(&mut self.tx) } else { Ok(()) }
    }

    fn end(&mut self) -> Result<(), StoreError> {
        self.filed.close(&mut self.tx)?;
        session(&mut self.tx)?.commit()
    }

    fn run_job(&mut self, job: &mut dyn Job) -> Result<Ran, StoreError> {
        let ran = job.run(&mut self.tx);
        match session(&mut self.tx)?.fault() {
            Some(fault) => Err(fault.clone()),
            None => Ok(ran),
        }
    }

    /// After a fault nobody knows what the connection thinks is in the file: a new one looks.
    fn make_usable(&mut self) -> Result<(), StoreError> {
        if !self.usable {
            let fresh = Session::to_write(&self.path)
                .map_err(|error| StoreError::Unavailable(error.to_string()))?;
            self.tx = Tx(Inner::Sqlite(fresh));
            self.filed.recall(&mut self.tx)?;
            self.usable = true;
        }
        Ok(())
    }
}
