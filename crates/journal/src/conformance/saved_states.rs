//! What calls need to go on after a crash.

use super::sample;
use crate::{Batch, Journal, SavedState};

fn held(call: u64, state: &[u8]) -> SavedState {
    SavedState { invocation: sample::call(call), bytes: state.to_vec().into() }
}

fn hold(call: u64, state: &[u8]) -> Batch {
    Batch { save: Some(held(call, state)), ..Batch::default() }
}

/// One state per call, the newest.
pub async fn saved_states_are_replaced_and_listed_in_the_order_of_calls(journal: &dyn Journal) {
    assert_eq!(journal.saved_states().await, Ok(Vec::new()));
    for (call, state) in [(3, b"c"), (1, b"a"), (2, b"b"), (1, b"A")] {
        journal.append(hold(call, state)).await.unwrap();
    }
    assert_eq!(journal.saved_states().await, Ok(vec![held(1, b"A"), held(2, b"b"), held(3, b"c")]));
}

/// A call that has ended holds nothing; one that holds nothing can be released.
pub async fn a_released_state_is_gone(journal: &dyn Journal) {
    journal.append(hold(1, b"a")).await.unwrap();
    journal.append(hold(2, b"b")).await.unwrap();
    for call in [1, 1, 7] {
        let release = Some(sample::call(call));
        journal.append(Batch { release, ..Batch::default() }).await.unwrap();
    }
    assert_eq!(journal.saved_states().await, Ok(vec![held(2, b"b")]));
}

/// Every runtime on a journal digests sensitive values under the same key.
pub async fn the_redaction_key_is_the_first_one(journal: &dyn Journal) {
    assert_eq!(journal.redaction_key([1; 32]), Ok([1; 32]));
    assert_eq!(journal.redaction_key([2; 32]), Ok([1; 32]));
}
