//! Tables change only forwards.

use assent_store::{Database, Location, Migration, OpenError, Reached};
use assent_test_servers::database;

const FIRST: Migration = Migration { name: "first", sql: "CREATE TABLE a (n BIGINT);" };
const SECOND: Migration = Migration { name: "second", sql: "CREATE TABLE b (n BIGINT);" };
const BROKEN: Migration =
    Migration { name: "broken", sql: "CREATE TABLE c (n BIGINT); CREATE TABLE a (n BIGINT);" };
const FIRST_CHANGED: Migration = Migration { name: "first", sql: "CREATE TABLE a (m BIGINT);" };

async fn check(location: &Location) {
    drop(Database::open(location, &[FIRST]).await.unwrap());
    drop(Database::open(location, &[FIRST]).await.unwrap());
    let broken = Database::open(location, &[FIRST, BROKEN]).await;
    assert!(matches!(broken, Err(OpenError::Database(_))), "{broken:?}");
    drop(Database::open(location, &[FIRST, SECOND]).await.unwrap());
    let older = Database::open(location, &[FIRST]).await;
    assert!(matches!(older, Err(OpenError::TooNew { version: 2, known: 1 })), "{older:?}");
    let changed = Database::open(location, &[FIRST_CHANGED, SECOND]).await;
    assert!(matches!(changed, Err(OpenError::Rewritten { version: 1, .. })), "{changed:?}");
}

#[tokio::test]
async fn sqlite_takes_each_step_once_and_refuses_what_does_not_continue_it() {
    let directory = tempfile::tempdir().unwrap();
    check(&Location::Sqlite(directory.path().join("a.db"))).await;
}

#[tokio::test]
async fn postgres_takes_each_step_once_and_refuses_what_does_not_continue_it() {
    check(&database().url().parse().unwrap()).await;
}

#[tokio::test]
async fn nodes_that_start_at_once_do_not_disturb_each_other() {
    let server = database();
    let location: Location = server.url().parse().unwrap();
    let open = || Database::open(&location, &[FIRST, SECOND]);
    let (a, b, c) = tokio::join!(open(), open(), open());
    assert!(a.is_ok() && b.is_ok() && c.is_ok(), "{a:?} {b:?} {c:?}");
}

async fn check_looking(location: &Location) {
    assert_eq!(Database::probe(location, &[FIRST]).await.unwrap(), Reached::Empty);
    let open = Database::open(location, &[FIRST]).await.unwrap();
    let there = Database::probe(location, &[FIRST, SECOND]).await.unwrap();
    assert_eq!(there, Reached::Version { version: 1, newest: 2 });
    drop(open);
    drop(Database::open(location, &[FIRST, SECOND]).await.unwrap());
    let older = Database::probe(location, &[FIRST]).await;
    assert!(matches!(older, Err(OpenError::TooNew { version: 2, known: 1 })), "{older:?}");
}

#[tokio::test]
async fn probing_a_database_changes_nothing_and_blocks_no_one() {
    let directory = tempfile::tempdir().unwrap();
    let path = directory.path().join("deep/a.db");
    assert_eq!(Database::probe(&Location::Sqlite(path), &[FIRST]).await.unwrap(), Reached::Empty);
    assert_eq!(std::fs::read_dir(directory.path()).unwrap().count(), 0);
    check_looking(&Location::Sqlite(directory.path().join("a.db"))).await;
    check_looking(&database().url().parse().unwrap()).await;
}

#[tokio::test]
async fn looking_at_what_is_no_database_says_so() {
    let directory = tempfile::tempdir().unwrap();
    let folder = Database::probe(&Location::Sqlite(directory.path().into()), &[FIRST]).await;
    assert!(matches!(folder, Err(OpenError::File { .. })), "{folder:?}");
    let file = directory.path().join("a.txt");
    std::fs::write(&file, "a letter to a friend, long enough to be taken for a header").unwrap();
    let foreign = Database::probe(&Location::Sqlite(file), &[FIRST]).await;
    assert!(matches!(foreign, Err(OpenError::Foreign(_))), "{foreign:?}");
    let nobody = "postgres://u@127.0.0.1:1/d".parse().unwrap();
    assert!(Database::probe(&nobody, &[FIRST]).await.is_err());
}
