//! What lies on the disk.

use std::{
    os::unix::fs::PermissionsExt,
    time::{Duration, Instant},
};

use assent_journal::{
    Batch, Journal, JournalError, OpenError, SavedState, Seq, SqliteJournal,
    conformance::{
        block_on,
        sample::{allowed_call, batch, call, denied_call},
    },
};
use rusqlite::Connection;

use super::Directory;

#[test]
fn what_was_written_is_there_when_the_file_is_opened_again() {
    let directory = Directory::new();
    let mut drafts = allowed_call(1);
    let rest = drafts.split_off(5);
    let held = SavedState { invocation: call(1), bytes: b"state".to_vec().into() };
    {
        let journal = directory.open();
        let save = Some(held.clone());
        block_on(journal.append(Batch { drafts, save, ..Batch::default() })).unwrap();
    }
    let journal = directory.open();
    assert_eq!(block_on(journal.saved_states()), Ok(vec![held]));
    assert_eq!(block_on(journal.append(batch(rest))), Ok(Seq(12)));
    assert_eq!(block_on(journal.of_call(call(1))).unwrap().len(), 12);
}

#[test]
fn closing_waits_for_what_was_appended() {
    let directory = Directory::new();
    let journal = directory.open();
    for number in 0..500 {
        drop(journal.append(batch(allowed_call(number))));
    }
    drop(journal);
    assert_eq!(block_on(directory.open().last()), Ok(Seq(6_000)));
}

#[test]
fn a_second_writer_is_refused_until_the_first_is_gone() {
    let directory = Directory::new();
    let first = directory.open();
    let error = SqliteJournal::open(&directory.path()).unwrap_err();
    assert!(matches!(error, OpenError::InUse(_)), "{error}");
    assert!(error.to_string().contains("a journal has one writer"));
    drop(first);
    drop(directory.open());
}

#[test]
fn only_the_owner_can_read_the_files() {
    let directory = Directory::new();
    // A file that was there already is made private, too.
    std::fs::write(directory.path(), "").unwrap();
    std::fs::set_permissions(directory.path(), PermissionsExt::from_mode(0o644)).unwrap();
    let journal = directory.open();
    block_on(journal.append(batch(denied_call(1)))).unwrap();
    let mut names = Vec::new();
    for file in std::fs::read_dir(directory.path().parent().unwrap()).unwrap() {
        let file = file.unwrap();
        names.push(file.file_name().into_string().unwrap());
        assert_eq!(file.metadata().unwrap().permissions().mode() & 0o777, 0o600, "{names:?}");
    }
    names.sort();
    assert_eq!(names, ["journal.db", "journal.db-shm", "journal.db-wal", "journal.db.lock"]);
}

#[test]
fn a_released_value_is_overwritten_while_the_journal_is_open() {
    const SECRET: &[u8] = b"correct horse battery staple";
    let directory = Directory::new();
    let journal = directory.open();
    let found = || directory.bytes().windows(SECRET.len()).any(|bytes| bytes == SECRET);
    let save = Some(SavedState { invocation: call(1), bytes: SECRET.to_vec().into() });
    block_on(journal.append(Batch { save, ..Batch::default() })).unwrap();
    assert!(found());
    block_on(journal.append(Batch { release: Some(call(1)), ..Batch::default() })).unwrap();
    let begin = Instant::now();
    while found() {
        assert!(begin.elapsed() < Duration::from_secs(10), "it is still there");
        std::thread::sleep(Duration::from_millis(50));
    }
}

#[test]
fn a_file_of_another_program_is_left_alone() {
    let directory = Directory::new();
    let other = Connection::open(directory.path()).unwrap();
    other.execute_batch("CREATE TABLE notes (text TEXT)").unwrap();
    drop(other);
    let error = SqliteJournal::open(&directory.path()).unwrap_err();
    assert!(matches!(error, OpenError::NotAJournal), "{error}");

    let directory = Directory::new();
    std::fs::write(directory.path(), "not a database, but longer than a header".repeat(10))
        .unwrap();
    assert!(SqliteJournal::open(&directory.path()).is_err());
}

#[test]
fn a_journal_of_a_newer_version_is_left_alone() {
    let directory = Directory::new();
    drop(directory.open());
    let file = Connection::open(directory.path()).unwrap();
    file.pragma_update(None, "user_version", 3).unwrap();
    drop(file);
    let error = SqliteJournal::open(&directory.path()).unwrap_err();
    assert!(matches!(error, OpenError::TooNew { version: 3 }), "{error}");
}

#[test]
fn a_file_that_cannot_be_opened_is_named() {
    let directory = Directory::new();
    let missing = directory.path().join("deeper").join("journal.db");
    let error = SqliteJournal::open(&missing).unwrap_err();
    assert!(error.to_string().contains("deeper"), "{error}");
}

#[test]
fn damage_is_found() {
    let directory = Directory::new();
    let journal = directory.open();
    for part in allowed_call(1).chunks(4) {
        block_on(journal.append(batch(part.to_vec()))).unwrap();
    }
    assert_eq!(block_on(journal.integrity()), Ok(Vec::new()));
    drop(journal);
    let file = Connection::open(directory.path()).unwrap();
    file.execute("DELETE FROM runs WHERE first = 5", ()).unwrap();
    let planted = r#"[1,8,{"retried":{"attempt":"planted"}}]"#;
    file.execute("UPDATE runs SET body = ?1 WHERE first = 9", [planted]).unwrap();
    drop(file);
    let journal = directory.open();
    let problems = block_on(journal.integrity()).unwrap();
    assert_eq!(problems.len(), 3, "{problems:?}");
    let error = block_on(journal.read(Seq(9), 1)).unwrap_err();
    assert!(matches!(&error, JournalError::Corrupt { what } if what.contains("entry 9")));
    assert!(!error.to_string().contains("planted"), "{error}");
}

#[test]
fn a_run_that_holds_more_or_other_than_it_counts_is_damage() {
    for wrong in [
        "UPDATE runs SET body = body || '[1,4,\"cancel_acknowledged\"]' || char(10) WHERE first = 1",
        "UPDATE runs SET last = 9 WHERE first = 5",
        "UPDATE runs SET last = 0 WHERE first = 5",
        "UPDATE runs SET last = 9223372036854775807 WHERE first = 9",
        "UPDATE runs SET first = -5, last = -1 WHERE first = 5",
    ] {
        let directory = Directory::new();
        let journal = directory.open();
        for part in allowed_call(1).chunks(4) {
            block_on(journal.append(batch(part.to_vec()))).unwrap();
        }
        drop(journal);
        let file = Connection::open(directory.path()).unwrap();
        assert_eq!(file.execute(wrong, ()).unwrap(), 1, "{wrong}");
        drop(file);
        let journal = SqliteJournal::open_read_only(&directory.path()).unwrap();
        let found = block_on(journal.integrity());
        assert!(found.is_err() || found.is_ok_and(|problems| !problems.is_empty()), "{wrong}");
    }
}

#[test]
fn a_copy_can_be_made_while_the_journal_is_written() {
    let directory = Directory::new();
    let journal = directory.open();
    block_on(journal.append(batch(allowed_call(1)))).unwrap();
    let copy = Directory::new();
    block_on(journal.back_up(&copy.path())).unwrap();
    block_on(journal.append(batch(allowed_call(2)))).unwrap();
    let error = block_on(journal.back_up(&copy.path())).unwrap_err();
    assert!(error.to_string().contains("not new"), "{error}");
    let copied = copy.open();
    assert_eq!(block_on(copied.read(Seq(1), 100)), block_on(journal.read(Seq(1), 12)));
    assert_eq!(block_on(copied.integrity()), Ok(Vec::new()));
    let mode = std::fs::metadata(copy.path()).unwrap().permissions().mode();
    assert_eq!(mode & 0o777, 0o600);
}

#[test]
fn a_batch_that_is_too_large_is_refused_and_the_next_one_is_written() {
    let directory = Directory::new();
    let journal = directory.open();
    let save = Some(SavedState { invocation: call(1), bytes: vec![0; 65 << 20].into() });
    let error = block_on(journal.append(Batch { save, ..Batch::default() })).unwrap_err();
    assert!(matches!(error, JournalError::Unavailable(_)), "{error}");
    assert_eq!(block_on(journal.append(batch(denied_call(1)))), Ok(Seq(7)));
}

#[test]
fn a_subscription_ends_when_its_journal_is_closed() {
    let directory = Directory::new();
    let journal = directory.open();
    let mut subscription = journal.subscribe(Seq(1));
    std::thread::scope(|scope| {
        let reader = scope.spawn(move || block_on(subscription.next()));
        std::thread::sleep(Duration::from_millis(20));
        drop(journal);
        assert_eq!(reader.join().unwrap(), None);
    });
}

#[test]
fn the_redaction_key_is_kept_beside_the_journal_and_copied_with_it() {
    let directory = Directory::new();
    let key = directory.path().with_extension("db.key");
    assert_eq!(directory.open().redaction_key([7; 32]), Ok([7; 32]));
    assert_eq!(std::fs::read(&key).unwrap(), [7; 32]);
    assert_eq!(key.metadata().unwrap().permissions().mode() & 0o777, 0o600);

    let journal = directory.open();
    assert_eq!(journal.redaction_key([8; 32]), Ok([7; 32]));
    let copy = directory.path().with_extension("copy");
    block_on(journal.back_up(&copy)).unwrap();
    assert_eq!(SqliteJournal::open(&copy).unwrap().redaction_key([9; 32]), Ok([7; 32]));
    let reading = SqliteJournal::open_read_only(&directory.path()).unwrap();
    assert_eq!(reading.redaction_key([9; 32]), Ok([7; 32]));
}

#[test]
fn a_damaged_redaction_key_is_not_replaced() {
    let directory = Directory::new();
    let key = directory.path().with_extension("db.key");
    std::fs::write(&key, b"short").unwrap();
    let error = directory.open().redaction_key([7; 32]).unwrap_err();
    assert!(matches!(error, JournalError::Corrupt { .. }), "{error}");
    assert_eq!(std::fs::read(&key).unwrap(), b"short");
}
