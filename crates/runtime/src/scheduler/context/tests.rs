//! Tests of the rules for changes of the context.

use ContextModifierPolicy::{AllowSerialOnly, DeferUntilBatchComplete, Forbid};
use ContextRuling::{Apply, Defer, Reject};

use super::*;

const FORBIDDEN: ContextRuling = Reject(ContextRefusal::Forbidden);
const BESIDE: ContextRuling = Reject(ContextRefusal::RanBesideOthers);

#[test]
fn item_115_the_policy_says_whether_changes_of_concurrent_calls_count() {
    let both = |policy| [rule(policy, None, true), rule(policy, None, false)];
    assert_eq!(both(Forbid), [FORBIDDEN; 2]);
    assert_eq!(both(AllowSerialOnly), [Apply, BESIDE]);
    assert_eq!(both(DeferUntilBatchComplete), [Defer; 2]);
}

#[test]
fn item_116_no_change_of_a_call_that_ran_beside_others_is_made_at_once() {
    for batch in [AllowSerialOnly, DeferUntilBatchComplete, Forbid] {
        for call in [None, Some(AllowSerialOnly), Some(DeferUntilBatchComplete), Some(Forbid)] {
            assert_ne!(rule(batch, call, false), Apply);
        }
    }
}

#[test]
fn what_the_call_or_the_batch_demands_is_demanded() {
    for ran_alone in [true, false] {
        for (one, other) in [
            (AllowSerialOnly, DeferUntilBatchComplete),
            (AllowSerialOnly, Forbid),
            (DeferUntilBatchComplete, Forbid),
        ] {
            assert_eq!(rule(one, Some(other), ran_alone), rule(other, Some(one), ran_alone));
        }
        assert_eq!(rule(DeferUntilBatchComplete, Some(Forbid), ran_alone), FORBIDDEN);
    }
    assert_eq!(rule(DeferUntilBatchComplete, Some(AllowSerialOnly), true), Defer);
    assert_eq!(rule(DeferUntilBatchComplete, Some(AllowSerialOnly), false), BESIDE);
}
