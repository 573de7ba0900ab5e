//! A journal whose file is encrypted.

use std::sync::Arc;

use assent_journal::{
    Batch, Cipher, Journal, JournalError, SavedState, Seq, SqliteJournal,
    conformance::{
        block_on,
        sample::{allowed_call, call},
    },
};
use rusqlite::Connection;

use super::Directory;

assent_journal::journal_conformance!(|test| {
    let directory = Directory::new();
    test(&open(&directory, 7));
});

/// Adds a key to every byte and remembers the place: enough to see what is stored, and no protection at all.
struct Rotate(u8);

impl Cipher for Rotate {
    fn encrypt(&self, place: &str, data: &[u8]) -> Vec<u8> {
        let mut stored = place.as_bytes().to_vec();
        stored.push(self.0);
        stored.extend(data.iter().map(|byte| byte.wrapping_add(self.0)));
        stored
    }

    fn decrypt(&self, place: &str, data: &[u8]) -> Option<Vec<u8>> {
        let data = data.strip_prefix(place.as_bytes())?.strip_prefix(&[self.0])?;
        Some(data.iter().map(|byte| byte.wrapping_sub(self.0)).collect())
    }
}

fn open(directory: &Directory, key: u8) -> SqliteJournal {
    SqliteJournal::open_encrypted(&directory.path(), Arc::new(Rotate(key))).unwrap()
}

fn written() -> Directory {
    let directory = Directory::new();
    let saved = SavedState { invocation: call(2), bytes: b"a saved secret".to_vec().into() };
    let journal = open(&directory, 7);
    let first = Batch { drafts: allowed_call(1), ..Batch::default() };
    block_on(journal.append(first)).unwrap();
    let second = Batch { drafts: allowed_call(2), save: Some(saved), ..Batch::default() };
    block_on(journal.append(second)).unwrap();
    directory
}

fn is_corrupt<T>(result: &Result<T, JournalError>) -> bool {
    matches!(result, Err(JournalError::Corrupt { .. }))
}

#[test]
fn the_file_shows_neither_facts_nor_saved_states() {
    let plain = Directory::new();
    let drafts = allowed_call(1);
    block_on(plain.open().append(Batch { drafts, ..Batch::default() })).unwrap();
    let contains = |directory: &Directory, word: &[u8]| {
        directory.bytes().windows(word.len()).any(|window| window == word)
    };
    assert!(contains(&plain, b"\"requested\""), "the search sees what is there");
    let encrypted = written();
    for word in [&b"\"requested\""[..], b"a saved secret"] {
        assert!(!contains(&encrypted, word));
    }
}

#[test]
fn what_was_written_is_read_with_the_same_key_only() {
    let directory = written();
    {
        let journal = open(&directory, 7);
        assert_eq!(block_on(journal.of_call(call(2))).unwrap().len(), allowed_call(2).len());
        assert_eq!(&*block_on(journal.saved_states()).unwrap()[0].bytes, b"a saved secret");
    }
    {
        let other = open(&directory, 8);
        assert!(is_corrupt(&block_on(other.of_call(call(2)))));
        assert!(is_corrupt(&block_on(other.saved_states())));
    }
    let plain = SqliteJournal::open_read_only(&directory.path()).unwrap();
    assert!(is_corrupt(&block_on(plain.read(Seq::FIRST, 1))));
}

#[test]
fn facts_that_were_moved_or_replaced_by_plain_ones_are_not_read() {
    for change in [
        "UPDATE runs SET body = (SELECT body FROM runs ORDER BY first DESC LIMIT 1)",
        "UPDATE runs SET body = '[7,0,{}]' || char(10)",
    ] {
        let directory = written();
        Connection::open(directory.path()).unwrap().execute(change, ()).unwrap();
        let journal = open(&directory, 7);
        assert!(is_corrupt(&block_on(journal.of_call(call(1)))), "{change}");
    }
}
