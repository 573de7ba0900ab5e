//! What is accepted first and filed later.

use std::{
    path::Path,
    sync::{
        Arc, Mutex,
        atomic::{AtomicBool, Ordering},
    },
    time::Duration,
};

use assent_store::{Database, Filing, Migration, StoreError, Tray, Tx, Work};
use tempfile::TempDir;

const MIGRATIONS: &[Migration] = &[Migration {
    name: "tables",
    sql: "CREATE TABLE filed (name TEXT PRIMARY KEY);
        CREATE TABLE slips (place BIGINT PRIMARY KEY, name TEXT NOT NULL);",
}];

/// Names that wait to be filed.
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

impl Tray for Names {
    fn recall<'a>(&'a self, tx: &'a mut Tx) -> Filing<'a> {
        Box::pin(async move {
            let slips = "SELECT name FROM slips ORDER BY place /* whole table */";
            let waiting = tx.column(slips, &[]).await?;
            *self.state.lock().unwrap() = State { waiting, ..State::default() };
            Ok(())
        })
    }

    fn file<'a>(&'a self, tx: &'a mut Tx) -> Filing<'a> {
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

    fn close<'a>(&'a self, tx: &'a mut Tx) -> Filing<'a> {
        let (is_filed, fresh) = {
            let state = self.state.lock().unwrap();
            (state.filed, state.fresh.clone())
        };
        if self.is_full.load(Ordering::SeqCst) {
            return Box::pin(async { Err(StoreError::Unavailable("it is full".to_owned())) });
        }
        if is_filed {
            return self.file(tx);
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

    fn keep(&self) {
        let mut state = self.state.lock().unwrap();
        if std::mem::take(&mut state.filed) {
            state.waiting.clear();
        }
        let fresh = std::mem::take(&mut state.fresh);
        state.waiting.extend(fresh);
    }

    fn undo(&self) {
        let mut state = self.state.lock().unwrap();
        state.fresh.clear();
        state.filed = false;
    }

    fn is_empty(&self) -> bool {
        self.state.lock().unwrap().waiting.is_empty()
    }

    fn patience(&self) -> Duration {
        if self.is_impatient.load(Ordering::SeqCst) { Duration::ZERO } else { A_DAY }
    }
}

/// Lays a name into the tray, or fails before.
struct Accept {
    tray: Arc<Names>,
    name: String,
    fails: bool,
}

impl Work for Accept {
    type Output = ();
    type Error = StoreError;

    fn looks(&self) -> bool {
        false
    }

    async fn run(&self, _: &mut Tx) -> Result<(), StoreError> {
        if self.fails {
            return Err(StoreError::Refused("on purpose".to_owned()));
        }
        self.tray.state.lock().unwrap().fresh.push(self.name.clone());
        Ok(())
    }
}

const FILED: &str = "SELECT name FROM filed ORDER BY name /* whole table */";
const SLIPS: &str = "SELECT name FROM slips ORDER BY name /* whole table */";

/// Looks at a table, or peeks at it without being seen.
struct Look {
    at: &'static str,
    looks: bool,
}

impl Work for Look {
    type Output = Vec<String>;
    type Error = StoreError;

    fn looks(&self) -> bool {
        self.looks
    }

    async fn run(&self, tx: &mut Tx) -> Result<Vec<String>, StoreError> {
        tx.column(self.at, &[]).await
    }
}

struct World {
    database: Database,
    tray: Arc<Names>,
    directory: TempDir,
}

impl World {
    fn new() -> Self {
        let directory = tempfile::tempdir().unwrap();
        let (database, tray) = open(&directory.path().join("a.db"));
        Self { database, tray, directory }
    }

    async fn accept(&self, name: &str, fails: bool) -> Result<(), StoreError> {
        let (tray, name) = (Arc::clone(&self.tray), name.to_owned());
        self.database.write(Accept { tray, name, fails }).await
    }

    async fn peek(&self, at: &'static str) -> Vec<String> {
        self.database.read(Look { at, looks: false }).await.unwrap()
    }
}

fn open(path: &Path) -> (Database, Arc<Names>) {
    let tray = Arc::<Names>::default();
    let database = Database::open_with_tray(path, MIGRATIONS, tray.clone()).unwrap();
    (database, tray)
}

#[tokio::test]
async fn who_reads_finds_everything_filed_and_who_does_not_look_leaves_it_where_it_is() {
    let world = World::new();
    world.accept("a", false).await.unwrap();
    world.accept("b", false).await.unwrap();
    assert_eq!(world.peek(SLIPS).await, ["a", "b"]);
    assert_eq!(world.peek(FILED).await, [""; 0]);
    let looked = world.database.read(Look { at: FILED, looks: true }).await.unwrap();
    assert_eq!(looked, ["a", "b"]);
    assert_eq!(world.peek(SLIPS).await, [""; 0]);
}

#[tokio::test]
async fn who_writes_finds_everything_filed_also_what_came_just_before() {
    let world = World::new();
    world.accept("a", false).await.unwrap();
    let look = world.database.write(Look { at: FILED, looks: true });
    let (accepted, looked, late) =
        tokio::join!(world.accept("b", false), look, world.accept("c", false));
    accepted.unwrap();
    late.unwrap();
    assert_eq!(looked.unwrap(), ["a", "b"]);
    let looked = world.database.read(Look { at: FILED, looks: true }).await.unwrap();
    assert_eq!(looked, ["a", "b", "c"]);
}

#[tokio::test]
async fn a_work_that_fails_beside_others_takes_nothing_out_of_the_tray_and_leaves_nothing_twice() {
    let world = World::new();
    for round in 0..20 {
        let names: Vec<String> = (0..5).map(|name| format!("{round:02}-{name}")).collect();
        let accepted = names.iter().map(|name| world.accept(name, name.ends_with('2')));
        for (name, accepted) in names.iter().zip(futures_util::future::join_all(accepted).await) {
            assert_eq!(accepted.is_err(), name.ends_with('2'));
        }
    }
    let looked = world.database.read(Look { at: FILED, looks: true }).await.unwrap();
    let all = (0..20).flat_map(|round| [0, 1, 3, 4].map(|name| format!("{round:02}-{name}")));
    assert_eq!(looked, all.collect::<Vec<_>>());
}

#[tokio::test]
async fn what_was_written_down_is_filed_when_a_file_is_opened() {
    let world = World::new();
    world.accept("a", false).await.unwrap();
    let copy = world.directory.path().join("copy.db");
    world.database.back_up(&copy).await.unwrap();
    let (copied, tray) = open(&copy);
    assert!(tray.is_empty());
    assert_eq!(copied.read(Look { at: FILED, looks: false }).await.unwrap(), ["a"]);
}

#[tokio::test]
async fn a_file_that_was_closed_has_nothing_left_to_file() {
    let world = World::new();
    world.accept("a", false).await.unwrap();
    let path = world.directory.path().join("a.db");
    drop(world.database);
    let opened = Database::open(&assent_store::Location::Sqlite(path), MIGRATIONS).await.unwrap();
    assert_eq!(opened.read(Look { at: FILED, looks: true }).await.unwrap(), ["a"]);
}

#[tokio::test]
async fn what_cannot_be_filed_is_kept_until_it_can() {
    let world = World::new();
    for (name, panics) in [("a", false), ("b", true)] {
        let switch = if panics { &world.tray.panics } else { &world.tray.breaks };
        switch.store(true, Ordering::SeqCst);
        world.accept(name, false).await.unwrap();
        let looked = world.database.read(Look { at: FILED, looks: true }).await;
        assert!(looked.is_err(), "{looked:?}");
        switch.store(false, Ordering::SeqCst);
    }
    world.accept("c", false).await.unwrap();
    let looked = world.database.read(Look { at: FILED, looks: true }).await.unwrap();
    assert_eq!(looked, ["a", "b", "c"]);
}

#[tokio::test]
async fn what_nobody_looks_for_is_filed_when_the_tray_has_waited_long_enough() {
    let world = World::new();
    world.tray.is_impatient.store(true, Ordering::SeqCst);
    world.accept("a", false).await.unwrap();
    for _ in 0..3000 {
        if world.peek(FILED).await == ["a"] {
            return;
        }
        tokio::time::sleep(Duration::from_millis(20)).await;
    }
    panic!("it is never filed");
}

#[tokio::test]
async fn who_only_reads_finds_everything_filed_while_nothing_can_be_written() {
    let world = World::new();
    world.accept("a", false).await.unwrap();
    world.tray.is_full.store(true, Ordering::SeqCst);
    let look = |looks: bool| Look { at: FILED, looks };
    for _ in 0..2 {
        let refused = world.accept("b", false).await;
        assert!(matches!(refused, Err(StoreError::Unavailable(_))), "{refused:?}");
        let (one, other) =
            tokio::join!(world.database.read(look(true)), world.database.read(look(true)));
        assert_eq!((one.unwrap(), other.unwrap()), (vec!["a".to_owned()], vec!["a".to_owned()]));
        // It was shown and not filed.
        assert_eq!(
            (world.peek(SLIPS).await, world.peek(FILED).await),
            (vec!["a".to_owned()], vec![])
        );
        let written = world.database.write(look(true)).await;
        assert!(matches!(written, Err(StoreError::Unavailable(_))), "{written:?}");
    }
    world.tray.is_full.store(false, Ordering::SeqCst);
    world.accept("b", false).await.unwrap();
    assert_eq!(world.database.read(look(true)).await.unwrap(), ["a", "b"]);
    assert_eq!(world.peek(SLIPS).await, [""; 0]);
}
