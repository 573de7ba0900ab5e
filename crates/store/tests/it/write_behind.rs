//! Changes that are stored in a buffer first and in their tables later.

use std::{
    path::Path,
    sync::{
        Arc, Mutex,
        atomic::{AtomicBool, Ordering},
    },
    time::Duration,
};

use assent_store::{BufferFuture, Database, Migration, StoreError, Tx, Work, WriteBehind};
use tempfile::TempDir;

const MIGRATIONS: &[Migration] = &[Migration {
    name: "tables",
    sql: "CREATE TABLE filed (name TEXT PRIMARY KEY);
        CREATE TABLE slips (place BIGINT PRIMARY KEY, name TEXT NOT NULL);",
}];

/// Names that wait to be flushed.
#[derive(Default)]
struct Names {
    state: Mutex<State>,
    breaks: AtomicBool,
    panics: AtomicBool,
    /// The disk takes nothing: whatever is done fails when it is to be kept.
    is_full: AtomicBool,
    is_impatient: AtomicBool,
}

/// Longer than a test takes, however slow the machine is.
const A_DAY: Duration = Duration::from_secs(24 * 60 * 60);

#[derive(Default)]
struct State {
    waiting: Vec<String>,
    fresh: Vec<String>,
    filed: bool,
}

impl WriteBehind for Names {
    fn load<'a>(&'a self, tx: &'a mut Tx) -> BufferFuture<'a> {
        Box::pin(async move {
            let slips = "SELECT name FROM slips ORDER BY place /* whole table */";
            let waiting = tx.column(slips, &[]).await?;
            *self.state.lock().unwrap() = State { waiting, ..State::default() };
            Ok(())
        })
    }

    fn flush<'a>(&'a self, tx: &'a mut Tx) -> BufferFuture<'a> {
        Box::pin(async move {
            let names = {
                let mut state = self.state.lock().unwrap();
                let waiting = if state.filed { Vec::new() } else { state.waiting.clone() };
                state.filed = true;
                [waiting, std::mem::take(&mut state.fresh)].concat()
            };
            for name in names {
                let file = "INSERT INTO filed (name) VALUES ($1)";
                tx.execute(file, &[name.into()]).await?;
            }
            assert!(!self.panics.load(Ordering::SeqCst), "on purpose");
            if self.breaks.load(Ordering::SeqCst) {
                return Err(StoreError::Unavailable("on purpose".to_owned()));
            }
            tx.execute("DELETE FROM slips /* whole table */", &[]).await
        })
    }

    fn before_commit<'a>(&'a self, tx: &'a mut Tx) -> BufferFuture<'a> {
        let (is_filed, fresh) = {
            let state = self.state.lock().unwrap();
            (state.filed, state.fresh.clone())
        };
        if self.is_full.load(Ordering::SeqCst) {
            return Box::pin(async { Err(StoreError::Unavailable("it is full".to_owned())) });
        }
        if is_filed {
            return self.flush(tx);
        }
        Box::pin(async move {
            for name in fresh {
                let slip = "INSERT INTO slips (place, name)
                    SELECT coalesce(max(place), 0) + 1, $1 FROM slips /* whole table */";
                tx.execute(slip, &[name.into()]).await?;
            }
            Ok(())
        })
    }

    fn committed(&self) {
        let mut state = self.state.lock().unwrap();
        if std::mem::take(&mut state.filed) {
            state.waiting.clear();
        }
        let fresh = std::mem::take(&mut state.fresh);
        state.waiting.extend(fresh);
    }

    fn rolled_back(&self) {
        let mut state = self.state.lock().unwrap();
        state.fresh.clear();
        state.filed = false;
    }

    fn is_empty(&self) -> bool {
        self.state.lock().unwrap().waiting.is_empty()
    }

    fn max_delay(&self) -> Duration {
        if self.is_impatient.load(Ordering::SeqCst) { Duration::ZERO } else { A_DAY }
    }
}

/// Adds a name to the buffer, or fails before.
struct Accept {
    buffer: Arc<Names>,
    name: String,
    fails: bool,
}

impl Work for Accept {
    type Output = ();
    type Error = StoreError;

    fn needs_flush(&self) -> bool {
        false
    }

    async fn run(&self, _: &mut Tx) -> Result<(), StoreError> {
        if self.fails {
            return Err(StoreError::Refused("on purpose".to_owned()));
        }
        self.buffer.state.lock().unwrap().fresh.push(self.name.clone());
        Ok(())
    }
}

const FILED: &str = "SELECT name FROM filed ORDER BY name /* whole table */";
const SLIPS: &str = "SELECT name FROM slips ORDER BY name /* whole table */";

/// Looks at a table, or reads_buffered at it without being seen.
struct Look {
    at: &'static str,
    needs_flush: bool,
}

impl Work for Look {
    type Output = Vec<String>;
    type Error = StoreError;

    fn needs_flush(&self) -> bool {
        self.needs_flush
    }

    async fn run(&self, tx: &mut Tx) -> Result<Vec<String>, StoreError> {
        tx.column(self.at, &[]).await
    }
}

struct World {
    database: Database,
    buffer: Arc<Names>,
    directory: TempDir,
}

impl World {
    fn new() -> Self {
        let directory = tempfile::tempdir().unwrap();
        let (database, buffer) = open(&directory.path().join("a.db"));
        Self { database, buffer, directory }
    }

    async fn accept(&self, name: &str, fails: bool) -> Result<(), StoreError> {
        let (buffer, name) = (Arc::clone(&self.buffer), name.to_owned());
        self.database.write(Accept { buffer, name, fails }).await
    }

    async fn read_buffered(&self, at: &'static str) -> Vec<String> {
        self.database.read(Look { at, needs_flush: false }).await.unwrap()
    }
}

fn open(path: &Path) -> (Database, Arc<Names>) {
    let buffer = Arc::<Names>::default();
    let database = Database::open_with_write_behind(path, MIGRATIONS, buffer.clone()).unwrap();
    (database, buffer)
}

#[tokio::test]
async fn a_read_flushes_the_buffer_unless_it_says_that_it_needs_no_flush() {
    let world = World::new();
    world.accept("a", false).await.unwrap();
    world.accept("b", false).await.unwrap();
    assert_eq!(world.read_buffered(SLIPS).await, ["a", "b"]);
    assert_eq!(world.read_buffered(FILED).await, [""; 0]);
    let looked = world.database.read(Look { at: FILED, needs_flush: true }).await.unwrap();
    assert_eq!(looked, ["a", "b"]);
    assert_eq!(world.read_buffered(SLIPS).await, [""; 0]);
}

#[tokio::test]
async fn a_write_flushes_the_buffer_also_for_what_came_just_before() {
    let world = World::new();
    world.accept("a", false).await.unwrap();
    let look = world.database.write(Look { at: FILED, needs_flush: true });
    let (accepted, looked, late) =
        tokio::join!(world.accept("b", false), look, world.accept("c", false));
    accepted.unwrap();
    late.unwrap();
    assert_eq!(looked.unwrap(), ["a", "b"]);
    let looked = world.database.read(Look { at: FILED, needs_flush: true }).await.unwrap();
    assert_eq!(looked, ["a", "b", "c"]);
}

#[tokio::test]
async fn a_work_that_fails_beside_others_loses_and_repeats_nothing_of_the_buffer() {
    let world = World::new();
    for round in 0..20 {
        let names: Vec<String> = (0..5).map(|name| format!("{round:02}-{name}")).collect();
        let accepted = names.iter().map(|name| world.accept(name, name.ends_with('2')));
        for (name, accepted) in names.iter().zip(futures_util::future::join_all(accepted).await) {
            assert_eq!(accepted.is_err(), name.ends_with('2'));
        }
    }
    let looked = world.database.read(Look { at: FILED, needs_flush: true }).await.unwrap();
    let all = (0..20).flat_map(|round| [0, 1, 3, 4].map(|name| format!("{round:02}-{name}")));
    assert_eq!(looked, all.collect::<Vec<_>>());
}

#[tokio::test]
async fn the_buffer_is_flushed_when_a_file_is_opened() {
    let world = World::new();
    world.accept("a", false).await.unwrap();
    let copy = world.directory.path().join("copy.db");
    world.database.back_up(&copy).await.unwrap();
    let (copied, buffer) = open(&copy);
    assert!(buffer.is_empty());
    assert_eq!(copied.read(Look { at: FILED, needs_flush: false }).await.unwrap(), ["a"]);
}

#[tokio::test]
async fn a_closed_file_has_nothing_left_to_flush() {
    let world = World::new();
    world.accept("a", false).await.unwrap();
    let path = world.directory.path().join("a.db");
    drop(world.database);
    let opened = Database::open(&assent_store::Location::Sqlite(path), MIGRATIONS).await.unwrap();
    assert_eq!(opened.read(Look { at: FILED, needs_flush: true }).await.unwrap(), ["a"]);
}

#[tokio::test]
async fn what_cannot_be_flushed_is_kept_until_it_can() {
    let world = World::new();
    for (name, panics) in [("a", false), ("b", true)] {
        let switch = if panics { &world.buffer.panics } else { &world.buffer.breaks };
        switch.store(true, Ordering::SeqCst);
        world.accept(name, false).await.unwrap();
        let looked = world.database.read(Look { at: FILED, needs_flush: true }).await;
        assert!(looked.is_err(), "{looked:?}");
        switch.store(false, Ordering::SeqCst);
    }
    world.accept("c", false).await.unwrap();
    let looked = world.database.read(Look { at: FILED, needs_flush: true }).await.unwrap();
    assert_eq!(looked, ["a", "b", "c"]);
}

#[tokio::test]
async fn the_buffer_is_flushed_after_its_maximum_delay() {
    let world = World::new();
    world.buffer.is_impatient.store(true, Ordering::SeqCst);
    world.accept("a", false).await.unwrap();
    for _ in 0..3000 {
        if world.read_buffered(FILED).await == ["a"] {
            return;
        }
        tokio::time::sleep(Duration::from_millis(20)).await;
    }
    panic!("it is never flushed");
}

#[tokio::test]
async fn reads_see_the_buffered_changes_while_nothing_can_be_written() {
    let world = World::new();
    world.accept("a", false).await.unwrap();
    world.buffer.is_full.store(true, Ordering::SeqCst);
    let look = |needs_flush: bool| Look { at: FILED, needs_flush };
    for _ in 0..2 {
        let refused = world.accept("b", false).await;
        assert!(matches!(refused, Err(StoreError::Unavailable(_))), "{refused:?}");
        let (one, other) =
            tokio::join!(world.database.read(look(true)), world.database.read(look(true)));
        assert_eq!((one.unwrap(), other.unwrap()), (vec!["a".to_owned()], vec!["a".to_owned()]));
        // It was read and not flushed.
        assert_eq!(
            (world.read_buffered(SLIPS).await, world.read_buffered(FILED).await),
            (vec!["a".to_owned()], vec![])
        );
        let written = world.database.write(look(true)).await;
        assert!(matches!(written, Err(StoreError::Unavailable(_))), "{written:?}");
    }
    world.buffer.is_full.store(false, Ordering::SeqCst);
    world.accept("b", false).await.unwrap();
    assert_eq!(world.database.read(look(true)).await.unwrap(), ["a", "b"]);
    assert_eq!(world.read_buffered(SLIPS).await, [""; 0]);
}
