//! A thousand calls at once, recorded in an SQLite file.

use std::{
    path::{Path, PathBuf},
    sync::Arc,
};

use assent_bench_calls::{Pipeline, Setup, Together};
use assent_bench_harness::Work;
use assent_journal::SqliteJournal;
use serde_json::Value;
use tempfile::TempDir;

use super::{Called, transactions::Transactions};

/// A runtime whose journal is a file.
#[derive(Clone)]
pub(super) struct OnDisk {
    called: Called,
    directory: Arc<TempDir>,
}

impl OnDisk {
    fn database(&self) -> PathBuf {
        database_in(&self.directory)
    }
}

/// The file in a directory that ends with the process.
pub(super) fn database_in(directory: &TempDir) -> PathBuf {
    directory.path().join("journal.db")
}

/// A directory on the disk that is measured.
pub(super) fn directory_in(parent: &Path) -> TempDir {
    tempfile::tempdir_in(parent).expect("a directory")
}

impl Pipeline for OnDisk {
    type Answer = String;

    async fn build(setup: &Setup) -> Self {
        let directory = directory_in(&setup.directory);
        let journal = SqliteJournal::open(&database_in(&directory)).expect("a journal");
        Self { called: Called::new(setup, Arc::new(journal)), directory: Arc::new(directory) }
    }

    async fn call(&self, text: &'static str) -> Self::Answer {
        self.called.call(text).await
    }

    fn text(answer: &Self::Answer) -> String {
        answer.clone()
    }
}

pub(super) struct Durable {
    together: Together<OnDisk>,
    transactions: Transactions,
}

impl Durable {
    pub(super) fn new(setup: &Setup) -> Self {
        let together = Together::<OnDisk>::new(setup);
        let transactions = Transactions::since_now(&together.pipeline().database());
        Self { together, transactions }
    }

    pub(super) fn database(&self) -> PathBuf {
        self.together.pipeline().database()
    }
}

impl Work for Durable {
    fn answer(&mut self) -> Value {
        self.together.answer()
    }

    fn pass(&mut self) -> usize {
        let calls = self.together.pass();
        self.transactions.add(calls);
        calls
    }

    fn begin(&mut self) {
        self.transactions = Transactions::since_now(&self.database());
    }

    fn figures(&mut self) -> Vec<(&'static str, f64)> {
        self.transactions.figures(&self.database())
    }
}
