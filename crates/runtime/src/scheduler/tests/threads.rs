//! Several threads at once. A run cannot prove that there is no race, but it may find one.

use std::{
    pin::pin,
    sync::{
        Arc,
        atomic::{AtomicIsize, Ordering},
    },
    thread,
};

use assent_protocol::agent_tool::{AbortReason, LockMode};

use super::support::{batch_on, locking, now, safe, scheduler};
use crate::scheduler::{Ended, Needs, SchedulerPolicy, Slot};

/// Asks until there is an answer.
fn spin_in(slot: &Slot, needs: Needs) -> Result<(), AbortReason> {
    let mut entering = pin!(slot.enter(needs));
    loop {
        match now(entering.as_mut()) {
            Some(entered) => return entered.map(drop),
            None => std::hint::spin_loop(),
        }
    }
}

#[test]
fn a_dependent_of_a_failure_never_starts_before_it_is_canceled() {
    for _ in 0..2_000 {
        let (slots, _) = batch_on(&scheduler(8), SchedulerPolicy::default(), &[&[], &[0]]);
        let [first, second] = <[Slot; 2]>::try_from(slots).unwrap();
        thread::scope(|threads| {
            let waiting = threads.spawn(|| spin_in(&second, safe()));
            spin_in(&first, safe()).unwrap();
            first.ended(Ended::Failed);
            assert_eq!(waiting.join().unwrap(), Err(AbortReason::SiblingError));
        });
    }
}

#[test]
fn locks_and_the_limit_hold_on_all_threads_and_no_call_waits_forever() {
    let scheduler = scheduler(3);
    let (running, writing) = (AtomicIsize::new(0), AtomicIsize::new(0));
    let block_on = |slot: &Slot, needs: Needs, writes: bool| {
        let runtime = tokio::runtime::Builder::new_current_thread().build().unwrap();
        let turn = runtime.block_on(slot.enter(needs)).unwrap();
        assert!(running.fetch_add(1, Ordering::SeqCst) < 3);
        let others = if writes {
            writing.fetch_sub(1_000, Ordering::SeqCst)
        } else {
            writing.fetch_add(1, Ordering::SeqCst)
        };
        assert!(if writes { others == 0 } else { others >= 0 }, "{others}");
        writing.fetch_add(if writes { 1_000 } else { -1 }, Ordering::SeqCst);
        running.fetch_sub(1, Ordering::SeqCst);
        drop(turn);
    };
    thread::scope(|threads| {
        for number in 0..6_usize {
            let (scheduler, block_on) = (&scheduler, &block_on);
            threads.spawn(move || {
                for round in 0..300 {
                    let writes = (number + round).is_multiple_of(4);
                    let mode = if writes { LockMode::Exclusive } else { LockMode::Shared };
                    let needs = locking("file", mode);
                    if number.is_multiple_of(2) {
                        block_on(&scheduler.single(Arc::default()), needs, writes);
                    } else {
                        let (slots, _) = batch_on(scheduler, SchedulerPolicy::default(), &[&[]]);
                        block_on(&slots[0], needs, writes);
                    }
                }
            });
        }
    });
}
