//! The standard's scenarios, on a clock that jumps.

use std::time::Duration;

use assent_protocol::agent_tool::{
    AbortReason, LockMode, OrderingPolicy, SiblingFailurePolicy, YieldPolicy,
};
use tokio::time::{Instant, sleep};

use super::support::{Log, alone, batch_on, locking, safe, scheduler};
use crate::scheduler::{Ended, Needs, SchedulerPolicy, Slot};

/// Depends on nothing.
const NONE: &[usize] = &[];

/// What a call does.
#[derive(Clone)]
struct Plan {
    name: &'static str,
    needs: Needs,
    /// How long hooks and people take.
    deciding: u64,
    running: u64,
    how: Ended,
}

fn plan(name: &'static str, needs: Needs, running: u64) -> Plan {
    Plan { name, needs, deciding: 0, running, how: Ended::Good }
}

/// Goes through a call as the pipeline does.
async fn call(slot: Slot, plan: Plan, log: Log, start: Instant) {
    let say = |what: String| log.add(format!("{} {}", start.elapsed().as_millis(), what));
    sleep(Duration::from_millis(plan.deciding)).await;
    let how = match slot.enter(plan.needs).await {
        Ok(turn) => {
            say(format!("{} starts", plan.name));
            sleep(Duration::from_millis(plan.running)).await;
            say(format!("{} stops", plan.name));
            drop(turn);
            plan.how
        }
        Err(reason) => {
            say(format!("{} is told {reason}", plan.name));
            Ended::Canceled
        }
    };
    slot.ended(how);
    slot.my_turn_to_deliver().await;
    say(format!("{} delivers", plan.name));
    slot.delivered();
}

/// Runs a batch to its end: what happened, with the time in milliseconds.
async fn run(policy: SchedulerPolicy, plans: Vec<Plan>, depends_on: &[&[usize]]) -> Vec<String> {
    let (slots, _) = batch_on(&scheduler(64), policy, depends_on);
    let (log, start) = (Log::default(), Instant::now());
    let calls: Vec<_> = slots
        .into_iter()
        .zip(plans)
        .map(|(slot, plan)| tokio::spawn(call(slot, plan, log.clone(), start)))
        .collect();
    for call in calls {
        call.await.unwrap();
    }
    log.lines()
}

/// Item 121.
#[tokio::test(start_paused = true)]
async fn safe_reads_overlap_and_writes_run_alone_in_order() {
    let plans = vec![
        plan("r1", safe(), 30),
        plan("r2", safe(), 20),
        plan("w", alone(), 10),
        plan("r3", safe(), 5),
    ];
    let story = run(SchedulerPolicy::default(), plans, &[NONE; 4]).await;
    assert_eq!(
        story,
        [
            "0 r1 starts",
            "0 r2 starts",
            "20 r2 stops",
            "30 r1 stops",
            "30 r1 delivers",
            "30 w starts",
            "30 r2 delivers",
            "40 w stops",
            "40 w delivers",
            "40 r3 starts",
            "45 r3 stops",
            "45 r3 delivers",
        ]
    );
}

#[tokio::test(start_paused = true)]
async fn a_write_that_a_person_thinks_about_keeps_its_place_before_later_calls() {
    let mut write = plan("w", alone(), 10);
    write.deciding = 1_000;
    let plans = vec![plan("r1", safe(), 5), write, plan("r2", safe(), 5)];
    let story = run(SchedulerPolicy::default(), plans, &[NONE; 3]).await;
    assert_eq!(story[0], "0 r1 starts");
    assert_eq!(story[3], "1000 w starts");
    assert_eq!(story[6], "1010 r2 starts");
}

#[tokio::test(start_paused = true)]
async fn serial_calls_run_one_after_the_other() {
    let policy = SchedulerPolicy { ordering: OrderingPolicy::Serial, ..SchedulerPolicy::default() };
    let plans = ["a", "b", "c"].map(|name| plan(name, safe(), 10)).to_vec();
    let story = run(policy, plans, &[NONE; 3]).await;
    let starts: Vec<_> = story.iter().filter(|line| line.contains("starts")).collect();
    assert_eq!(starts, ["0 a starts", "10 b starts", "20 c starts"]);
}

/// Item 123.
#[tokio::test(start_paused = true)]
async fn unordered_results_come_out_as_calls_end() {
    let policy = SchedulerPolicy {
        ordering: OrderingPolicy::AllowUnordered,
        yielding: YieldPolicy::UnorderedStreaming,
        ..SchedulerPolicy::default()
    };
    let plans = vec![plan("slow", safe(), 30), plan("fast", safe(), 10)];
    let story = run(policy, plans, &[NONE; 2]).await;
    let out: Vec<_> = story.iter().filter(|line| line.contains("delivers")).collect();
    assert_eq!(out, ["10 fast delivers", "30 slow delivers"]);
}

#[tokio::test(start_paused = true)]
async fn calls_that_share_a_lock_take_turns_although_they_are_safe() {
    let needs = || locking("page", LockMode::Exclusive);
    let plans = vec![plan("a", needs(), 10), plan("b", needs(), 10), plan("c", safe(), 1)];
    let story = run(SchedulerPolicy::default(), plans, &[NONE; 3]).await;
    let starts: Vec<_> = story.iter().filter(|line| line.contains("starts")).collect();
    assert_eq!(starts, ["0 a starts", "0 c starts", "10 b starts"]);
}

/// A fails after 10 ms, B depends on it, C does not and takes 30 ms.
async fn one_fails(siblings: SiblingFailurePolicy, how: Ended) -> Vec<String> {
    let policy = SchedulerPolicy { siblings, ..SchedulerPolicy::default() };
    let failing = Plan { how, ..plan("a", safe(), 10) };
    let plans = vec![failing, plan("b", safe(), 10), plan("c", safe(), 30)];
    run(policy, plans, &[&[], &[0], &[]]).await
}

/// Item 126.
#[tokio::test(start_paused = true)]
async fn a_failure_cancels_those_that_depend_on_it() {
    for how in [Ended::Failed, Ended::TimedOut, Ended::Refused, Ended::Canceled] {
        let story = one_fails(SiblingFailurePolicy::CancelDependent, how).await;
        assert_eq!(
            story,
            [
                "0 a starts",
                "0 c starts",
                "10 a stops",
                "10 a delivers",
                "10 b is told sibling_error",
                "10 b delivers",
                "30 c stops",
                "30 c delivers",
            ],
            "{how:?}"
        );
    }
}

/// Item 126.
#[tokio::test(start_paused = true)]
async fn an_ignored_failure_changes_nothing() {
    let story = one_fails(SiblingFailurePolicy::Ignore, Ended::Failed).await;
    assert!(story.contains(&"10 b starts".to_owned()), "{story:?}");
    assert!(story.contains(&"30 c stops".to_owned()), "{story:?}");
}

/// Item 126.
#[tokio::test(start_paused = true)]
async fn a_failure_cancels_all_siblings_also_those_that_run() {
    let policy = SchedulerPolicy {
        siblings: SiblingFailurePolicy::CancelSiblings,
        ..SchedulerPolicy::default()
    };
    let (slots, controls) = batch_on(&scheduler(64), policy, &[&[], &[0], &[]]);
    let running = slots[2].enter(safe());
    let waiting = slots[1].enter(safe());
    let failing = async {
        drop(slots[0].enter(safe()).await.unwrap());
        sleep(Duration::from_millis(10)).await;
        slots[0].ended(Ended::Failed);
    };
    let ((), waited, ran) = tokio::join!(failing, waiting, running);
    assert_eq!(waited.unwrap_err(), AbortReason::SiblingError);
    assert!(ran.is_ok());
    let told: Vec<_> = controls.iter().map(|control| control.aborted()).collect();
    let sibling = Some(AbortReason::SiblingError);
    assert_eq!(told, [None, sibling, sibling]);
}

/// Item 126.
#[tokio::test(start_paused = true)]
async fn a_call_that_is_refused_cancels_no_siblings() {
    let story = one_fails(SiblingFailurePolicy::CancelSiblings, Ended::Refused).await;
    assert!(story.iter().all(|line| !line.contains("told")), "{story:?}");
}
