//! What was written is read as it was written.

use std::sync::Arc;

use serde_json::Value;

use super::sample;
use crate::{Draft, Entry, Fact, Journal, MemoryJournal, Seq, check, export, import};

/// Pages have the right beginning, and never more than was asked for.
pub async fn a_page_begins_where_it_is_asked_to_and_ends_at_its_limit(journal: &dyn Journal) {
    for number in 0..5 {
        journal.append(sample::batch(sample::allowed_call(number))).await.unwrap();
    }
    for (from, limit, expected) in [
        (0, 3, 1..4),
        (1, 3, 1..4),
        (11, 4, 11..15),
        (13, 12, 13..25),
        (58, 100, 58..61),
        (61, 100, 61..61),
        (u64::MAX, 100, 0..0),
        (1, 0, 0..0),
        (1, usize::MAX, 1..61),
    ] {
        let page = journal.read(Seq(from), limit).await.unwrap();
        let places: Vec<u64> = page.iter().map(|entry| entry.seq.0).collect();
        assert_eq!(places, expected.collect::<Vec<_>>(), "{limit} from {from}");
    }
}

/// Calls whose facts are mixed with those of others are found whole.
pub async fn a_call_is_found_with_all_its_entries_and_no_others(journal: &dyn Journal) {
    let (one, two) = (sample::allowed_call(1), sample::every_fact(2));
    let mixed: Vec<Draft> = sample::catalog()
        .into_iter()
        .chain(one.iter().zip(&two).flat_map(|(one, two)| [one.clone(), two.clone()]))
        .collect();
    journal.append(sample::batch(mixed)).await.unwrap();
    let rest: Vec<Draft> = two.iter().skip(one.len()).cloned().collect();
    for draft in rest {
        journal.append(sample::batch(vec![draft])).await.unwrap();
    }
    assert_eq!(drafts(&journal.of_call(sample::call(1)).await.unwrap()), one);
    assert_eq!(drafts(&journal.of_call(sample::call(2)).await.unwrap()), two);
}

/// A call without facts has no entries.
pub async fn an_unknown_call_has_no_entries(journal: &dyn Journal) {
    journal.append(sample::batch(sample::allowed_call(1))).await.unwrap();
    assert_eq!(journal.of_call(sample::call(2)).await, Ok(Vec::new()));
}

/// Every fact and every record survives.
pub async fn every_kind_of_fact_is_read_as_it_was_written(journal: &dyn Journal) {
    let mut written = sample::catalog();
    written.extend(sample::every_fact(1));
    journal.append(sample::batch(written.clone())).await.unwrap();
    let entries = journal.read(Seq(1), written.len()).await.unwrap();
    assert_eq!(drafts(&entries), written);
    assert_eq!(check(entries.iter().map(|entry| &**entry)), Ok(()));
}

/// Documents may be 128 deep; inside a record they lie deeper.
pub async fn what_is_nested_deeply_is_read_as_it_was_written(journal: &dyn Journal) {
    let mut written = sample::allowed_call(1);
    let deep = (0..128).fold(Value::Null, |inner, _| Value::Array(vec![inner]));
    for draft in &mut written {
        if let Fact::Resulted(result) = &mut draft.fact {
            let mut deeper = (**result).clone();
            deeper.structured_content = Some(deep.clone());
            *result = deeper.into();
        }
    }
    journal.append(sample::batch(written.clone())).await.unwrap();
    assert_eq!(drafts(&journal.read(Seq(1), 100).await.unwrap()), written);
}

/// What comes out of one journal and goes into another is the same journal.
pub async fn a_journal_survives_being_exported_and_imported(journal: &dyn Journal) {
    journal.append(sample::batch(sample::catalog())).await.unwrap();
    for number in 0..200 {
        let drafts = if number % 2 == 0 {
            sample::every_fact(number * 100)
        } else {
            sample::allowed_call(number * 100)
        };
        journal.append(sample::batch(drafts)).await.unwrap();
    }
    let mut lines = Vec::new();
    let written = export(journal, &mut lines).await.unwrap();
    let other = MemoryJournal::new();
    assert_eq!(import(&other, &mut lines.as_slice()).await.unwrap(), written);
    let all = usize::MAX;
    assert_eq!(journal.read(Seq(1), all).await, other.read(Seq(1), all).await);
    let mut again = Vec::new();
    export(&other, &mut again).await.unwrap();
    assert!(again == lines);
}

fn drafts(entries: &[Arc<Entry>]) -> Vec<Draft> {
    entries.iter().map(|entry| entry.draft.clone()).collect()
}
