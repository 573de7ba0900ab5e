//! What the disk and SQLite take by themselves: the rows that a thousand calls leave, in as many
//! transactions, by the thread that has nothing else to do.

use std::path::{Path, PathBuf};

use assent_bench_calls::Setup;
use assent_bench_harness::Work;
use rusqlite::Connection;
use serde_json::{Value, json};
use tempfile::TempDir;

use super::{
    durable::{Durable, database_in, directory_in},
    transactions::Transactions,
};

const TABLE: &str = "CREATE TABLE runs (first INTEGER PRIMARY KEY, last INTEGER NOT NULL, \
                     invocation BLOB, next_step INTEGER NOT NULL, body TEXT NOT NULL) STRICT";
const INSERT: &str = "INSERT INTO runs (last, invocation, next_step, body) VALUES (?1, ?2, ?3, ?4)";
const SELECT: &str = "SELECT last, invocation, next_step, body FROM runs ORDER BY first";

/// As the journal has it.
const SETTINGS: &str =
    "PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL; PRAGMA wal_autocheckpoint = 4000";

type Row = (i64, Option<Vec<u8>>, i64, String);

pub(super) struct Bare {
    connection: Connection,
    /// What each transaction writes.
    groups: Vec<Vec<Row>>,
    /// How many calls all of that is.
    calls: usize,
    transactions: Transactions,
    directory: TempDir,
}

impl Bare {
    /// Has a runtime make the rows first.
    pub(super) fn new(setup: &Setup) -> Self {
        let (calls, groups) = recorded(setup);
        let directory = directory_in(&setup.directory);
        let connection = Connection::open(database_in(&directory)).expect("a database");
        connection.execute_batch(SETTINGS).expect("settings");
        connection.execute_batch(TABLE).expect("a table");
        let transactions = Transactions::since_now(&database_in(&directory));
        Self { connection, groups, calls, transactions, directory }
    }

    fn database(&self) -> PathBuf {
        database_in(&self.directory)
    }

    fn write(&mut self) {
        for group in &self.groups {
            let transaction = self.connection.transaction().expect("a transaction");
            let mut insert = transaction.prepare_cached(INSERT).expect("a statement");
            for (last, invocation, next_step, body) in group {
                insert.execute((last, invocation, next_step, body)).expect("a row");
            }
            drop(insert);
            transaction.commit().expect("a commit");
        }
    }
}

/// The rows of a thousand calls, in as many equal groups as there were transactions.
fn recorded(setup: &Setup) -> (usize, Vec<Vec<Row>>) {
    let mut durable = Durable::new(setup);
    // The first calls compile the schema, the second ones are like all others.
    durable.pass();
    let database = durable.database();
    let before = rows(&database).len();
    let transactions = Transactions::since_now(&database);
    let calls = durable.pass();
    let count = transactions.count(&database).max(1) as usize;
    let rows = rows(&database).split_off(before);
    let size = rows.len().div_ceil(count);
    (calls, rows.chunks(size).map(<[Row]>::to_vec).collect())
}

fn rows(database: &Path) -> Vec<Row> {
    let connection = Connection::open(database).expect("a database");
    let mut select = connection.prepare(SELECT).expect("a statement");
    let row = |row: &rusqlite::Row<'_>| row.try_into();
    let found = select.query_map((), row).expect("rows");
    found.collect::<Result<_, _>>().expect("rows")
}

impl Work for Bare {
    /// How many rows are written, and how many of them are found again.
    fn answer(&mut self) -> Value {
        let written: usize = self.groups.iter().map(Vec::len).sum();
        self.write();
        json!([written, rows(&self.database()).len()])
    }

    fn pass(&mut self) -> usize {
        self.write();
        self.transactions.add(self.calls);
        self.calls
    }

    fn begin(&mut self) {
        self.transactions = Transactions::since_now(&self.database());
    }

    fn figures(&mut self) -> Vec<(&'static str, f64)> {
        self.transactions.figures(&self.database())
    }
}
