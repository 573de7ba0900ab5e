//! Slots one by one: which wait, which run, and what is left when one is dropped.

use std::{pin::pin, sync::Arc};

use assent_protocol::agent_tool::{
    AbortReason, LockMode, OrderingPolicy, QueueState, SiblingFailurePolicy, YieldPolicy,
};

use super::support::{alone, batch, batch_on, locking, now, safe, scheduler};
use crate::{
    control::Control,
    scheduler::{BatchProblem, Ended, SchedulerPolicy, Turn, tests::support::members},
};

#[test]
fn what_the_pipeline_holds_can_move_between_threads() {
    fn sendable<T: Send + Sync + 'static>() {}
    fn send<T: Send>(_: T) {}
    sendable::<crate::scheduler::Slot>();
    sendable::<Turn>();
    sendable::<crate::scheduler::Scheduler>();
    let (slots, _) = batch(1);
    send(slots[0].enter(safe()));
    send(slots[0].my_turn_to_deliver());
}

#[test]
fn a_batch_that_cannot_be_arranged_is_refused() {
    let policy = Arc::new(SchedulerPolicy::default());
    let problem = scheduler(1).batch(policy, members(&[&[1], &[0]])).unwrap_err();
    assert!(matches!(problem, BatchProblem::Circle { .. }));
}

/// Item 122.
#[test]
fn a_call_goes_from_queued_to_executing_to_completed_to_yielded() {
    let (slots, _) = batch(1);
    let (batched, single) = (&slots[0], scheduler(1).single(Arc::default()));
    for slot in [batched, &single] {
        assert_eq!(slot.queue_state(), QueueState::Queued);
        let turn = now(pin!(slot.enter(safe()))).unwrap().unwrap();
        assert_eq!(slot.queue_state(), QueueState::Executing);
        drop(turn);
        slot.ended(Ended::Good);
        assert_eq!(slot.queue_state(), QueueState::Completed);
        slot.ended(Ended::Canceled);
        assert_eq!(slot.queue_state(), QueueState::Completed, "the first end counts");
        assert!(slot.is_my_turn());
        slot.delivered();
        assert_eq!(slot.queue_state(), QueueState::Yielded);
    }
}

/// Item 122.
#[test]
fn a_canceled_call_is_discarded_and_stays_so() {
    let (slots, _) = batch(1);
    slots[0].ended(Ended::Canceled);
    slots[0].delivered();
    assert_eq!(slots[0].queue_state(), QueueState::Discarded);
}

#[test]
fn a_call_that_is_canceled_while_it_waits_returns_the_reason_and_its_slot() {
    let (slots, controls) = batch(3);
    let _running = now(pin!(slots[0].enter(alone()))).unwrap().unwrap();
    let mut second = pin!(slots[1].enter(alone()));
    assert!(now(second.as_mut()).is_none());
    controls[1].abort(AbortReason::UserInterruption);
    assert_eq!(now(second.as_mut()).unwrap().unwrap_err(), AbortReason::UserInterruption);
    let late = now(pin!(slots[1].enter(alone()))).unwrap().unwrap_err();
    assert_eq!(late, AbortReason::UserInterruption, "it cannot come back");
}

#[test]
fn a_single_call_that_is_canceled_while_it_waits_leaves_the_queue() {
    let scheduler = scheduler(1);
    let [first, second, third] = [(); 3]
        .map(|()| Arc::<Control>::default())
        .map(|control| (scheduler.single(Arc::clone(&control)), control));
    let turn = now(pin!(first.0.enter(safe()))).unwrap().unwrap();
    let mut waiting = pin!(second.0.enter(safe()));
    let mut last = pin!(third.0.enter(safe()));
    assert!(now(waiting.as_mut()).is_none() && now(last.as_mut()).is_none());
    second.1.abort(AbortReason::RuntimeShutdown);
    assert_eq!(now(waiting.as_mut()).unwrap().unwrap_err(), AbortReason::RuntimeShutdown);
    drop(turn);
    assert!(now(last.as_mut()).is_some());
}

#[test]
fn the_limit_of_the_runtime_holds_across_batches_in_the_order_of_asking() {
    let scheduler = scheduler(1);
    let policy = SchedulerPolicy::default;
    let (ours, _) = batch_on(&scheduler, policy(), &[&[]]);
    let (theirs, _) = batch_on(&scheduler, policy(), &[&[]]);
    let single = scheduler.single(Arc::default());
    let turn = now(pin!(ours[0].enter(safe()))).unwrap().unwrap();
    let mut second = pin!(theirs[0].enter(safe()));
    let mut third = pin!(single.enter(safe()));
    assert!(now(second.as_mut()).is_none() && now(third.as_mut()).is_none());
    drop(turn);
    assert!(now(third.as_mut()).is_none(), "it asked later");
    drop(now(second.as_mut()).unwrap().unwrap());
    assert!(now(third.as_mut()).is_some());
}

#[test]
fn calls_of_other_batches_are_held_up_by_locks_and_by_nothing_else() {
    let scheduler = scheduler(8);
    let (ours, _) = batch_on(&scheduler, SchedulerPolicy::default(), &[&[]]);
    let (theirs, _) = batch_on(&scheduler, SchedulerPolicy::default(), &[&[], &[]]);
    let mut needs = locking("db", LockMode::Exclusive);
    needs.concurrency_safe = false;
    let turn = now(pin!(ours[0].enter(needs))).unwrap().unwrap();
    let mut reader = pin!(theirs[0].enter(locking("db", LockMode::Shared)));
    assert!(now(reader.as_mut()).is_none());
    let free = now(pin!(theirs[1].enter(safe())));
    assert!(free.is_some(), "no lock, no wait");
    drop(turn);
    assert!(now(reader.as_mut()).is_some());
}

#[test]
fn dropping_a_waiting_future_keeps_the_place_and_frees_what_it_was_given() {
    let scheduler = scheduler(1);
    let (slots, _) = batch_on(&scheduler, SchedulerPolicy::default(), &[&[], &[]]);
    let single = scheduler.single(Arc::default());
    let turn = now(pin!(single.enter(safe()))).unwrap().unwrap();
    {
        let mut first = pin!(slots[0].enter(safe()));
        assert!(now(first.as_mut()).is_none());
        drop(turn);
        // The slot is its own by now, and it goes away without having looked.
    }
    let mut second = pin!(slots[1].enter(safe()));
    assert!(now(second.as_mut()).is_none(), "the first one is not decided yet");
    let turn = now(pin!(slots[0].enter(alone()))).unwrap().unwrap();
    assert!(now(second.as_mut()).is_none());
    drop(turn);
    assert!(now(second.as_mut()).is_some());
}

#[test]
fn a_turn_outlives_its_place_and_still_keeps_others_away() {
    let (mut slots, _) = batch(2);
    let second = slots.pop().unwrap();
    let first = slots.pop().unwrap();
    let turn = now(pin!(first.enter(alone()))).unwrap().unwrap();
    drop(first);
    let mut entering = pin!(second.enter(safe()));
    assert!(now(entering.as_mut()).is_none());
    assert!(second.is_my_turn(), "but no result waits for it");
    drop(turn);
    assert!(now(entering.as_mut()).is_some());
}

#[test]
fn a_call_can_enter_again_when_its_turn_is_over_and_not_before() {
    let (slots, _) = batch(1);
    let turn = now(pin!(slots[0].enter(alone()))).unwrap().unwrap();
    let mut again = pin!(slots[0].enter(alone()));
    assert!(now(again.as_mut()).is_none());
    drop(turn);
    assert!(now(again.as_mut()).is_some());
}

#[test]
fn a_dependent_call_waits_for_the_end_and_not_only_for_the_turn() {
    let (slots, _) = batch_on(&scheduler(8), SchedulerPolicy::default(), &[&[], &[0], &[]]);
    let turn = now(pin!(slots[0].enter(safe()))).unwrap().unwrap();
    let mut dependent = pin!(slots[1].enter(safe()));
    let mut other = pin!(slots[2].enter(safe()));
    assert!(now(dependent.as_mut()).is_none());
    assert!(now(other.as_mut()).is_some());
    drop(turn);
    assert!(now(dependent.as_mut()).is_none());
    slots[0].ended(Ended::Good);
    assert!(now(dependent.as_mut()).is_some());
}

#[test]
fn a_call_may_depend_on_a_later_one_and_still_delivers_first() {
    let (slots, _) = batch_on(&scheduler(8), SchedulerPolicy::default(), &[&[1], &[]]);
    let mut first = pin!(slots[0].enter(alone()));
    assert!(now(first.as_mut()).is_none());
    drop(now(pin!(slots[1].enter(alone()))).unwrap().unwrap());
    slots[1].ended(Ended::Good);
    assert!(!slots[1].is_my_turn());
    drop(now(first.as_mut()).unwrap().unwrap());
    slots[0].ended(Ended::Good);
    slots[0].delivered();
    assert!(slots[1].is_my_turn());
}

#[test]
fn a_dropped_call_cancels_its_dependents_unless_failures_are_ignored() {
    for (siblings, told) in [
        (SiblingFailurePolicy::CancelDependent, Some(AbortReason::SiblingError)),
        (SiblingFailurePolicy::CancelSiblings, None),
        (SiblingFailurePolicy::Ignore, None),
    ] {
        let policy = SchedulerPolicy { siblings, ..SchedulerPolicy::default() };
        let (mut slots, controls) = batch_on(&scheduler(8), policy, &[&[], &[0]]);
        let dependent = slots.pop().unwrap();
        let mut entering = pin!(dependent.enter(safe()));
        assert!(now(entering.as_mut()).is_none());
        drop(slots);
        assert_eq!(controls[1].aborted(), told);
        let entered = now(entering.as_mut()).unwrap();
        assert_eq!(entered.err(), told);
    }
}

/// Item 124.
#[test]
fn progress_waits_only_where_everything_is_ordered() {
    let holds = |ordering, yielding| {
        let policy = SchedulerPolicy { ordering, yielding, ..SchedulerPolicy::default() };
        let (slots, _) = batch_on(&scheduler(8), policy, &[&[], &[]]);
        let holds = [slots[0].holds_progress(), slots[1].holds_progress()];
        slots[0].delivered();
        assert!(!slots[1].holds_progress());
        holds
    };
    use OrderingPolicy::{AllowUnordered, PreserveTerminalOrder, Serial};
    use YieldPolicy::{AllOrdered, ProgressImmediateResultsOrdered, UnorderedStreaming};
    assert_eq!(holds(PreserveTerminalOrder, ProgressImmediateResultsOrdered), [false, false]);
    assert_eq!(holds(PreserveTerminalOrder, AllOrdered), [false, true]);
    assert_eq!(holds(Serial, AllOrdered), [false, true]);
    assert_eq!(holds(AllowUnordered, UnorderedStreaming), [false, false]);
}

#[test]
fn a_call_ran_alone_only_if_nothing_of_its_batch_overlapped_with_it() {
    let (slots, _) = batch(4);
    let enter = |call: usize, needs| now(pin!(slots[call].enter(needs))).unwrap().unwrap();
    assert!(!slots[0].runs_alone(), "it has not run");
    drop(enter(0, safe()));
    let (second, third) = (enter(1, safe()), enter(2, safe()));
    drop(second);
    drop(third);
    drop(enter(3, alone()));
    assert_eq!([0, 1, 2, 3].map(|call| slots[call].runs_alone()), [true, false, false, true]);
    assert!(scheduler(1).single(Arc::default()).runs_alone());
}
