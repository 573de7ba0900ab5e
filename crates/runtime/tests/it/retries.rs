//! Calls that are retried automatically.

use std::{
    collections::VecDeque,
    sync::{Arc, Mutex},
    time::Duration,
};

use assent_ids::InvocationId;
use assent_protocol::agent_tool::{ErrorClass, RetryAfter};
use assent_runtime::{Body, Call, Execution, Executor, Failure, Runtime, ToolDefinition};
use serde_json::{Value, json};
use tokio::time::Instant;

use crate::{
    actors::{Ticking, output},
    desk::{Desk, allow_all, class, reader, request, writer},
    story::{as_value, events, invocation, path},
};

/// Fails as often as the test says, then works. Records its attempts.
struct Shaky {
    failures: Mutex<VecDeque<Failure>>,
    tried: Mutex<Vec<(u32, Duration)>>,
    began: Instant,
}

impl Shaky {
    fn new(failures: impl IntoIterator<Item = Failure>) -> Arc<Self> {
        let failures = Mutex::new(failures.into_iter().collect());
        Arc::new(Self { failures, tried: Mutex::default(), began: Instant::now() })
    }

    fn attempts(&self) -> Vec<u32> {
        self.tried.lock().unwrap().iter().map(|(attempt, _)| *attempt).collect()
    }

    /// How long it was left alone after each attempt.
    fn pauses(&self) -> Vec<Duration> {
        let tried = self.tried.lock().unwrap();
        tried.windows(2).map(|pair| pair[1].1 - pair[0].1).collect()
    }
}

impl Executor for Shaky {
    fn execute<'a>(&'a self, call: &'a Call) -> Execution<'a> {
        self.tried.lock().unwrap().push((call.attempt, self.began.elapsed()));
        let failure = self.failures.lock().unwrap().pop_front();
        Box::pin(async move {
            match failure {
                Some(failure) => Err(failure),
                None => Ok(output(Body::Text("at last".to_owned()))),
            }
        })
    }
}

fn failing(class: ErrorClass) -> Failure {
    Failure::new(class, "on purpose")
}

/// Says when to try again, as it is written on the wire.
fn busy(retry_after: Value) -> Failure {
    let retry_after: RetryAfter = serde_json::from_value(retry_after).unwrap();
    Failure { retry_after: Some(retry_after), ..failing(ErrorClass::RateLimited) }
}

fn retrying(mut definition: ToolDefinition) -> ToolDefinition {
    definition.execution.supports_retries = Some(true);
    definition
}

/// A tool that changes something, and does the same when it is repeated.
fn idempotent(trusted: bool) -> ToolDefinition {
    let mut definition = retrying(writer("work"));
    let annotations = [("idempotentHint".to_owned(), json!(true))];
    definition.declaration.annotations = Some(annotations.into_iter().collect());
    definition.trusted = trusted;
    definition
}

fn desk(definition: ToolDefinition, shaky: &Arc<Shaky>) -> Desk {
    Desk::new(vec![(definition, Arc::clone(shaky) as _)], |builder| {
        builder.policy(allow_all()).clock(Ticking::now())
    })
}

/// How often a tool is tried that fails once like this.
async fn attempts(definition: ToolDefinition, failure: Failure) -> usize {
    let shaky = Shaky::new([failure]);
    let desk = desk(definition, &shaky);
    let result = desk.call("work", json!({"path": "a"})).await;
    let attempts = shaky.attempts();
    let numbers: Vec<u32> = (1..).take(attempts.len()).collect();
    assert_eq!(attempts, numbers);
    let ends = if attempts.len() > 1 { "succeeded" } else { "failed" };
    assert_eq!(result.status.as_str(), ends);
    attempts.len()
}

/// E49: only where it cannot do harm, and only if the tool says that it supports it.
#[tokio::test(start_paused = true)]
async fn a_call_is_tried_again_only_where_that_does_no_harm() {
    for class in ErrorClass::ALL.iter().copied() {
        // A tool that reports this without a request to stop has failed like any other.
        let is_passing =
            matches!(class, ErrorClass::RateLimited | ErrorClass::DependencyUnavailable);
        let reads = is_passing || class == ErrorClass::Timeout;
        for (definition, is_repeated) in [
            (retrying(reader("work")), reads),
            (reader("work"), false),
            (retrying(writer("work")), false),
            (idempotent(true), is_passing),
            (idempotent(false), false),
        ] {
            let kind = format!("{class}, {:?}", definition.declaration.annotations);
            let attempts = attempts(definition, failing(class)).await;
            assert_eq!(attempts, if is_repeated { 2 } else { 1 }, "{kind}");
        }
    }
}

/// It is not tried for ever, waits longer each time, and its record says how often it was tried.
#[tokio::test(start_paused = true)]
async fn a_call_is_tried_three_times_at_most() {
    let shaky = Shaky::new((0..9).map(|_| failing(ErrorClass::DependencyUnavailable)));
    let desk = desk(retrying(reader("work")), &shaky);
    let result = desk.call("work", json!({"path": "a"})).await;
    assert_eq!(class(&result).as_deref(), Some("dependency_unavailable"));
    assert_eq!(shaky.attempts(), [1, 2, 3]);
    assert_eq!(shaky.pauses(), [200, 400].map(Duration::from_millis));
    let record = invocation(&desk).await;
    assert_eq!(record["attempt"], 3);
    assert_eq!(record["started_at"], "2023-11-14T22:13:20.000Z");
    assert_eq!(record["ended_at"], "2023-11-14T22:13:20.600Z");
    let running = path(&record).iter().filter(|status| **status == "running").count();
    assert_eq!(running, 1, "it is one call");
}

/// E48: a tool may say when to come back in seconds, in fractions of them, or as a date; what it does not
/// say, or says in a way that means nothing, is decided here.
#[tokio::test(start_paused = true)]
async fn a_tool_is_left_alone_for_as_long_as_it_wants_however_it_says_so() {
    for (retry_after, pause) in [
        (json!(3), 3_000),
        (json!(0), 0),
        (json!(1.5), 1_500),
        (json!(10), 10_000),
        (json!("2023-11-14T22:13:24.250Z"), 4_250),
        (json!("2023-11-14T23:13:22+01:00"), 2_000),
        // It has passed.
        (json!("2023-11-14T22:13:19Z"), 0),
        (json!(null), 200),
        (json!(-1), 200),
    ] {
        let shaky = Shaky::new([busy(retry_after.clone())]);
        let desk = desk(retrying(reader("work")), &shaky);
        let result = desk.call("work", json!({"path": "a"})).await;
        assert_eq!(result.status.as_str(), "succeeded", "{retry_after}");
        assert_eq!(shaky.pauses(), [Duration::from_millis(pause)], "{retry_after}");
    }
}

/// A long pause is not waited for: the caller gets it in whole seconds.
#[tokio::test(start_paused = true)]
async fn a_tool_that_wants_more_time_than_a_caller_has_is_not_waited_for() {
    for (retry_after, told) in
        [(json!(11), 11), (json!(10.001), 11), (json!("2023-11-14T22:13:40.5Z"), 21)]
    {
        let shaky = Shaky::new([busy(retry_after)]);
        let desk = desk(retrying(reader("work")), &shaky);
        let result = as_value(&desk.call("work", json!({"path": "a"})).await);
        assert_eq!(shaky.attempts(), [1]);
        assert_eq!(result["error"]["retry_after"], told);
        assert_eq!(result["error"]["recoverability"], "retry_after_delay");
    }
}

fn id() -> InvocationId {
    "inv_01ARZ3NDEKTSV4RRFFQ69G5FAV".parse().unwrap()
}

/// Canceling does not wait for the end of the pause, even if the tool itself could not be stopped.
#[tokio::test(start_paused = true)]
async fn a_call_that_waits_to_be_tried_again_can_be_canceled() {
    let shaky = Shaky::new([busy(json!(8))]);
    let desk = desk(retrying(reader("work")), &shaky);
    let runtime: Runtime = desk.runtime.clone();
    let mut asked = request("work", json!({"path": "a"}));
    asked.invocation = Some(id());
    let start = Instant::now();
    let running = tokio::spawn(async move { runtime.call(asked).await });
    tokio::time::sleep(Duration::from_secs(2)).await;
    assert!(desk.runtime.cancel(id()));
    let result = running.await.unwrap();
    assert_eq!(start.elapsed(), Duration::from_secs(2));
    assert_eq!(result.status.as_str(), "canceled");
    assert_eq!(shaky.attempts(), [1]);
    let told = events(&desk).await;
    let about_cancel: Vec<_> =
        told.iter().filter(|event| event.contains("cancel_")).map(String::as_str).collect();
    assert_eq!(
        about_cancel,
        ["tool.invocation.cancel_requested", "tool.invocation.cancel_acknowledged"]
    );
    assert_eq!(invocation(&desk).await["ended_at"], "2023-11-14T22:13:22.000Z");
}
