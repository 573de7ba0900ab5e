//! Large batches and many calls: no call is woken without need.

use std::{
    future::{Future, poll_fn},
    pin::pin,
    sync::{
        Arc,
        atomic::{AtomicUsize, Ordering},
    },
    time::Duration,
};

use assent_protocol::agent_tool::LockMode;
use tokio::time::sleep;

use super::support::{alone, batch_on, locking, safe, scheduler};
use crate::scheduler::{Ended, Needs, SchedulerPolicy, Slot, arrange::MAX_CALLS};

/// Counts how often a future is asked.
async fn counted<F: Future>(polls: &AtomicUsize, future: F) -> F::Output {
    let mut future = pin!(future);
    poll_fn(|cx| {
        polls.fetch_add(1, Ordering::Relaxed);
        future.as_mut().poll(cx)
    })
    .await
}

/// Takes every slot through its life; how often they were asked in all.
async fn polls(slots: Vec<Slot>, needs: impl Fn(usize) -> Needs) -> usize {
    let polls = Arc::new(AtomicUsize::new(0));
    let life = |(call, slot): (usize, Slot)| {
        let (polls, needs) = (Arc::clone(&polls), needs(call));
        tokio::spawn(async move {
            let turn = counted(&polls, slot.enter(needs)).await.unwrap();
            sleep(Duration::from_millis(1 + u64::try_from(call % 7).unwrap())).await;
            drop(turn);
            slot.ended(Ended::Good);
            counted(&polls, slot.my_turn_to_deliver()).await;
            slot.delivered();
        })
    };
    for call in slots.into_iter().enumerate().map(life).collect::<Vec<_>>() {
        call.await.unwrap();
    }
    polls.load(Ordering::Relaxed)
}

/// Each call is asked at most twice for its turn to run (at first and when it has it) and twice for
/// its turn to deliver.
const POLLS: usize = 4;

#[tokio::test(start_paused = true)]
async fn the_largest_batch_of_reads_wakes_no_call_without_need() {
    let depends_on = vec![&[][..]; MAX_CALLS];
    let (slots, _) = batch_on(&scheduler(64), SchedulerPolicy::default(), &depends_on);
    assert!(polls(slots, |_| safe()).await <= POLLS * MAX_CALLS);
}

#[tokio::test(start_paused = true)]
async fn a_thousand_mixed_calls_wake_no_call_without_need() {
    let depends_on = vec![&[][..]; 1_000];
    let (slots, _) = batch_on(&scheduler(4), SchedulerPolicy::default(), &depends_on);
    let needs = |call| match call % 5 {
        0 => alone(),
        1 => locking("a", LockMode::Exclusive),
        2 => locking("a", LockMode::Shared),
        _ => safe(),
    };
    assert!(polls(slots, needs).await <= POLLS * 1_000);
}

#[tokio::test(start_paused = true)]
async fn a_thousand_dependent_calls_wake_no_call_without_need() {
    let depends_on: Vec<_> = (0..1_000_usize).map(|call| vec![call.saturating_sub(1)]).collect();
    let mut depends_on: Vec<_> = depends_on.iter().map(Vec::as_slice).collect();
    depends_on[0] = &[];
    let (slots, _) = batch_on(&scheduler(4), SchedulerPolicy::default(), &depends_on);
    assert!(polls(slots, |_| safe()).await <= POLLS * 1_000);
}

#[tokio::test(start_paused = true)]
async fn a_thousand_single_calls_wake_no_call_without_need() {
    let scheduler = scheduler(8);
    let slots = (0..1_000).map(|_| scheduler.single(Arc::default())).collect();
    assert!(polls(slots, |_| safe()).await <= POLLS * 1_000);
}
