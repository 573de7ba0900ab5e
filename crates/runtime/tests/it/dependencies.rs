//! Calls that depend on calls of other batches.

use std::{
    sync::{Arc, atomic::Ordering},
    time::Duration,
};

use assent_ids::InvocationId;
use assent_protocol::agent_tool::{ErrorClass, SiblingFailurePolicy};
use assent_runtime::{
    Approver, BatchResults, CallResult, Executor, Request, Runtime, SchedulerPolicy,
};
use assent_test_journal::Audited;
use serde_json::json;
use tokio::time::Instant;

use crate::{
    actors::{Person, Stubborn, fails, no, says, yes},
    desk::{Desk, Echo, Yes, catalog, class, reader, request, rules, starting, writer},
    story::{as_value, of_kind},
};

fn id(number: u8) -> InvocationId {
    format!("inv_01ARZ3NDEKTSV4RRFFQ69G5FA{}", number % 10).parse().unwrap()
}

fn numbered(number: u8, tool: &str, depends_on: &[u8]) -> Request {
    let mut request = request(tool, json!({"path": tool}));
    request.invocation = Some(id(number));
    request.depends_on = depends_on.iter().map(|number| id(*number)).collect();
    request
}

fn under(siblings: SiblingFailurePolicy) -> Arc<SchedulerPolicy> {
    Arc::new(SchedulerPolicy { siblings, ..SchedulerPolicy::default() })
}

/// The statuses of a batch, in the order of release.
async fn ends(mut batch: BatchResults) -> Vec<String> {
    let all = batch.all().await;
    all.iter().map(|(_, result)| result.status.as_str().to_owned()).collect()
}

fn assert_taken_along(result: &CallResult, case: &str) {
    let result = as_value(result);
    assert_eq!(result["status"], "synthetic_error", "{case}: {result:#}");
    assert_eq!(result["synthetic"], true, "{case}");
    assert_eq!(result["error"]["error_class"], "sibling_canceled", "{case}");
    assert_eq!(result["error"]["abort_reason"], "sibling_error", "{case}");
    assert_eq!(result["error"]["retry"]["sibling_caused"], true, "{case}");
}

/// A tool for each way not to succeed, and one that does.
fn fates(echo: &Arc<Echo>) -> Desk {
    let mut slow = reader("slow");
    slow.execution.timeout_ms = Some(assent_protocol::wire::Millis(1_000));
    let tools: Vec<(_, Arc<dyn Executor>)> = vec![
        (reader("works"), says("fine")),
        (reader("breaks"), fails(ErrorClass::ExecutionFailed)),
        (reader("forbidden"), says("never")),
        (slow, Arc::new(Stubborn(Duration::from_secs(60)))),
        (reader("after"), Arc::clone(echo) as _),
    ];
    let deny = json!([{"id": "no", "behavior": "deny", "tool": "forbidden"}]);
    Desk::new(tools, |builder| builder.policy(rules(deny)))
}

/// E38: the direct and indirect dependents of a call that did not succeed are canceled, also in later batches,
/// unless the policy ignores failures.
#[tokio::test(start_paused = true)]
async fn a_dependent_in_a_later_batch_ends_as_one_in_the_same_would() {
    use SiblingFailurePolicy::{CancelDependent, Ignore};
    let invalid = Request { input: request("works", json!({})).input, ..numbered(1, "works", &[]) };
    for (first, succeeds) in [
        (numbered(1, "works", &[]), true),
        (numbered(1, "breaks", &[]), false),
        (numbered(1, "forbidden", &[]), false),
        (numbered(1, "slow", &[]), false),
        (numbered(1, "missing", &[]), false),
        (invalid, false),
    ] {
        for siblings in [CancelDependent, Ignore] {
            let case = format!("{} under {siblings}", first.tool);
            let echo = Arc::new(Echo::default());
            let desk = fates(&echo);
            let batch = |requests| desk.runtime.batch(requests, Some(under(siblings))).unwrap();
            batch(vec![first.clone()]).all().await;
            let second = batch(vec![numbered(2, "after", &[1]), numbered(3, "after", &[])]);
            let second = { second }.all().await;
            let third = batch(vec![numbered(4, "after", &[2])]).all().await;
            let dependents = [&second[0].1, &third[0].1];
            let runs = succeeds || siblings == Ignore;
            for dependent in dependents {
                match runs {
                    true => assert_eq!(dependent.status.as_str(), "succeeded", "{case}"),
                    false => assert_taken_along(dependent, &case),
                }
            }
            assert_eq!(second[1].1.status.as_str(), "succeeded", "{case}: it depends on nothing");
            assert_eq!(echo.runs.load(Ordering::SeqCst), if runs { 3 } else { 1 }, "{case}");
        }
    }
}

/// A call that comes alone goes by the policy of the runtime.
#[tokio::test(start_paused = true)]
async fn a_call_of_its_own_depends_on_calls_as_well() {
    for siblings in [SiblingFailurePolicy::CancelDependent, SiblingFailurePolicy::Ignore] {
        let desk = Desk::new(
            vec![
                (reader("breaks"), fails(ErrorClass::ExecutionFailed)),
                (reader("after"), says("x")),
            ],
            |builder| builder.scheduler_policy(under(siblings)),
        );
        desk.runtime.call(numbered(1, "breaks", &[])).await;
        let result = desk.runtime.call(numbered(2, "after", &[1])).await;
        match siblings {
            SiblingFailurePolicy::Ignore => assert_eq!(result.status.as_str(), "succeeded"),
            _ => assert_taken_along(&result, "alone"),
        }
    }
}

/// An active dependency is waited for. If it fails, its dependents are canceled immediately, also while a person
/// is asked.
#[tokio::test(start_paused = true)]
async fn a_dependency_that_still_runs_is_waited_for() {
    for (tool, runs) in [("works", true), ("breaks", false)] {
        let broken = assent_runtime::Failure::new(ErrorClass::ExecutionFailed, "on purpose");
        let late = Arc::new(Late(broken));
        let desk = Desk::new(
            vec![
                (reader("works"), Arc::new(Stubborn(Duration::from_secs(10)))),
                (reader("breaks"), late),
                (reader("after"), says("x")),
                (writer("asks"), says("x")),
            ],
            |builder| builder.approver(Yes::new(None)).approval_timeout(Duration::from_secs(60)),
        );
        let start = Instant::now();
        let first = desk.runtime.batch(vec![numbered(1, tool, &[])], None).unwrap();
        let second = desk.runtime.batch(vec![numbered(2, "after", &[1])], None).unwrap();
        let third = desk.runtime.batch(vec![numbered(3, "asks", &[1])], None).unwrap();
        let after = { second }.all().await.remove(0).1;
        assert_eq!(start.elapsed(), Duration::from_secs(10));
        let asks = { third }.all().await.remove(0).1;
        if runs {
            assert_eq!(after.status.as_str(), "succeeded");
            assert_eq!(start.elapsed(), Duration::from_secs(60), "nobody answered");
        } else {
            assert_taken_along(&after, "after");
            assert_taken_along(&asks, "asks");
            assert_eq!(start.elapsed(), Duration::from_secs(10), "the question was taken back");
        }
        drop(first);
    }
}

/// Breaks after ten seconds.
struct Late(assent_runtime::Failure);

impl Executor for Late {
    fn execute<'a>(&'a self, _: &'a assent_runtime::Call) -> assent_runtime::Execution<'a> {
        Box::pin(async move {
            tokio::time::sleep(Duration::from_secs(10)).await;
            Err(self.0.clone())
        })
    }
}

/// An unknown dependency counts as failed.
#[tokio::test(start_paused = true)]
async fn an_unknown_dependency_has_not_succeeded() {
    for (siblings, runs) in
        [(SiblingFailurePolicy::CancelDependent, false), (SiblingFailurePolicy::Ignore, true)]
    {
        let desk = Desk::new(vec![(reader("after"), says("x"))], |builder| builder);
        let batch = desk.runtime.batch(vec![numbered(2, "after", &[9])], Some(under(siblings)));
        let result = batch.unwrap().all().await.remove(0).1;
        match runs {
            true => assert_eq!(result.status.as_str(), "succeeded"),
            false => assert_taken_along(&result, "unknown"),
        }
    }
}

/// A sender that repeats a whole batch gets what there was, and what depends on that goes by how it ended.
#[tokio::test(start_paused = true)]
async fn a_call_that_is_sent_again_counts_as_it_ended() {
    for (tool, status) in [("works", "succeeded"), ("breaks", "synthetic_error")] {
        let echo = Arc::new(Echo::default());
        let desk = fates(&echo);
        desk.runtime.call(numbered(1, tool, &[])).await;
        let both = vec![numbered(1, tool, &[]), numbered(2, "after", &[1])];
        let statuses = ends(desk.runtime.batch(both, None).unwrap()).await;
        assert_eq!(statuses[1], status);
        assert_eq!(of_kind(&desk, "tool_invocation").await.len(), 2);
    }
}

fn started(journal: &Audited, number: u64, person: Arc<dyn Approver>) -> (Runtime, Arc<Echo>) {
    let echo = Arc::new(Echo { takes: Some(Duration::from_secs(5)), ..Echo::default() });
    let tools: Vec<(_, Arc<dyn Executor>)> = vec![
        (writer("first"), Arc::new(Stubborn(Duration::from_secs(10)))),
        (writer("after"), Arc::clone(&echo) as _),
        (reader("breaks"), fails(ErrorClass::ExecutionFailed)),
        (reader("reads"), Arc::clone(&echo) as _),
    ];
    let runtime = starting(journal, number).catalog(catalog(tools)).approver(person);
    (runtime.build().unwrap(), echo)
}

/// How a call ended is known after a restart.
#[tokio::test(start_paused = true)]
async fn a_dependency_that_ended_before_a_restart_counts_as_it_ended() {
    let journal = Audited::journal();
    let (before, _) = started(&journal, 1, Yes::new(None));
    before.call(numbered(1, "breaks", &[])).await;
    before.call(numbered(2, "reads", &[])).await;
    drop(before);
    let (after, echo) = started(&journal, 2, Yes::new(None));
    let batch = vec![numbered(3, "reads", &[1]), numbered(4, "reads", &[2])];
    let results = after.batch(batch, None).unwrap().all().await;
    assert_taken_along(&results[0].1, "it broke before");
    assert_eq!(results[1].1.status.as_str(), "succeeded");
    assert_eq!(echo.runs.load(Ordering::SeqCst), 1);
}

/// Both calls were waiting for a person when the process ended. Taken up, one still waits for the other, and
/// ends with it if the person refuses it.
#[tokio::test(start_paused = true)]
async fn calls_that_a_crash_interrupted_depend_on_each_other_as_before() {
    for (agrees, statuses) in
        [(true, ["succeeded", "succeeded"]), (false, ["rejected", "synthetic_error"])]
    {
        let journal = Audited::journal();
        let (before, _) = started(&journal, 1, Yes::new(None));
        let first = before.batch(vec![numbered(1, "first", &[])], None).unwrap();
        let second = before.batch(vec![numbered(2, "after", &[1])], None).unwrap();
        tokio::time::sleep(Duration::from_secs(1)).await;

        let person = Person::new(move |prompt| match prompt.invocation == id(1) {
            true if !agrees => no(),
            _ => yes(),
        });
        let (after, echo) = started(&journal, 2, person);
        let start = Instant::now();
        let mut results = after.resume().await.unwrap().all().await;
        results.sort_by_key(|(invocation, _)| *invocation);
        let ended: Vec<_> = results.iter().map(|(_, result)| result.status.as_str()).collect();
        assert_eq!(ended, statuses);
        assert_eq!(echo.runs.load(Ordering::SeqCst), u64::from(agrees));
        if agrees {
            assert_eq!(start.elapsed(), Duration::from_secs(15), "one after the other");
        } else {
            assert_eq!(class(&results[1].1).as_deref(), Some("sibling_canceled"));
        }
        drop((first, second));
    }
}
