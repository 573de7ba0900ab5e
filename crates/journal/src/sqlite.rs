//! A journal in an SQLite file.
//!
//! One thread writes. It takes all batches that were queued while the last group was made durable, and writes them in
//! one transaction, so that they share the cost of an fsync; each commit resolves only after `COMMIT` has returned.
//! Reads run on connections and threads of their own and never block the writer.

mod cipher;
mod encode;
mod key;
mod migrations;
mod open;
mod queue;
mod readers;
mod rows;
mod store;
mod writer;

use std::{
    fmt,
    fs::File,
    path::{Path, PathBuf},
    sync::Arc,
    thread::JoinHandle,
};

use assent_ids::InvocationId;
use tokio::sync::watch;

pub use self::{cipher::Cipher, open::OpenError};
use self::{cipher::FileCipher, queue::Queue, readers::Readers};
use crate::{Answer, Batch, Commit, Entry, Journal, JournalError, SavedState, Seq, Subscription};

const READ_ONLY: &str = "it was opened for reading only";

/// A journal in a file with one writer.
///
/// Dropping it waits until everything that was appended is durable, which takes as long as one or two groups.
pub struct SqliteJournal {
    // INVARIANT: dropped in this order by `Drop`. The writer's connection is closed last, because the
    // last one to close empties the log.
    readers: Readers,
    queue: Option<Queue>,
    writer: Option<JoinHandle<()>>,
    grown: watch::Receiver<()>,
    /// The file with the redaction key.
    key: PathBuf,
    /// Locked as long as this journal is open for writing.
    _lock: Option<File>,
}

impl SqliteJournal {
    /// Opens the journal in the file `path`, or makes a new one that only its owner can read. Beside
    /// it are the log of SQLite, a file `….lock`, and the redaction key in a file `….key`.
    ///
    /// # Errors
    ///
    /// If another journal has the file open, if it is not a journal, or if it cannot be opened.
    pub fn open(path: &Path) -> Result<Self, OpenError> {
        Self::open_with(path, &FileCipher::default())
    }

    /// Opens the journal in the file `path` as [`Self::open`] does. What it holds about calls is encrypted.
    ///
    /// # Errors
    ///
    /// As for [`Self::open`]. A journal that was written without the cipher, or with another key, opens and cannot be
    /// read.
    pub fn open_encrypted(path: &Path, cipher: Arc<dyn Cipher>) -> Result<Self, OpenError> {
        Self::open_with(path, &FileCipher::new(cipher))
    }

    fn open_with(path: &Path, cipher: &FileCipher) -> Result<Self, OpenError> {
        let opened = open::open(path, cipher)?;
        let readers = Readers::start(opened.readers).map_err(OpenError::Thread)?;
        let (notify, grown) = watch::channel(());
        let (queue, waiting) = queue::queue();
        let store = opened.store;
        let writer = std::thread::Builder::new()
            .name("journal-writer".to_owned())
            .spawn(move || writer::run(store, &waiting, &notify))
            .map_err(OpenError::Thread)?;
        let _lock = Some(opened.lock);
        let key = key::path(path)?;
        Ok(Self { readers, queue: Some(queue), writer: Some(writer), grown, key, _lock })
    }

    /// Opens the journal in the file `path` for reading, also while another process writes it. Appending fails, and
    /// subscriptions end after the existing entries.
    ///
    /// # Errors
    ///
    /// If there is no such file, if it is not a journal of this version, or if it cannot be opened.
    pub fn open_read_only(path: &Path) -> Result<Self, OpenError> {
        let readers = Readers::start(open::open_read_only(path, &FileCipher::default())?)
            .map_err(OpenError::Thread)?;
        let (_, grown) = watch::channel(());
        let key = key::path(path)?;
        Ok(Self { readers, queue: None, writer: None, grown, key, _lock: None })
    }

    /// Returns the problems of the file: damaged pages, missing entries. It reads the whole file.
    pub fn integrity(&self) -> Answer<'_, Vec<String>> {
        self.readers.ask(rows::integrity)
    }

    /// Copies the journal as it is now to the new file `to`, while it is being written, and its
    /// redaction key to `to.key`. The copy holds the state of running calls as well, and only its owner
    /// can read it.
    pub fn back_up(&self, to: &Path) -> Answer<'_, ()> {
        let (to, key) = (to.to_owned(), self.key.clone());
        self.readers.ask(move |reader| {
            open::back_up(&reader.connection, &to)?;
            key::read(&key)?.map_or(Ok(()), |bytes| key::write(&key::beside(&to), bytes))
        })
    }
}

impl Journal for SqliteJournal {
    fn append(&self, batch: Batch) -> Commit {
        match &self.queue {
            Some(queue) => queue.append(batch),
            None => Commit::settled(Err(JournalError::Unavailable(READ_ONLY.to_owned()))),
        }
    }

    fn read(&self, from: Seq, limit: usize) -> Answer<'_, Vec<Arc<Entry>>> {
        self.readers.ask(move |reader| rows::read(reader, from, limit))
    }

    fn of_call(&self, invocation: InvocationId) -> Answer<'_, Vec<Arc<Entry>>> {
        self.readers.ask(move |reader| rows::of_call(reader, invocation))
    }

    fn saved_states(&self) -> Answer<'_, Vec<SavedState>> {
        self.readers.ask(rows::saved_states)
    }

    fn claimed(&self, key: &str) -> Answer<'_, u32> {
        let key = key.to_owned();
        self.readers.ask(move |reader| rows::claimed(reader, &key))
    }

    fn last(&self) -> Answer<'_, Seq> {
        self.readers.ask(rows::last)
    }

    fn redaction_key(&self, fresh: [u8; 32]) -> Result<[u8; 32], JournalError> {
        if let Some(key) = key::read(&self.key)? {
            return Ok(key);
        }
        // There is no other writer because of the lock, so no other key is made meanwhile.
        if self.queue.is_none() {
            return Err(JournalError::Unavailable(READ_ONLY.to_owned()));
        }
        key::write(&self.key, fresh)?;
        Ok(fresh)
    }

    fn subscribe(&self, from: Seq) -> Subscription {
        Subscription::new(self.readers.pages(), from, self.grown.clone())
    }
}

impl Drop for SqliteJournal {
    fn drop(&mut self) {
        self.readers.stop();
        // Without a queue the writer ends when it has written what is in it.
        self.queue = None;
        if let Some(writer) = self.writer.take() {
            let _a_panic_was_reported_by_its_thread = writer.join();
        }
    }
}

impl fmt::Debug for SqliteJournal {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("SqliteJournal").finish_non_exhaustive()
    }
}
