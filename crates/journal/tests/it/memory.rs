//! The journal in memory.

use assent_journal::{
    Journal, JournalError, MemoryJournal, Seq,
    conformance::{
        block_on,
        sample::{allowed_call, batch, call, catalog, denied_call},
    },
};

assent_journal::journal_conformance!(|test| test(&MemoryJournal::new()));

fn append(journal: &MemoryJournal, drafts: Vec<assent_journal::Draft>) {
    block_on(journal.append(batch(drafts))).unwrap();
}

#[test]
fn a_journal_with_a_limit_forgets_whole_calls_in_the_order_in_which_they_ended() {
    let journal = MemoryJournal::with_capacity_limit(24);
    for number in 0..3 {
        append(&journal, allowed_call(number));
    }
    let forgotten = JournalError::Forgotten { invocation: call(0) };
    assert_eq!(block_on(journal.of_call(call(0))), Err(forgotten));
    assert_eq!(block_on(journal.of_call(call(1))).unwrap().len(), 12);
    assert_eq!(block_on(journal.of_call(call(2))).unwrap().len(), 12);
    assert_eq!(block_on(journal.last()), Ok(Seq(36)));
}

#[test]
fn a_call_that_has_not_ended_is_never_forgotten() {
    let journal = MemoryJournal::with_capacity_limit(12);
    let mut long = allowed_call(0);
    let rest = long.split_off(5);
    append(&journal, catalog());
    append(&journal, long);
    for number in 1..100 {
        append(&journal, allowed_call(number));
    }
    assert_eq!(block_on(journal.of_call(call(0))).unwrap().len(), 5);
    append(&journal, rest);
    append(&journal, allowed_call(100));
    let forgotten = JournalError::Forgotten { invocation: call(0) };
    assert_eq!(block_on(journal.of_call(call(0))), Err(forgotten), "it has ended");
}

#[test]
fn a_page_ends_before_a_hole_and_a_page_in_a_hole_says_where_it_goes_on() {
    let journal = MemoryJournal::with_capacity_limit(20);
    let mut long = allowed_call(0);
    long.truncate(5);
    append(&journal, long);
    append(&journal, allowed_call(1));
    append(&journal, allowed_call(2));
    let page = block_on(journal.read(Seq(1), 100)).unwrap();
    assert_eq!(page.len(), 5);
    assert_eq!(block_on(journal.read(Seq(6), 100)), Err(JournalError::Lagged { next: Seq(18) }));
    assert_eq!(block_on(journal.read(Seq(17), 100)), Err(JournalError::Lagged { next: Seq(18) }));
    assert_eq!(block_on(journal.read(Seq(18), 100)).unwrap().len(), 12);
}

#[test]
fn a_subscription_that_fell_behind_is_notified_and_continues() {
    let journal = MemoryJournal::with_capacity_limit(14);
    let mut subscription = journal.subscribe(Seq(1));
    for number in 0..10 {
        append(&journal, denied_call(number));
    }
    let lagged = block_on(subscription.next()).unwrap();
    assert_eq!(lagged, Err(JournalError::Lagged { next: Seq(57) }));
    for expected in 57..=70 {
        assert_eq!(block_on(subscription.next()).unwrap().unwrap().seq, Seq(expected));
    }
}

#[test]
fn a_call_that_was_forgotten_can_neither_go_on_nor_begin_again() {
    let journal = MemoryJournal::with_capacity_limit(0);
    let drafts = allowed_call(0);
    append(&journal, drafts.clone());
    let late = drafts.iter().next_back().cloned().into_iter().collect();
    let forgotten = JournalError::Forgotten { invocation: call(0) };
    assert_eq!(block_on(journal.append(batch(late))), Err(forgotten.clone()));
    assert_eq!(block_on(journal.append(batch(drafts))), Err(forgotten));
    assert_eq!(block_on(journal.of_call(call(1))), Ok(Vec::new()), "nobody has asked for it");
}

#[test]
fn a_call_that_never_ends_does_not_keep_the_others() {
    let journal = MemoryJournal::with_capacity_limit(24);
    let mut long = allowed_call(0);
    let rest = long.split_off(5);
    append(&journal, long.clone());
    for number in 1..1000 {
        append(&journal, allowed_call(number));
    }
    assert_eq!(block_on(journal.read(Seq(1), 100)).unwrap().len(), 5);
    let kept = block_on(journal.read(Seq(6), 100));
    assert_eq!(kept, Err(JournalError::Lagged { next: Seq(5 + 998 * 12 + 1) }));
    append(&journal, rest.clone());
    let of_call = block_on(journal.of_call(call(0))).unwrap();
    assert!(of_call.iter().map(|entry| &entry.draft).eq(long.iter().chain(&rest)));
}

#[test]
fn a_subscription_ends_with_its_journal_when_it_has_seen_everything() {
    let journal = MemoryJournal::new();
    append(&journal, denied_call(1));
    let mut subscription = journal.subscribe(Seq(1));
    drop(journal);
    for expected in 1..=7 {
        assert_eq!(block_on(subscription.next()).unwrap().unwrap().seq, Seq(expected));
    }
    assert_eq!(block_on(subscription.next()), None);
    assert_eq!(block_on(subscription.next()), None);
}
