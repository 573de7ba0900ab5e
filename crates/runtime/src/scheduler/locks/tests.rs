//! Locks against a model that considers every earlier request.

use proptest::prelude::*;

use super::*;
use crate::scheduler::tests::support::{conflict, some_locks};

fn lock(key: &str, mode: LockMode) -> ResourceLock {
    ResourceLock::new(key, mode)
}

#[derive(Clone, Debug)]
enum Act {
    Join(Vec<ResourceLock>),
    Leave(prop::sample::Index),
}

fn acts() -> impl Strategy<Value = Vec<Act>> {
    let act = prop_oneof![
        some_locks().prop_map(Act::Join),
        any::<prop::sample::Index>().prop_map(Act::Leave)
    ];
    prop::collection::vec(act, 0..60)
}

/// The requests that conflict with no earlier one.
fn free(live: &[(Ticket, Vec<ResourceLock>)]) -> Vec<Ticket> {
    let blocked = |at: usize| live[..at].iter().any(|(_, locks)| conflict(locks, &live[at].1));
    (0..live.len()).filter(|&at| !blocked(at)).map(|at| live[at].0).collect()
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(1_000))]

    #[test]
    fn locks_are_held_by_exactly_the_requests_without_earlier_conflicts(acts in acts()) {
        let (mut table, mut live, mut next) = (LockTable::default(), Vec::new(), 0);
        for act in acts {
            let before = free(&live);
            match act {
                Act::Join(locks) => {
                    live.push((next, locks.clone()));
                    prop_assert_eq!(table.join(next, locks), free(&live).contains(&next));
                    next += 1;
                }
                Act::Leave(which) if !live.is_empty() => {
                    let (ticket, _) = live.remove(which.index(live.len()));
                    let mut freed = free(&live);
                    freed.retain(|ticket| !before.contains(ticket));
                    prop_assert_eq!(table.leave(ticket), freed);
                }
                Act::Leave(_) => {}
            }
        }
        for (ticket, _) in live {
            table.leave(ticket);
        }
        prop_assert!(table.lines.is_empty() && table.requests.is_empty(), "nothing is left behind");
    }
}

#[test]
fn readers_share_and_a_writer_waits_for_them_without_being_overtaken() {
    use LockMode::{Exclusive, Shared};
    let mut table = LockTable::default();
    assert!(table.join(0, vec![lock("file", Shared)]));
    assert!(table.join(1, vec![lock("file", Shared)]));
    assert!(!table.join(2, vec![lock("file", Exclusive)]));
    assert!(!table.join(3, vec![lock("file", Shared)]));
    assert!(table.leave(0).is_empty());
    assert_eq!(table.leave(1), [2]);
    assert_eq!(table.leave(2), [3]);
}

#[test]
fn two_calls_that_want_the_same_two_things_in_opposite_order_do_not_block_each_other() {
    use LockMode::Exclusive;
    let mut table = LockTable::default();
    assert!(table.join(0, vec![lock("a", Exclusive), lock("b", Exclusive)]));
    assert!(!table.join(1, vec![lock("b", Exclusive), lock("a", Exclusive)]));
    assert_eq!(table.leave(0), [1]);
}

#[test]
fn of_one_key_asked_for_twice_the_stricter_mode_counts() {
    use LockMode::{Exclusive, Shared};
    let mut table = LockTable::default();
    assert!(table.join(0, vec![lock("a", Exclusive), lock("a", Shared)]));
    assert!(!table.join(1, vec![lock("a", Shared)]));
    assert_eq!(table.leave(0), [1]);
}
