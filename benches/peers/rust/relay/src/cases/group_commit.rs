//! The limit of what is durable: one thread that writes to SQLite, whatever waits in one transaction, and
//! nothing in front of it. And below that, the disk alone.

use std::{
    cell::Cell,
    fs::File,
    os::unix::fs::FileExt as _,
    path::Path,
    rc::Rc,
    sync::{
        Arc,
        atomic::{AtomicU64, Ordering},
    },
    thread,
    time::{Duration, Instant},
};

use assent_bench_harness::{Elapsed, Measured, Request, Trial};
use nix::time::{ClockId, clock_gettime};
use rusqlite::Connection;
use serde_json::{Value, json};
use tempfile::TempDir;
use tokio::{
    runtime::Builder,
    sync::{mpsc, oneshot},
    task::LocalSet,
};

use super::durable::{BODY_BYTES, FOR_THE_GATE, calm_disk, on_the_wall};
use crate::{cores, memory};

/// The most messages in one transaction.
const BATCH: usize = 256;

const TABLES: &str = "PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL;
    CREATE TABLE messages (id INTEGER PRIMARY KEY, recipient INTEGER NOT NULL,
        seq INTEGER NOT NULL, body BLOB NOT NULL) STRICT;
    CREATE UNIQUE INDEX by_recipient ON messages (recipient, seq)";
const INSERT: &str = "INSERT INTO messages (recipient, seq, body) VALUES (?1, ?2, ?3)";

/// A message, and who waits for it.
struct Job {
    recipient: usize,
    seq: usize,
    body: Vec<u8>,
    done: oneshot::Sender<()>,
}

pub(super) struct GroupCommit {
    data: TempDir,
    senders: usize,
}

impl GroupCommit {
    pub(super) fn new(request: &Request, senders: usize) -> Self {
        Self { data: tempfile::tempdir_in(&request.data).expect("a directory"), senders }
    }

    /// Sends for some time, or so many of each sender. Gives the messages that were stored after the
    /// first part of the time, and what they took.
    fn run(&self, time: Duration, most: usize) -> (usize, Elapsed) {
        let (sender, jobs) = mpsc::channel(1024);
        let cpu = Arc::new(AtomicU64::new(0));
        let writer = {
            let (file, cpu) = (self.data.path().join("limit.db"), Arc::clone(&cpu));
            thread::spawn(move || write(&file, jobs, &cpu))
        };
        let runtime = Builder::new_current_thread().enable_time().build().expect("a runtime");
        let local = LocalSet::new();
        let stored = Rc::new(Cell::new(0));
        let end = Instant::now() + time + time / 4;
        let begun = local.block_on(&runtime, async {
            let callers: Vec<_> = (0..self.senders)
                .map(|recipient| {
                    let (jobs, stored) = (sender.clone(), Rc::clone(&stored));
                    tokio::task::spawn_local(call(jobs, recipient, most, end, stored))
                })
                .collect();
            tokio::time::sleep(if most == usize::MAX { time / 4 } else { Duration::ZERO }).await;
            let begun = (stored.get(), cpu.load(Ordering::Relaxed), Instant::now());
            for caller in callers {
                caller.await.expect("a caller does not panic");
            }
            begun
        });
        let wall = begun.2.elapsed();
        let spent = Duration::from_nanos(cpu.load(Ordering::Relaxed) - begun.1);
        drop(sender);
        writer.join().expect("the writer does not panic");
        (stored.get() - begun.0, Elapsed { cpu: spent, wall })
    }
}

/// One sender, who waits for each message.
async fn call(
    jobs: mpsc::Sender<Job>,
    recipient: usize,
    most: usize,
    end: Instant,
    stored: Rc<Cell<usize>>,
) {
    let mut seq = 0;
    while seq < most && Instant::now() < end {
        let (done, stored_one) = oneshot::channel();
        let body = vec![b'x'; BODY_BYTES];
        let job = Job { recipient, seq, body, done };
        assert!(jobs.send(job).await.is_ok(), "the writer is there");
        stored_one.await.expect("the writer answers");
        stored.set(stored.get() + 1);
        seq += 1;
    }
}

/// The thread that writes, on the core of servers. It tells how much CPU time it has used.
fn write(file: &Path, mut jobs: mpsc::Receiver<Job>, cpu: &AtomicU64) {
    cores::be_the_server();
    let connection = Connection::open(file).expect("a database");
    connection.execute_batch(TABLES).expect("tables");
    let mut batch = Vec::with_capacity(BATCH);
    while jobs.blocking_recv_many(&mut batch, BATCH) > 0 {
        connection.execute_batch("BEGIN IMMEDIATE").expect("a transaction");
        let mut insert = connection.prepare_cached(INSERT).expect("a statement");
        for job in &batch {
            let row = (job.recipient, job.seq, &job.body);
            insert.execute(row).expect("a row");
        }
        connection.execute_batch("COMMIT").expect("a commit");
        let time = clock_gettime(ClockId::CLOCK_THREAD_CPUTIME_ID).expect("a thread has a clock");
        let used = Duration::from(time).as_nanos().try_into().unwrap_or(u64::MAX);
        cpu.store(used, Ordering::Relaxed);
        for job in batch.drain(..) {
            let _ = job.done.send(());
        }
    }
}

impl Trial for GroupCommit {
    fn answer(&mut self) -> Value {
        let (accepted, _) = self.run(Duration::from_secs(60), FOR_THE_GATE);
        let file = self.data.path().join("limit.db");
        let connection = Connection::open(file).expect("the database is still there");
        let count = "SELECT count(*) FROM messages";
        let found: usize = connection.query_row(count, (), |row| row.get(0)).expect("a number");
        json!({"accepted": accepted, "found": found})
    }

    fn measure(&mut self, time: Duration) -> Measured {
        calm_disk();
        let (operations, spent) = self.run(on_the_wall(time), usize::MAX);
        measured(operations, spent)
    }
}

/// One page after the other into a file that is there already, each on the disk before the next.
pub(super) struct Disk {
    data: TempDir,
}

const PAGE: u64 = 4096;
const PAGES: u64 = 8192;

impl Disk {
    pub(super) fn new(request: &Request) -> Self {
        Self { data: tempfile::tempdir_in(&request.data).expect("a directory") }
    }

    fn file(&self) -> File {
        allocated(&self.data.path().join("limit"))
    }
}

/// A file whose blocks are there already: writing into it changes nothing but its content.
pub(super) fn allocated(path: &Path) -> File {
    let file = File::create_new(path).expect("a file");
    let empty = vec![0; PAGE as usize];
    for page in 0..PAGES {
        file.write_all_at(&empty, page * PAGE).expect("room");
    }
    file.sync_all().expect("a disk");
    file
}

/// Writes a message and waits for the disk.
pub(super) fn write_page(file: &File, number: u64) {
    let body = [b'x'; BODY_BYTES];
    file.write_all_at(&body, number % PAGES * PAGE).expect("room");
    file.sync_data().expect("a disk");
}

impl Trial for Disk {
    fn answer(&mut self) -> Value {
        let file = self.file();
        (0..FOR_THE_GATE as u64).for_each(|number| write_page(&file, number));
        json!({"accepted": FOR_THE_GATE, "found": FOR_THE_GATE})
    }

    fn measure(&mut self, time: Duration) -> Measured {
        let file = self.file();
        calm_disk();
        let clock = || {
            let time = clock_gettime(ClockId::CLOCK_PROCESS_CPUTIME_ID).expect("a clock");
            (Duration::from(time), Instant::now())
        };
        let (cpu, wall) = clock();
        let mut number = 0;
        while wall.elapsed() < on_the_wall(time) {
            write_page(&file, number);
            number += 1;
        }
        let spent = Elapsed { cpu: clock().0 - cpu, wall: wall.elapsed() };
        measured(usize::try_from(number).expect("not so many"), spent)
    }
}

fn measured(operations: usize, spent: Elapsed) -> Measured {
    let rate = operations as f64 / spent.wall.as_secs_f64();
    let peak_rss_kib = memory::peak_kib(std::process::id());
    Measured { operations, spent, peak_rss_kib, figures: vec![("ops_per_s", rate)] }
}
