//! Journals that come from outside.

use std::{
    future::Future,
    pin::pin,
    task::{Context, Poll, Waker},
};

use assent_journal::{Journal as _, MemoryJournal, Seq, explain, export, import, records_jsonl};

/// Lines that are taken for a journal are given back as they are, and whatever they tell can be told.
pub fn journal_lines(data: &[u8]) {
    let journal = MemoryJournal::new();
    let Ok(count) = at_once(import(&journal, &mut &*data)) else { return };
    let lines = exported(&journal);
    let again = MemoryJournal::new();
    let taken = at_once(import(&again, &mut &*lines)).expect("an export can be taken in");
    assert_eq!(taken, count);
    assert_eq!(exported(&again), lines, "and is the same again");
    at_once(records_jsonl(&journal, &mut Vec::new())).expect("its records can be written");
    let entries = at_once(journal.read(Seq::FIRST, usize::MAX)).expect("it is in memory");
    for call in entries.iter().filter_map(|entry| entry.draft.invocation) {
        let of_call = at_once(journal.of_call(call)).expect("it is in memory");
        let explanation = explain(of_call.iter().map(|entry| &**entry));
        let explanation = explanation.expect("a call that was taken in has a beginning");
        assert!(!explanation.to_string().is_empty());
        serde_json::to_string(&explanation).expect("an explanation is JSON as well");
    }
}

fn exported(journal: &MemoryJournal) -> Vec<u8> {
    let mut lines = Vec::new();
    at_once(export(journal, &mut lines)).expect("it can be written");
    lines
}

/// What a journal in memory answers: it never waits.
fn at_once<T>(future: impl Future<Output = T>) -> T {
    match pin!(future).poll(&mut Context::from_waker(Waker::noop())) {
        Poll::Ready(answer) => answer,
        Poll::Pending => panic!("a journal in memory never waits"),
    }
}
