//! The minter's order, and the system's clock and randomness.

use std::{sync::Arc, time::Duration};

use assent_ids::{
    Clock, Entropy, EventId, GeneratedId, InvocationId, Minter, SystemClock, SystemEntropy,
    UnixMillis,
    deterministic::{ManualClock, SeededEntropy},
};
use proptest::prelude::*;

fn minter(clock: &Arc<ManualClock>) -> Minter {
    Minter::new(Arc::clone(clock) as Arc<dyn Clock>, Arc::new(SeededEntropy::new(7)))
}

#[test]
fn ids_of_several_threads_are_all_different() {
    let clock = Arc::new(ManualClock::default());
    let minter = minter(&clock);
    let mut ids: Vec<EventId> = std::thread::scope(|scope| {
        let workers: Vec<_> = (0..4)
            .map(|_| scope.spawn(|| (0..500).map(|_| minter.mint()).collect::<Vec<_>>()))
            .collect();
        workers.into_iter().flat_map(|worker| worker.join().unwrap()).collect()
    });
    ids.sort_unstable();
    ids.dedup();
    assert_eq!(ids.len(), 2000);
}

#[test]
fn the_system_gives_this_century_and_changing_bytes() {
    assert!(SystemClock.now() > UnixMillis::new(1_700_000_000_000));
    let entropy = SystemEntropy::new().unwrap();
    let (mut first, mut second) = ([0; 32], [0; 32]);
    entropy.fill(&mut first);
    entropy.fill(&mut second);
    assert_ne!(first, second);
}

#[test]
fn durations_between_times_never_underflow() {
    let (early, late) = (UnixMillis::new(1_000), UnixMillis::new(3_500));
    assert_eq!(late.since(early), Duration::from_millis(2_500));
    assert_eq!(early.since(late), Duration::ZERO);
    assert_eq!(early.after(Duration::MAX), UnixMillis::MAX);
}

proptest! {
    #[test]
    fn ids_increase_however_the_clock_moves(times in proptest::collection::vec(0_u64..2_000, 1..80)) {
        let clock = Arc::new(ManualClock::default());
        let minter = minter(&clock);
        let ids: Vec<InvocationId> = times
            .iter()
            .map(|time| {
                clock.set(UnixMillis::new(*time));
                minter.mint()
            })
            .collect();
        prop_assert!(ids.windows(2).all(|pair| pair[0] < pair[1]));
        let latest = times.iter().max().unwrap();
        prop_assert_eq!(ids.last().unwrap().time().get(), *latest);
    }
}
