//! Tables change only forwards.

use assent_store::{Database, Location, Migration, OpenError};
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
