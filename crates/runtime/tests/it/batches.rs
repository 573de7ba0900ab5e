//! Calls that a model asks for together.

use std::{sync::Arc, time::Duration};

use assent_ids::InvocationId;
use assent_protocol::agent_tool::{
    ContextModifierPolicy, ErrorClass, Flag, FlagName, InterruptBehavior, LockMode, ResourceLock,
    SiblingFailurePolicy,
};
use assent_protocol::wire::Loose;
use assent_runtime::{
    Body, Call, Execution, Executor, Failure, Output, Request, SchedulerPolicy, ToolDefinition,
    catalog::{Classification, Classifier, ClassifierError, Classifiers},
};
use serde_json::{Value, json};

use crate::{
    actors::{Stubborn, Takes, output},
    desk::{Desk, allow_all, reader, request, writer},
    story::{as_value, of_kind},
};

fn slow(seconds: u64) -> Arc<dyn Executor> {
    Arc::new(Stubborn(Duration::from_secs(seconds)))
}

/// Breaks after a second.
struct Breaks;

impl Executor for Breaks {
    fn execute<'a>(&'a self, _call: &'a Call) -> Execution<'a> {
        Box::pin(async {
            tokio::time::sleep(Duration::from_secs(1)).await;
            Err(Failure::new(ErrorClass::ExecutionFailed, "on purpose"))
        })
    }
}

/// Asks for a change of the context, after a second.
struct Moves;

impl Executor for Moves {
    fn execute<'a>(&'a self, _call: &'a Call) -> Execution<'a> {
        Box::pin(async {
            tokio::time::sleep(Duration::from_secs(1)).await;
            let context_modifier = Some(json!({"cwd": "/tmp"}));
            Ok(Output { context_modifier, ..output(Body::Text("done".to_owned())) })
        })
    }
}

/// Ids that a test can name before the calls are made.
fn id(number: u8) -> InvocationId {
    format!("inv_01ARZ3NDEKTSV4RRFFQ69G5FA{}", number % 10).parse().unwrap()
}

fn numbered(number: u8, tool: &str, depends_on: &[u8]) -> Request {
    let mut request = request(tool, json!({"path": tool}));
    request.invocation = Some(id(number));
    request.depends_on = depends_on.iter().map(|number| id(*number)).collect();
    request
}

async fn all(desk: &Desk, requests: Vec<Request>, policy: SchedulerPolicy) -> Vec<Value> {
    let mut batch = desk.runtime.batch(requests, Some(Arc::new(policy))).unwrap();
    let mut results = Vec::new();
    while let Some((_, result)) = batch.next().await {
        results.push(as_value(&result));
    }
    results
}

/// Item 118: the record of each call holds everything that the scheduler went by.
#[tokio::test(start_paused = true)]
async fn each_call_records_what_it_was_scheduled_by() {
    let mut locking = writer("write");
    locking.locks = vec![ResourceLock::new("page", LockMode::Exclusive)];
    locking.execution.supports_context_modifiers = Some(true);
    locking.interface.interrupt_behavior = Some(Loose::Typed(InterruptBehavior::Cancel));
    let desk = Desk::new(vec![(reader("read"), slow(1)), (locking, slow(1))], |builder| {
        builder.policy(allow_all())
    });
    let requests = vec![numbered(1, "read", &[]), numbered(2, "write", &[1])];
    let policy = SchedulerPolicy {
        context_modifiers: ContextModifierPolicy::DeferUntilBatchComplete,
        ..SchedulerPolicy::default()
    };
    all(&desk, requests, policy).await;
    let calls = of_kind(&desk, "tool_invocation").await;
    let read = &calls[0]["scheduler"];
    for (fact, expected) in [
        ("is_concurrency_safe", json!(true)),
        ("is_read_only", json!(true)),
        ("is_destructive", json!(false)),
        ("is_open_world", json!(true)),
        ("requires_exclusive_context", json!(false)),
        ("context_modifier_policy", json!("forbid")),
    ] {
        assert_eq!(read[fact], expected, "{fact}");
    }
    let write = &calls[1]["scheduler"];
    for (fact, expected) in [
        ("is_concurrency_safe", json!(false)),
        ("is_read_only", json!(false)),
        ("is_destructive", json!(true)),
        ("requires_exclusive_context", json!(true)),
        ("context_modifier_policy", json!("defer_until_batch_complete")),
        ("interrupt_behavior", json!("cancel")),
        ("resource_locks", json!([{"key": "page", "mode": "exclusive"}])),
    ] {
        assert_eq!(write[fact], expected, "{fact}");
    }
    assert_eq!(calls[1]["depends_on"], json!([id(1).to_string()]));
    assert_eq!(calls[1]["scheduler_policy_ref"], "standard");
}

struct ByName;

impl Classifier for ByName {
    fn classify(&self, _: FlagName, evidence: &Value) -> Result<Classification, ClassifierError> {
        let answer = evidence.as_str().is_some_and(|command| command.starts_with("ls"));
        Ok(Classification { answer, confidence: None, reason: None })
    }
}

/// Item 119: one shell tool: listing runs beside listing, removing runs alone.
#[tokio::test(start_paused = true)]
async fn whether_calls_may_overlap_depends_on_their_input() {
    for (second, elapsed) in [("ls b", 10), ("rm b", 20)] {
        let mut shell = writer("sh");
        shell.interface.classifier_input = Some(json!("input.path"));
        shell.interface.is_read_only = Some(Flag::Text("classifier:name".to_owned()));
        shell.interface.is_concurrency_safe = Some(Flag::Text("same_as:is_read_only".to_owned()));
        let desk = Desk::new(vec![(shell, slow(10))], |builder| {
            builder
                .policy(allow_all())
                .classifiers(Classifiers::none().with("name", Arc::new(ByName)))
        });
        let requests = ["ls a", second].map(|command| request("sh", json!({"path": command})));
        let start = tokio::time::Instant::now();
        all(&desk, requests.to_vec(), SchedulerPolicy::default()).await;
        assert_eq!(start.elapsed(), Duration::from_secs(elapsed), "{second}");
    }
}

/// How long two calls of a tool take together, if one takes ten seconds.
async fn two_of(definition: ToolDefinition) -> Duration {
    let desk = Desk::new(vec![(definition, slow(10))], |builder| builder.policy(allow_all()));
    let requests = ["a", "b"].map(|path| request("work", json!({"path": path})));
    let start = tokio::time::Instant::now();
    all(&desk, requests.to_vec(), SchedulerPolicy::default()).await;
    start.elapsed()
}

/// Item 120: reading does not mean that calls may overlap, and the word of a tool that writes is not
/// enough either: its locks have to keep it apart from others.
#[tokio::test(start_paused = true)]
async fn a_tool_that_writes_runs_beside_others_only_with_locks() {
    let mut reading = writer("work");
    reading.interface.is_read_only = Some(true.into());
    assert_eq!(two_of(reading).await, Duration::from_secs(20));
    let mut claiming = writer("work");
    claiming.interface.is_concurrency_safe = Some(true.into());
    assert_eq!(two_of(claiming.clone()).await, Duration::from_secs(20));
    claiming.locks = vec![ResourceLock::new("pages", LockMode::Shared)];
    assert_eq!(two_of(claiming.clone()).await, Duration::from_secs(10));
    claiming.locks = vec![ResourceLock::new("pages", LockMode::Exclusive)];
    assert_eq!(two_of(claiming).await, Duration::from_secs(20));
}

/// Items 121, 123: reads overlap, a write runs alone and in its place, and results come out in the order
/// in which the model asked.
#[tokio::test(start_paused = true)]
async fn reads_overlap_writes_run_alone_and_results_keep_their_order() {
    let desk = Desk::new(
        vec![
            (reader("long"), slow(30)),
            (reader("short"), slow(10)),
            (writer("write"), slow(5)),
            (reader("last"), slow(1)),
        ],
        |builder| builder.policy(allow_all()),
    );
    let requests: Vec<Request> = ["long", "short", "write", "last"]
        .iter()
        .zip(1..)
        .map(|(tool, number)| numbered(number, tool, &[]))
        .collect();
    let start = tokio::time::Instant::now();
    let results = all(&desk, requests, SchedulerPolicy::default()).await;
    assert_eq!(start.elapsed(), Duration::from_secs(36));
    let order: Vec<_> = results.iter().map(|result| result["invocation_id"].clone()).collect();
    assert_eq!(order, [1, 2, 3, 4].map(|number| id(number).to_string()));
    assert_eq!(of_kind(&desk, "tool_invocation").await.len(), 4);
}

/// Item 125: an interruption stops what may be stopped; what may not runs to its end, and whatever waits
/// for it waits on.
#[tokio::test(start_paused = true)]
async fn an_interruption_cancels_or_waits() {
    let mut stopping = reader("stops");
    stopping.execution.supports_cancel = Some(true);
    stopping.interface.interrupt_behavior = Some(Loose::Typed(InterruptBehavior::Cancel));
    let blocking = reader("blocks");
    let desk = Desk::new(
        vec![
            (stopping, Arc::new(Takes(Duration::from_secs(60)))),
            (blocking, slow(20)),
            (reader("after"), slow(1)),
        ],
        |builder| builder,
    );
    let requests =
        vec![numbered(1, "stops", &[]), numbered(2, "blocks", &[]), numbered(3, "after", &[2])];
    let mut batch = desk.runtime.batch(requests, None).unwrap();
    tokio::time::sleep(Duration::from_secs(5)).await;
    desk.runtime.interrupt();
    let start = tokio::time::Instant::now();
    let mut results = Vec::new();
    while let Some((_, result)) = batch.next().await {
        results.push((start.elapsed().as_secs(), as_value(&result)["status"].clone()));
    }
    assert_eq!(
        results,
        [(0, json!("canceled")), (15, json!("succeeded")), (16, json!("succeeded"))]
    );
}

/// Items 103, 108, 126-128, 139: after a failure its dependents, all siblings, or none are
/// canceled, each with a result that the runtime writes and that says why.
#[tokio::test(start_paused = true)]
async fn a_failure_ends_its_dependents_its_siblings_or_no_call() {
    use SiblingFailurePolicy::{CancelDependent, CancelSiblings, Ignore};
    for (siblings, dependent_ends, other_ends) in
        [(CancelDependent, true, false), (CancelSiblings, true, true), (Ignore, false, false)]
    {
        let mut other = reader("other");
        other.execution.supports_cancel = Some(true);
        let desk = Desk::new(
            vec![
                (reader("breaks"), Arc::new(Breaks)),
                (reader("depends"), slow(1)),
                (other, Arc::new(Takes(Duration::from_secs(9)))),
            ],
            |builder| builder,
        );
        let requests = vec![
            numbered(1, "breaks", &[]),
            numbered(2, "depends", &[1]),
            numbered(3, "other", &[]),
        ];
        let policy = SchedulerPolicy { siblings, ..SchedulerPolicy::default() };
        let results = all(&desk, requests, policy).await;
        for (result, is_canceled) in [(&results[1], dependent_ends), (&results[2], other_ends)] {
            if !is_canceled {
                assert_eq!(result["status"], "succeeded", "{siblings}");
                continue;
            }
            assert_eq!(result["error"]["error_class"], "sibling_canceled", "{siblings}");
            assert_eq!(result["error"]["abort_reason"], "sibling_error");
            assert_eq!(result["error"]["retry"]["sibling_caused"], true);
            assert_eq!(result["is_error"], true);
        }
        if dependent_ends {
            assert_eq!(results[1]["status"], "synthetic_error");
            assert_eq!(results[1]["synthetic"], true);
            assert_eq!(results[1]["error"]["stage"], "schedule");
        }
        // Also a call that never ran can be found.
        assert_eq!(of_kind(&desk, "tool_invocation").await.len(), 3);
    }
}

/// Item 124: progress comes at once, however long the results before it take.
#[tokio::test(start_paused = true)]
async fn progress_does_not_wait_for_earlier_results() {
    let chatty = crate::actors::Does(|call| {
        call.progress(assent_runtime::Progress::default());
        Box::pin(async {
            tokio::time::sleep(Duration::from_secs(2)).await;
            Ok(Output::default())
        })
    });
    let desk = Desk::new(
        vec![(reader("slow"), slow(60)), (reader("chatty"), Arc::new(chatty))],
        |builder| builder,
    );
    let requests = vec![numbered(1, "slow", &[]), numbered(2, "chatty", &[])];
    let mut batch = desk.runtime.batch(requests, None).unwrap();
    tokio::time::sleep(Duration::from_secs(5)).await;
    assert_eq!(of_kind(&desk, "tool_progress").await.len(), 1);
    assert_eq!(of_kind(&desk, "tool_result").await.len(), 0, "results keep their order");
    assert_eq!(batch.next().await.unwrap().0, id(1));
    assert_eq!(batch.next().await.unwrap().0, id(2));
}

/// Items 115, 116: what becomes of changes of the context is the policy's word; those of calls that ran
/// beside each other are refused or put off, never made in the order in which the calls ended.
#[tokio::test(start_paused = true)]
async fn changes_of_the_context_follow_the_policy() {
    use ContextModifierPolicy::{AllowSerialOnly, DeferUntilBatchComplete, Forbid};
    for (policy, alone, beside) in [
        (AllowSerialOnly, "apply", "reject"),
        (DeferUntilBatchComplete, "defer", "defer"),
        (Forbid, "reject", "reject"),
    ] {
        let mut changing = reader("cd");
        changing.execution.supports_context_modifiers = Some(true);
        let desk = Desk::new(vec![(changing, Arc::new(Moves))], |builder| builder);
        let policy = SchedulerPolicy { context_modifiers: policy, ..SchedulerPolicy::default() };
        let ruling = |result: &Value| result["context_modifier"]["ruling"].clone();
        let one = all(&desk, vec![numbered(1, "cd", &[])], policy.clone()).await;
        assert_eq!(ruling(&one[0]), alone, "{policy:?}");
        let two = all(&desk, vec![numbered(2, "cd", &[]), numbered(3, "cd", &[])], policy).await;
        assert_eq!([ruling(&two[0]), ruling(&two[1])], [beside, beside]);
    }
}

/// Item 129: never more calls at once than the policy says.
#[tokio::test(start_paused = true)]
async fn no_more_calls_run_than_may() {
    let desk = Desk::new(vec![(reader("read"), slow(10))], |builder| builder);
    let requests: Vec<Request> = (0..6).map(|number| numbered(number, "read", &[])).collect();
    let policy =
        SchedulerPolicy { max_parallel: 2.try_into().unwrap(), ..SchedulerPolicy::default() };
    let start = tokio::time::Instant::now();
    all(&desk, requests, policy).await;
    assert_eq!(start.elapsed(), Duration::from_secs(30));
}
