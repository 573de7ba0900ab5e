//! Tests of the rules for changes of the context.

use ContextModifierPolicy::{AllowSerialOnly, DeferUntilBatchComplete, Forbid};
use ContextRuling::{Apply, Defer, Reject};

use super::*;

const FORBIDDEN: ContextRuling = Reject(ContextRefusal::Forbidden);
const BESIDE: ContextRuling = Reject(ContextRefusal::RanBesideOthers);

/// Item 115.
#[test]
fn the_policy_says_whether_changes_of_concurrent_calls_count() {
    let both = |policy| [rule(policy, true), rule(policy, false)];
    assert_eq!(both(Forbid), [FORBIDDEN; 2]);
    assert_eq!(both(AllowSerialOnly), [Apply, BESIDE]);
    assert_eq!(both(DeferUntilBatchComplete), [Defer; 2]);
}

/// Item 116.
#[test]
fn no_change_of_a_call_that_ran_beside_others_is_made_at_once() {
    for policy in [AllowSerialOnly, DeferUntilBatchComplete, Forbid] {
        assert_ne!(rule(policy, false), Apply);
    }
}
