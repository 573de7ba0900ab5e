//! The threads that read.

use std::{
    path::Path,
    sync::{Arc, Mutex, PoisonError, mpsc},
    thread::JoinHandle,
};

use super::{job::Job, session, session::Session};
use crate::{OpenError, StoreError, Tx, tx::Inner};

/// Threads, each with a connection. Two, so that one long read does not hold up the short ones.
const READERS: usize = 2;

type Backlog = Arc<Mutex<mpsc::Receiver<Box<dyn Job>>>>;

/// The way to the threads.
pub(super) struct Readers {
    jobs: Option<mpsc::Sender<Box<dyn Job>>>,
    threads: Vec<JoinHandle<()>>,
}

impl Readers {
    pub(super) fn start(path: &Path) -> Result<Self, OpenError> {
        let (jobs, receiver) = mpsc::channel();
        let backlog: Backlog = Arc::new(Mutex::new(receiver));
        let start = |_| {
            let tx = Tx(Inner::Sqlite(Session::to_read(path)?));
            let backlog = Arc::clone(&backlog);
            let thread = std::thread::Builder::new().name("store-reader".to_owned());
            thread.spawn(move || run(tx, &backlog)).map_err(OpenError::Thread)
        };
        let threads = (0..READERS).map(start).collect::<Result<_, _>>()?;
        Ok(Self { jobs: Some(jobs), threads })
    }

    pub(super) fn submit(&self, job: Box<dyn Job>) -> Result<(), StoreError> {
        let jobs = self.jobs.as_ref().ok_or(StoreError::Closed)?;
        jobs.send(job).map_err(|_| StoreError::Closed)
    }
}

impl Drop for Readers {
    fn drop(&mut self) {
        drop(self.jobs.take());
        for thread in self.threads.drain(..) {
            // It cannot have panicked: works that panic are caught.
            let _ = thread.join();
        }
    }
}

fn run(mut tx: Tx, backlog: &Backlog) {
    loop {
        let next = backlog.lock().unwrap_or_else(PoisonError::into_inner).recv();
        let Ok(mut job) = next else { return };
        let read = read(&mut tx, job.as_mut());
        job.settle(&read);
    }
}

fn read(tx: &mut Tx, job: &mut dyn Job) -> Result<(), StoreError> {
    session(tx)?.begin_to_read()?;
    job.run(tx);
    let session = session(tx)?;
    let fault = session.fault().cloned();
    session.roll_back();
    fault.map_or(Ok(()), Err)
}
