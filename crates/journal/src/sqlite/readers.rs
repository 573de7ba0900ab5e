//! The reader threads.

use std::{
    io,
    sync::{Arc, Mutex, PoisonError, mpsc},
    thread::JoinHandle,
};

use rusqlite::Connection;
use tokio::sync::oneshot;

use super::{cipher::FileCipher, rows};
use crate::{Answer, Entry, JournalError, Pages, Seq};

/// The number of threads, each with a connection. Two, so that one long read does not block short ones.
pub(super) const READERS: usize = 2;

enum Job {
    Read(Box<dyn FnOnce(&Reader) + Send>),
    Stop,
}

/// A connection that reads.
pub(super) struct Reader {
    pub(super) connection: Connection,
    pub(super) cipher: FileCipher,
}

/// Runs reads.
pub(super) struct Readers {
    handle: Handle,
    threads: Vec<JoinHandle<()>>,
}

/// A handle for reading; every subscription has one.
#[derive(Clone)]
struct Handle(mpsc::Sender<Job>);

impl Readers {
    /// A thread for each of the readers.
    pub(super) fn start(readers: Vec<Reader>) -> io::Result<Self> {
        let (sender, receiver) = mpsc::channel();
        let jobs = Arc::new(Mutex::new(receiver));
        let start = |reader| {
            let jobs = Arc::clone(&jobs);
            let thread = std::thread::Builder::new().name("journal-reader".to_owned());
            thread.spawn(move || run(&reader, &jobs))
        };
        let threads = readers.into_iter().map(start).collect::<io::Result<_>>()?;
        Ok(Self { handle: Handle(sender), threads })
    }

    /// Runs `read` on one of the threads.
    pub(super) fn ask<T: Send + 'static>(
        &self,
        read: impl FnOnce(&Reader) -> Result<T, JournalError> + Send + 'static,
    ) -> Answer<'static, T> {
        self.handle.ask(read)
    }

    pub(super) fn pages(&self) -> Arc<dyn Pages> {
        Arc::new(self.handle.clone())
    }

    /// Ends the threads and closes their connections.
    pub(super) fn stop(&mut self) {
        for _ in &self.threads {
            let _already_gone = self.handle.0.send(Job::Stop);
        }
        for thread in self.threads.drain(..) {
            let _a_panic_was_reported_by_its_thread = thread.join();
        }
    }
}

fn run(reader: &Reader, jobs: &Mutex<mpsc::Receiver<Job>>) {
    loop {
        // Locked while waiting: the other threads then wait for the lock instead of for a job.
        let job = jobs.lock().unwrap_or_else(PoisonError::into_inner).recv();
        match job {
            Ok(Job::Read(read)) => read(reader),
            Ok(Job::Stop) | Err(_) => return,
        }
    }
}

impl Handle {
    fn ask<T: Send + 'static>(
        &self,
        read: impl FnOnce(&Reader) -> Result<T, JournalError> + Send + 'static,
    ) -> Answer<'static, T> {
        let (sender, receiver) = oneshot::channel();
        let job = Job::Read(Box::new(move |reader| {
            if !sender.is_closed() {
                let _is_dropped = sender.send(read(reader));
            }
        }));
        // If the threads have ended, the job is dropped and the receiver notices.
        let _closed = self.0.send(job);
        Box::pin(async move { receiver.await.unwrap_or_else(|_| Err(JournalError::closed())) })
    }
}

impl Pages for Handle {
    fn page(&self, from: Seq, limit: usize) -> Answer<'_, Vec<Arc<Entry>>> {
        self.ask(move |reader| rows::read(reader, from, limit))
    }
}
