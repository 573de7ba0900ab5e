//! Subscriptions miss nothing and repeat nothing.

use std::{
    future::Future,
    pin::pin,
    task::{Context, Waker},
};

use super::{block_on, sample};
use crate::{Journal, Seq};

/// Six readers, who begin at different times, follow four writers.
pub async fn a_subscription_follows_concurrent_writers_without_gap_or_repetition(
    journal: &dyn Journal,
) {
    const CALLS: u64 = 100;
    const LAST: u64 = 4 * CALLS * 12;
    std::thread::scope(|scope| {
        for writer in 0..4 {
            scope.spawn(move || {
                for number in writer * CALLS..(writer + 1) * CALLS {
                    let call = sample::allowed_call(number);
                    block_on(journal.append(sample::batch(call))).unwrap();
                }
            });
        }
        for reader in 0..6_u64 {
            scope.spawn(move || {
                std::thread::sleep(std::time::Duration::from_millis(reader * 5));
                let mut subscription = journal.subscribe(Seq(1 + reader));
                for expected in 1 + reader..=LAST {
                    let entry = block_on(subscription.next()).unwrap().unwrap();
                    assert_eq!(entry.seq, Seq(expected));
                }
                assert_eq!(subscription.position(), Seq(LAST + 1));
            });
        }
    });
}

/// Entries before the place are left out; the place may lie before the first one.
pub async fn a_subscription_begins_where_it_is_asked_to(journal: &dyn Journal) {
    for number in 0..50 {
        journal.append(sample::batch(sample::allowed_call(number))).await.unwrap();
    }
    for (from, first) in [(0, 1), (1, 1), (300, 300), (600, 600)] {
        let mut subscription = journal.subscribe(Seq(from));
        for expected in first..=600 {
            assert_eq!(subscription.next().await.unwrap().unwrap().seq, Seq(expected));
        }
    }
}

/// A place that is not in use yet is waited for.
pub async fn a_subscription_waits_for_what_is_not_there_yet(journal: &dyn Journal) {
    let mut subscription = journal.subscribe(Seq(8));
    std::thread::scope(|scope| {
        let reader = scope.spawn(move || block_on(subscription.next()).unwrap().unwrap());
        std::thread::sleep(std::time::Duration::from_millis(20));
        block_on(journal.append(sample::batch(sample::denied_call(1)))).unwrap();
        std::thread::sleep(std::time::Duration::from_millis(20));
        assert!(!reader.is_finished());
        block_on(journal.append(sample::batch(sample::denied_call(2)))).unwrap();
        assert_eq!(reader.join().unwrap().seq, Seq(8));
    });
}

/// A future that was polled and dropped has taken nothing with it.
pub async fn an_abandoned_wait_loses_nothing(journal: &dyn Journal) {
    journal.append(sample::batch(sample::denied_call(1))).await.unwrap();
    let mut subscription = journal.subscribe(Seq(1));
    let mut seen = 0;
    while seen < 7 {
        let mut context = Context::from_waker(Waker::noop());
        if pin!(subscription.next()).poll(&mut context).is_ready() {
            seen += 1;
            assert_eq!(subscription.position(), Seq(seen + 1));
        }
    }
}
