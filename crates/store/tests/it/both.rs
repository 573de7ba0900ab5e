//! What must hold on either database.

use std::sync::Arc;

use assent_store::{Database, Dialect, Location, Migration, StoreError};
use assent_test_servers::database;
use tokio::sync::mpsc;

use crate::units::{
    Add, AddThenClash, AddThenFail, AddThenOverflow, CountTo, Echo, Panic, Read, Total,
    WaitElsewhere, Wrong,
};

pub(crate) const MIGRATIONS: &[Migration] = &[Migration {
    name: "counters",
    sql: "CREATE TABLE counters (name TEXT PRIMARY KEY, value BIGINT NOT NULL) /*sqlite STRICT*/;
        CREATE TABLE things (
            id BIGINT PRIMARY KEY, note TEXT, body BYTEA, doc JSONB NOT NULL DEFAULT '[]'
        ) /*sqlite STRICT*/;",
}];

async fn each(test: impl AsyncFn(Database)) {
    let directory = tempfile::tempdir().unwrap();
    let sqlite = Location::Sqlite(directory.path().join("a.db"));
    test(Database::open(&sqlite, MIGRATIONS).await.unwrap()).await;
    let server = database();
    let postgres: Location = server.url().parse().unwrap();
    test(Database::open(&postgres, MIGRATIONS).await.unwrap()).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn values_come_back_as_they_went_in() {
    each(async |database| {
        let echo = Echo { id: i64::MIN, note: None, body: vec![0, 255], doc: r#"{"a":[1,"é"]}"# };
        let row = database.write(echo).await.unwrap();
        assert_eq!(
            row.get::<Option<i64>>(0).unwrap(),
            Some(i64::MIN),
            "a column can be read again"
        );
        assert_eq!(row.get::<i64>(0).unwrap(), i64::MIN);
        assert_eq!(row.get::<Option<String>>(1).unwrap(), None);
        assert_eq!(row.get::<Vec<u8>>(2).unwrap(), [0, 255]);
        let doc: String = row.get(3).unwrap();
        assert_eq!(doc.replace(' ', ""), r#"{"a":[1,"é"]}"#);
        assert!(matches!(row.get::<i64>(9), Err(StoreError::Unexpected { .. })));
    })
    .await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_work_that_fails_leaves_nothing_behind_and_harms_no_other() {
    each(async |database| {
        let (kept, failed, panicked) = tokio::join!(
            database.write(Add::one("a")),
            database.write(AddThenFail("a")),
            database.write(Panic),
        );
        assert_eq!(kept.unwrap(), 1);
        assert!(failed.is_err());
        if database.dialect() == Dialect::Sqlite {
            assert!(panicked.is_err());
        }
        assert_eq!(database.read(Total("a")).await.unwrap(), 1);
    })
    .await;
}

#[tokio::test(flavor = "multi_thread")]
async fn what_is_done_after_a_work_is_done_once_it_is_durable_whatever_others_do_then() {
    const WORKS: usize = 200;
    each(async |database| {
        let (told, mut heard) = mpsc::unbounded_channel();
        for number in 0..WORKS {
            let told = told.clone();
            database.write_then(Add::one("a"), move |total| {
                assert!(number % 10 != 3, "every tenth panics");
                told.send(total).unwrap();
            });
        }
        let refused = told.clone();
        database.write_then(AddThenFail("a"), move |done| refused.send(done.map(|()| 0)).unwrap());
        drop(told);
        let mut totals = Vec::new();
        while let Some(total) = heard.recv().await {
            totals.push(total.ok());
        }
        assert_eq!(totals.iter().filter(|total| total.is_none()).count(), 1, "one failed");
        assert_eq!(totals.iter().flatten().count(), WORKS - WORKS / 10);
        let stored = i64::try_from(WORKS).unwrap();
        assert_eq!(database.read(Total("a")).await.unwrap(), stored, "also theirs who panicked");
    })
    .await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_work_that_ends_with_what_is_refused_leaves_nothing_behind() {
    each(async |database| {
        // More often than there are connections: each goes on being used.
        for _ in 0..40 {
            let outcome = database.write(AddThenClash("a")).await;
            assert!(matches!(outcome, Err(StoreError::Refused(_))), "{outcome:?}");
        }
        assert_eq!(database.read(Total("a")).await.unwrap(), 0);
        assert_eq!(database.write(Add::one("a")).await.unwrap(), 1);
    })
    .await;
}

#[tokio::test(flavor = "multi_thread")]
async fn what_comes_before_a_statement_that_cannot_be_sent_is_not_kept() {
    let server = database();
    let location: Location = server.url().parse().unwrap();
    let database = Database::open(&location, MIGRATIONS).await.unwrap();
    for _ in 0..40 {
        assert!(database.write(AddThenOverflow("a")).await.is_err());
    }
    assert_eq!(database.read(Total("a")).await.unwrap(), 0);
    assert_eq!(database.write(Add::one("a")).await.unwrap(), 1);
}

#[tokio::test(flavor = "multi_thread")]
async fn statements_run_in_the_order_in_which_they_were_given_however_many() {
    each(async |database| {
        for count in [1, 2, 255, 256, 257, 1_000] {
            assert_eq!(database.write(CountTo(count)).await.unwrap(), count);
        }
    })
    .await;
}

#[tokio::test(flavor = "multi_thread")]
async fn works_that_fail_among_many_fail_alone() {
    each(async |database| {
        let database = Arc::new(database);
        let add = |number: u32| {
            let database = Arc::clone(&database);
            tokio::spawn(async move {
                match number % 7 {
                    0 => assert!(database.write(AddThenFail("n")).await.is_err()),
                    _ => drop(patiently(&database).await),
                }
            })
        };
        for task in (0..700).map(add).collect::<Vec<_>>() {
            task.await.unwrap();
        }
        assert_eq!(database.read(Total("n")).await.unwrap(), 600);
    })
    .await;
}

/// Adds one. A thousand at once are more than a busy machine takes in time; a refused call has added nothing.
async fn patiently(database: &Database) -> i64 {
    for _ in 0..100 {
        match database.write(Add::one("n")).await {
            Err(StoreError::Overloaded) => {}
            added => return added.unwrap(),
        }
    }
    panic!("nothing is taken any more");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_thousand_increments_from_everywhere_are_a_thousand() {
    each(async |database| {
        let database = Arc::new(database);
        let add = |_| {
            let database = Arc::clone(&database);
            tokio::spawn(async move { patiently(&database).await })
        };
        let mut seen = Vec::new();
        for task in (0..1_000).map(add).collect::<Vec<_>>() {
            seen.push(task.await.unwrap());
        }
        seen.sort_unstable();
        assert_eq!(seen, (1..=1_000).collect::<Vec<_>>());
    })
    .await;
}

#[tokio::test(flavor = "multi_thread")]
async fn works_that_read_before_they_write_exclude_each_other_by_a_lock() {
    each(read_and_write_at_once).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_lock_excludes_others_whatever_the_server_takes_for_a_transaction() {
    let server = database();
    let isolated = "?options=-c%20default_transaction_isolation%3Dserializable";
    let postgres: Location = format!("{}{isolated}", server.url()).parse().unwrap();
    read_and_write_at_once(Database::open(&postgres, MIGRATIONS).await.unwrap()).await;
}

async fn read_and_write_at_once(database: Database) {
    let database = Arc::new(database);
    let add = |_| {
        let database = Arc::clone(&database);
        tokio::spawn(async move { database.write(Add::after_reading("n")).await.unwrap() })
    };
    for task in (0..100).map(add).collect::<Vec<_>>() {
        task.await.unwrap();
    }
    assert_eq!(database.read(Total("n")).await.unwrap(), 100);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_reader_cannot_write() {
    each(async |database| {
        assert!(database.read(Add::one("a")).await.is_err());
        assert_eq!(database.read(Total("a")).await.unwrap(), 0);
    })
    .await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_statement_that_breaks_a_rule_is_refused_and_not_called_unavailable() {
    each(async |database| {
        database.write(Echo { id: 1, note: None, body: vec![], doc: "[]" }).await.unwrap();
        let again = database.write(Echo { id: 1, note: None, body: vec![], doc: "[]" }).await;
        assert!(matches!(again, Err(StoreError::Refused(_))), "{again:?}");
        assert!(matches!(database.write(Wrong).await, Err(StoreError::Refused(_))));
        assert_eq!(database.write(Add::one("a")).await.unwrap(), 1);
    })
    .await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_work_whose_caller_left_is_whole_or_not_there() {
    each(async |database| {
        let database = Arc::new(database);
        for _ in 0..50 {
            let task = tokio::spawn({
                let database = Arc::clone(&database);
                async move { database.write(Add::two_steps("left")).await }
            });
            tokio::task::yield_now().await;
            task.abort();
            let _ = task.await;
        }
        let total = database.read(Total("left")).await.unwrap();
        assert_eq!(total % 2, 0);
        assert_eq!(database.write(Add::one("after")).await.unwrap(), 1);
    })
    .await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_read_sees_one_state_throughout() {
    each(async |database| {
        database.write(Add::one("a")).await.unwrap();
        let database = Arc::new(database);
        let reading = tokio::spawn({
            let database = Arc::clone(&database);
            async move { database.read(Read { name: "a", times: 200 }).await.unwrap() }
        });
        for _ in 0..20 {
            database.write(Add::one("a")).await.unwrap();
        }
        let seen = reading.await.unwrap();
        assert!(seen.windows(2).all(|pair| pair[0] == pair[1]), "{seen:?}");
    })
    .await;
}

#[tokio::test(flavor = "multi_thread")]
async fn on_sqlite_a_work_that_waits_for_something_else_is_refused() {
    let directory = tempfile::tempdir().unwrap();
    let location = Location::Sqlite(directory.path().join("a.db"));
    let database = Database::open(&location, MIGRATIONS).await.unwrap();
    assert!(matches!(database.write(WaitElsewhere).await, Err(StoreError::WaitedOutside)));
}
