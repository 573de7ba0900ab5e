//! What can be used a limited number of times is used no more often.

use std::sync::atomic::{AtomicU32, Ordering};

use super::{block_on, sample};
use crate::{Batch, Claim, Journal, JournalError, SavedState, Seq};

fn claim(key: &str, limit: u32) -> Claim {
    Claim { key: key.into(), limit }
}

/// A thousand try to use an approval; one does.
pub async fn a_claim_is_won_by_exactly_one_of_a_thousand(journal: &dyn Journal) {
    compete(journal, 1).await;
}

/// A thousand try to use a grant that can be used a hundred times.
pub async fn a_claim_is_won_exactly_as_often_as_its_limit_says(journal: &dyn Journal) {
    compete(journal, 100).await;
}

async fn compete(journal: &dyn Journal, limit: u32) {
    let (won, lost) = (AtomicU32::new(0), AtomicU32::new(0));
    std::thread::scope(|scope| {
        let (won, lost) = (&won, &lost);
        for thread in 0..8_u64 {
            scope.spawn(move || {
                let commits: Vec<_> = (0..125)
                    .map(|number| {
                        let drafts = sample::denied_call(thread * 125 + number);
                        let claims = vec![claim("grant:1", limit)];
                        journal.append(Batch { drafts, claims, ..Batch::default() })
                    })
                    .collect();
                for commit in commits {
                    match block_on(commit) {
                        Ok(_) => won.fetch_add(1, Ordering::SeqCst),
                        Err(error) => {
                            assert_eq!(error, JournalError::Claimed { key: "grant:1".into() });
                            lost.fetch_add(1, Ordering::SeqCst)
                        }
                    };
                }
            });
        }
    });
    assert_eq!(won.into_inner(), limit);
    assert_eq!(lost.into_inner(), 1_000 - limit);
    assert_eq!(journal.claimed("grant:1").await, Ok(limit));
    assert_eq!(journal.last().await, Ok(Seq(u64::from(limit) * 7)));
}

/// Neither facts, nor other claims, nor what should have been held.
pub async fn a_refused_claim_leaves_nothing_of_its_batch(journal: &dyn Journal) {
    let use_up = Batch { claims: vec![claim("approval:1", 1)], ..Batch::default() };
    journal.append(use_up).await.unwrap();
    let held = SavedState { invocation: sample::call(0), bytes: b"kept".to_vec().into() };
    journal.append(Batch { save: Some(held.clone()), ..Batch::default() }).await.unwrap();
    let refused = Batch {
        drafts: sample::allowed_call(1),
        claims: vec![claim("start:1", 1), claim("grant:1", 5), claim("approval:1", 1)],
        save: Some(SavedState { invocation: sample::call(1), bytes: b"state".to_vec().into() }),
        release: Some(sample::call(0)),
    };
    let error = JournalError::Claimed { key: "approval:1".into() };
    assert_eq!(journal.append(refused).await, Err(error));
    assert_eq!(journal.last().await, Ok(Seq(0)));
    assert_eq!(journal.of_call(sample::call(1)).await, Ok(Vec::new()));
    assert_eq!(journal.saved_states().await, Ok(vec![held]));
    assert_eq!(journal.claimed("start:1").await, Ok(0));
    assert_eq!(journal.claimed("grant:1").await, Ok(0));
    assert_eq!(journal.claimed("approval:1").await, Ok(1));
    assert_eq!(journal.append(sample::batch(sample::allowed_call(1))).await, Ok(Seq(12)));
}

/// A batch cannot use a thing twice that can be used once.
pub async fn a_claim_twice_in_one_batch_counts_twice(journal: &dyn Journal) {
    let twice = |limit| Batch { claims: vec![claim("a", limit); 2], ..Batch::default() };
    let error = JournalError::Claimed { key: "a".into() };
    assert_eq!(journal.append(twice(1)).await, Err(error));
    assert_eq!(journal.claimed("a").await, Ok(0));
    journal.append(twice(2)).await.unwrap();
    assert_eq!(journal.claimed("a").await, Ok(2));
}

/// A claim with a limit of zero always fails.
pub async fn a_claim_of_nothing_is_refused(journal: &dyn Journal) {
    let batch = Batch { claims: vec![claim("a", 0)], ..Batch::default() };
    let error = JournalError::Claimed { key: "a".into() };
    assert_eq!(journal.append(batch).await, Err(error));
    assert_eq!(journal.claimed("a").await, Ok(0));
}
