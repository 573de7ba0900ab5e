//! Capacity against a model that considers every earlier request.

use proptest::prelude::*;

use super::*;
use crate::scheduler::tests::support::{conflict, some_locks};

#[derive(Clone, Debug)]
enum Act {
    Ask(Vec<ResourceLock>),
    GiveBack(prop::sample::Index),
}

struct Asked {
    name: usize,
    locks: Vec<ResourceLock>,
    grant: Grant,
    running: bool,
}

/// Gives free capacity to those whose locks are free, the oldest first. Returns them.
fn fill(limit: usize, live: &mut [Asked]) -> Vec<usize> {
    let mut names = Vec::new();
    for at in 0..live.len() {
        let running = live.iter().filter(|asked| asked.running).count();
        let blocked = live[..at].iter().any(|asked| conflict(&asked.locks, &live[at].locks));
        if running < limit && !blocked && !live[at].running {
            live[at].running = true;
            names.push(live[at].name);
        }
    }
    names
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(1_000))]

    #[test]
    fn slots_go_to_the_oldest_whose_locks_are_free_and_never_to_too_many(
        limit in 1..4_usize,
        acts in prop::collection::vec(
            prop_oneof![
                some_locks().prop_map(Act::Ask),
                any::<prop::sample::Index>().prop_map(Act::GiveBack),
            ],
            0..60,
        ),
    ) {
        let mut capacity = Capacity::new(NonZeroUsize::new(limit).unwrap());
        let mut live: Vec<Asked> = Vec::new();
        for (name, act) in acts.into_iter().enumerate() {
            match act {
                Act::Ask(locks) => {
                    let grant = capacity.ask(locks.clone(), || name);
                    live.push(Asked { name, locks, grant, running: false });
                    fill(limit, &mut live);
                }
                Act::GiveBack(which) if !live.is_empty() => {
                    let asked = live.remove(which.index(live.len()));
                    let mut woken = Vec::new();
                    capacity.give_back(asked.grant, &mut woken);
                    prop_assert_eq!(woken, fill(limit, &mut live));
                }
                Act::GiveBack(_) => {}
            }
            for asked in &live {
                prop_assert_eq!(capacity.is_granted(&asked.grant), asked.running);
            }
        }
        for asked in live {
            capacity.give_back(asked.grant, &mut Vec::new());
        }
        prop_assert!(capacity.running == 0 && capacity.requests.is_empty() && capacity.ready.is_empty());
    }
}

#[test]
fn a_call_that_waits_for_a_lock_does_not_block_calls_without_locks() {
    use assent_protocol::agent_tool::LockMode::Exclusive;
    let key = || vec![ResourceLock::new("key", Exclusive)];
    let mut capacity = Capacity::new(NonZeroUsize::new(2).unwrap());
    let first = capacity.ask(key(), || 1);
    let second = capacity.ask(key(), || 2);
    let third = capacity.ask(Vec::new(), || 3);
    assert!(
        capacity.is_granted(&first) && !capacity.is_granted(&second) && capacity.is_granted(&third)
    );
    let fourth = capacity.ask(Vec::new(), || 4);
    let mut woken = Vec::new();
    capacity.give_back(first, &mut woken);
    assert_eq!(woken, [2], "it came before the fourth");
    assert!(!capacity.is_granted(&fourth));
}
