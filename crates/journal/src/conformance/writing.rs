//! Batches go in whole, in order, or not at all.

use super::{block_on, sample};
use crate::{Batch, Journal, JournalError, SavedState, Seq};

/// Places are dense and follow the order in which batches were appended.
pub async fn entries_are_numbered_from_one_in_the_order_of_appends(journal: &dyn Journal) {
    assert_eq!(journal.last().await, Ok(Seq(0)));
    let first = journal.append(sample::batch(sample::allowed_call(1)));
    let second = journal.append(sample::batch(sample::denied_call(2)));
    assert_eq!((first.await, second.await), (Ok(Seq(12)), Ok(Seq(19))));
    assert_eq!(journal.last().await, Ok(Seq(19)));
    let entries = journal.read(Seq(1), 100).await.unwrap();
    let mut drafts = sample::allowed_call(1);
    drafts.extend(sample::denied_call(2));
    assert_eq!(entries.iter().map(|entry| entry.draft.clone()).collect::<Vec<_>>(), drafts);
    assert!(entries.iter().zip(1..).all(|(entry, seq)| entry.seq == Seq(seq)));
}

/// A step that is missing or there already is refused.
pub async fn facts_out_of_step_are_refused_and_leave_nothing(journal: &dyn Journal) {
    let drafts = sample::allowed_call(1);
    let (head, tail) = drafts.split_at(4);
    journal.append(sample::batch(head.to_vec())).await.unwrap();
    let save = Some(SavedState { invocation: sample::call(1), bytes: b"state".to_vec().into() });
    let out_of_step = |found| {
        let invocation = sample::call(1);
        Err(JournalError::OutOfStep { invocation, expected: 4, found })
    };
    let again = Batch { drafts: head.to_vec(), save: save.clone(), ..Batch::default() };
    assert_eq!(journal.append(again).await, out_of_step(0));
    let later: Vec<_> = tail.iter().skip(1).cloned().collect();
    let gap = Batch { drafts: later, save, ..Batch::default() };
    assert_eq!(journal.append(gap).await, out_of_step(5));
    assert_eq!(journal.last().await, Ok(Seq(4)));
    assert_eq!(journal.saved_states().await, Ok(Vec::new()));
    assert_eq!(journal.append(sample::batch(tail.to_vec())).await, Ok(Seq(12)));
}

/// Claims and held states alone can be recorded, too.
pub async fn a_batch_without_facts_is_a_batch(journal: &dyn Journal) {
    assert_eq!(journal.append(Batch::default()).await, Ok(Seq(0)));
    journal.append(sample::batch(sample::denied_call(1))).await.unwrap();
    let save = Some(SavedState { invocation: sample::call(2), bytes: b"state".to_vec().into() });
    let batch = Batch { save: save.clone(), ..Batch::default() };
    assert_eq!(journal.append(batch).await, Ok(Seq(7)));
    assert_eq!(journal.saved_states().await.unwrap(), Vec::from_iter(save));
}

/// Dropping a commit does not take its batch back.
pub async fn a_commit_that_is_dropped_is_made_nevertheless(journal: &dyn Journal) {
    drop(journal.append(sample::batch(sample::denied_call(1))));
    assert_eq!(journal.append(sample::batch(sample::denied_call(2))).await, Ok(Seq(14)));
    assert_eq!(journal.of_call(sample::call(1)).await.unwrap().len(), 7);
}

/// The entries of a batch lie side by side, and each appender reads what he wrote.
pub async fn batches_of_many_threads_stay_whole(journal: &dyn Journal) {
    std::thread::scope(|scope| {
        for thread in 0..8_u64 {
            scope.spawn(move || {
                for number in thread * 25..(thread + 1) * 25 {
                    let last = append_call(journal, number);
                    let entries = block_on(journal.of_call(sample::call(number))).unwrap();
                    let places: Vec<u64> = entries.iter().map(|entry| entry.seq.0).collect();
                    assert_eq!(places, (last.0 - 11..=last.0).collect::<Vec<_>>());
                }
            });
        }
    });
    let entries = journal.read(Seq(1), 10_000).await.unwrap();
    assert_eq!(entries.len(), 200 * 12);
    assert_eq!(crate::check(entries.iter().map(|entry| &**entry)), Ok(()));
}

fn append_call(journal: &dyn Journal, number: u64) -> Seq {
    block_on(journal.append(sample::batch(sample::allowed_call(number)))).unwrap()
}
