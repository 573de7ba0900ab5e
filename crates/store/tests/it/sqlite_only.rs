//! What only a file can do.

use std::{
    fs,
    future::poll_fn,
    os::unix::fs::PermissionsExt as _,
    pin::Pin,
    sync::{
        Arc, Mutex,
        atomic::{AtomicUsize, Ordering},
        mpsc,
    },
    task::Poll,
};

use assent_store::{Database, Location, OpenError, StoreError, Tx, Work};

use crate::{
    both::MIGRATIONS,
    units::{Add, Total},
};

#[tokio::test]
async fn a_second_process_on_the_same_file_is_refused() {
    let directory = tempfile::tempdir().unwrap();
    let location = Location::Sqlite(directory.path().join("a.db"));
    let open = Database::open(&location, MIGRATIONS).await.unwrap();
    let second = Database::open(&location, MIGRATIONS).await;
    assert!(matches!(second, Err(OpenError::InUse(_))), "{second:?}");
    drop(open);
    assert!(Database::open(&location, MIGRATIONS).await.is_ok());
}

#[tokio::test]
async fn a_file_of_another_program_is_left_alone() {
    let directory = tempfile::tempdir().unwrap();
    let path = directory.path().join("a.db");
    fs::write(&path, "a letter to a friend, long enough to be taken for a header of a database")
        .unwrap();
    let opened = Database::open(&Location::Sqlite(path.clone()), MIGRATIONS).await;
    assert!(matches!(opened, Err(OpenError::Foreign(_))), "{opened:?}");
    assert!(fs::read_to_string(&path).unwrap().starts_with("a letter"));
}

#[tokio::test]
async fn only_the_owner_can_read_the_file() {
    let directory = tempfile::tempdir().unwrap();
    let path = directory.path().join("a.db");
    let database = Database::open(&Location::Sqlite(path.clone()), MIGRATIONS).await.unwrap();
    database.write(Add::one("a")).await.unwrap();
    for name in ["a.db", "a.db-wal"] {
        let mode = fs::metadata(directory.path().join(name)).unwrap().permissions().mode();
        assert_eq!(mode & 0o777, 0o600, "{name}");
    }
}

#[tokio::test]
async fn what_was_acknowledged_is_there_after_opening_again_and_in_a_copy() {
    let directory = tempfile::tempdir().unwrap();
    let location = Location::Sqlite(directory.path().join("a.db"));
    let copy = directory.path().join("copy.db");
    let database = Database::open(&location, MIGRATIONS).await.unwrap();
    database.write(Add::one("a")).await.unwrap();
    database.back_up(&copy).await.unwrap();
    assert!(database.back_up(&copy).await.is_err(), "a copy never overwrites");
    drop(database);
    for location in [location, Location::Sqlite(copy)] {
        let database = Database::open(&location, MIGRATIONS).await.unwrap();
        assert_eq!(database.read(Total("a")).await.unwrap(), 1);
    }
}

#[tokio::test]
async fn a_file_that_was_closed_is_all_there_is() {
    let directory = tempfile::tempdir().unwrap();
    let location = Location::Sqlite(directory.path().join("a.db"));
    let database = Database::open(&location, MIGRATIONS).await.unwrap();
    database.write(Add::one("a")).await.unwrap();
    assert_eq!(database.read(Total("a")).await.unwrap(), 1);
    assert!(directory.path().join("a.db-wal").exists());
    drop(database);
    assert!(!directory.path().join("a.db-wal").exists(), "the log was moved into the file");
}

/// Holds up the thread that writes, until a word is sent.
struct Hold {
    begun: mpsc::Sender<()>,
    word: Mutex<mpsc::Receiver<()>>,
}

impl Work for Hold {
    type Output = ();
    type Error = StoreError;

    async fn run(&self, _: &mut Tx) -> Result<(), StoreError> {
        let _ = self.begun.send(());
        let _ = self.word.lock().unwrap().recv();
        Ok(())
    }
}

/// Counts how often it runs, and is refused or not.
struct CountRuns {
    runs: Arc<AtomicUsize>,
    is_refused: bool,
}

impl Work for CountRuns {
    type Output = ();
    type Error = StoreError;

    async fn run(&self, tx: &mut Tx) -> Result<(), StoreError> {
        self.runs.fetch_add(1, Ordering::SeqCst);
        Add::one("a").run(tx).await?;
        if self.is_refused { Err(StoreError::Refused("on purpose".to_owned())) } else { Ok(()) }
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_refused_work_is_undone_alone_and_makes_no_other_run_again() {
    const WORKS: usize = 20;
    let directory = tempfile::tempdir().unwrap();
    let location = Location::Sqlite(directory.path().join("a.db"));
    let database = Database::open(&location, MIGRATIONS).await.unwrap();
    let ((begun, has_begun), (word, waits)) = (mpsc::channel(), mpsc::channel());
    let holding = tokio::spawn({
        let database = database.clone();
        async move { database.write(Hold { begun, word: Mutex::new(waits) }).await }
    });
    has_begun.recv().unwrap();
    // All of these wait at the same moment, so they are committed as one group.
    let runs = Arc::new(AtomicUsize::new(0));
    let mut waiting = Vec::new();
    for number in 0..WORKS {
        let (database, is_refused) = (database.clone(), number % 5 == 2);
        let work = CountRuns { runs: Arc::clone(&runs), is_refused };
        let written: Pin<Box<dyn Future<Output = _>>> =
            Box::pin(async move { database.write(work).await });
        waiting.push(begin(written).await.unwrap_err());
    }
    let commits = database.health().commits;
    word.send(()).unwrap();
    holding.await.unwrap().unwrap();
    let refused = futures_util::future::join_all(waiting).await;
    assert_eq!(refused.iter().filter(|written| written.is_err()).count(), WORKS / 5);
    assert_eq!(database.health().commits, commits + 2, "one for the first, one for the group");
    assert_eq!(runs.load(Ordering::SeqCst), WORKS);
    assert_eq!(database.read(Total("a")).await.unwrap(), i64::try_from(WORKS * 4 / 5).unwrap());
}

/// Begins to wait for something.
async fn begin<T>(
    mut future: Pin<Box<dyn Future<Output = T>>>,
) -> Result<T, Pin<Box<dyn Future<Output = T>>>> {
    let polled = poll_fn(|context| Poll::Ready(future.as_mut().poll(context))).await;
    match polled {
        Poll::Ready(value) => Ok(value),
        Poll::Pending => Err(future),
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_unit_of_work_beyond_the_queue_limit_is_refused() {
    const ROOM: usize = 16_384;
    let directory = tempfile::tempdir().unwrap();
    let location = Location::Sqlite(directory.path().join("a.db"));
    let database = Database::open(&location, MIGRATIONS).await.unwrap();
    let ((begun, has_begun), (word, waits)) = (mpsc::channel(), mpsc::channel());
    let holding = tokio::spawn({
        let database = database.clone();
        async move { database.write(Hold { begun, word: Mutex::new(waits) }).await }
    });
    has_begun.recv().unwrap();
    let mut waiting = Vec::new();
    let add = || -> Pin<Box<dyn Future<Output = _>>> {
        let database = database.clone();
        Box::pin(async move { database.write(Add::one("a")).await })
    };
    for number in 0..ROOM {
        match begin(add()).await {
            Err(pending) => waiting.push(pending),
            Ok(answer) => panic!("{number}: {answer:?}"),
        }
    }
    assert_eq!(database.health().waiting, ROOM);
    let one_more = begin(add()).await.ok();
    assert!(matches!(one_more, Some(Err(StoreError::Overloaded))), "{one_more:?}");
    word.send(()).unwrap();
    holding.await.unwrap().unwrap();
    for answer in futures_util::future::join_all(waiting).await {
        answer.unwrap();
    }
    assert_eq!(database.read(Total("a")).await.unwrap(), i64::try_from(ROOM).unwrap());
}
