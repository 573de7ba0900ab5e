//! What only a file can do.

use std::{fs, os::unix::fs::PermissionsExt as _};

use assent_store::{Database, Location, OpenError};

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
async fn nobody_else_can_read_the_file() {
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
