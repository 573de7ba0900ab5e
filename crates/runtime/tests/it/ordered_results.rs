//! Results that come out in the model's order, whatever the order in which they were ready.

use std::{sync::Arc, time::Duration};

use assent_journal::{Fact, Journal as _, Seq};
use assent_protocol::agent_tool::{ContextModifierPolicy, ToolResult, YieldPolicy};
use assent_runtime::{
    Body, Call, ContextChange, Execution, Executor, Output, Progress, SchedulerPolicy,
    ToolDefinition,
};
use serde_json::json;

use crate::desk::{Desk, reader, request};

/// Returns some bytes after some seconds, and requests a change of the context.
struct Late {
    seconds: u64,
    bytes: usize,
}

impl Executor for Late {
    fn execute<'a>(&'a self, call: &'a Call) -> Execution<'a> {
        Box::pin(async move {
            call.progress(Progress { message: Some("half".to_owned()), ..Progress::default() });
            tokio::time::sleep(Duration::from_secs(self.seconds)).await;
            Ok(Output {
                body: Body::Text("x".repeat(self.bytes)),
                context_modifier: Some(json!({"waited": self.seconds})),
                ..Output::default()
            })
        })
    }
}

fn late(name: &str, seconds: u64, bytes: usize) -> (ToolDefinition, Arc<dyn Executor>) {
    let mut tool = reader(name);
    tool.execution.supports_context_modifiers = Some(true);
    (tool, Arc::new(Late { seconds, bytes }))
}

/// Whether its bytes are in the store and not in the result.
fn is_stored(result: &ToolResult) -> bool {
    result.content.is_none()
}

/// Decision E41: completed results wait in memory up to a limit, then in the store; none is lost.
#[tokio::test(start_paused = true)]
async fn results_that_wait_for_a_slow_one_move_to_the_store_when_there_is_no_room() {
    let desk = Desk::new(
        vec![late("slow", 10, 5), late("first", 1, 6_000), late("second", 2, 6_000)],
        |builder| builder.waiting_results(10_000),
    );
    let requests = ["slow", "first", "second"].map(|tool| request(tool, json!({"path": tool})));
    let mut batch = desk.runtime.batch(requests.to_vec(), None).unwrap();
    let results = batch.all().await;
    let stored: Vec<_> = results.iter().map(|(_, result)| is_stored(result)).collect();
    assert_eq!(stored, [false, false, true], "there was room for one of the two that waited");
    assert!(results.iter().all(|(_, result)| result.status.as_str() != "discarded"));

    let again = desk.runtime.batch(vec![request("first", json!({"path": "a"}))], None);
    let results = again.unwrap().all().await;
    assert!(!is_stored(&results[0].1), "what has come out takes no room");
}

/// Item 116: what has to wait is handed over in the model's order.
#[tokio::test(start_paused = true)]
async fn changes_of_the_context_wait_for_the_batch_and_come_in_the_order_of_the_calls() {
    let desk = Desk::new(vec![late("slow", 10, 5), late("quick", 1, 5)], |builder| builder);
    let policy = SchedulerPolicy {
        context_modifiers: ContextModifierPolicy::DeferUntilBatchComplete,
        ..SchedulerPolicy::default()
    };
    let requests = ["slow", "quick"].map(|tool| request(tool, json!({"path": tool})));
    let mut batch = desk.runtime.batch(requests.to_vec(), Some(Arc::new(policy))).unwrap();
    let calls = batch.invocations.clone();
    batch.next().await.unwrap();
    assert_eq!(batch.context_changes(), [], "a result is outstanding");
    batch.all().await;
    let expected = [(calls[0], 10), (calls[1], 1)].map(|(invocation, waited)| ContextChange {
        invocation,
        modifier: json!({"waited": waited}),
    });
    assert_eq!(batch.context_changes(), expected);
    assert_eq!(batch.context_changes(), [], "each change is handed over once");
}

async fn reported_before_the_first_result(yielding: YieldPolicy) -> usize {
    let desk = Desk::new(vec![late("slow", 10, 5), late("other", 20, 5)], |builder| builder);
    let policy = SchedulerPolicy { yielding, ..SchedulerPolicy::default() };
    let requests = ["slow", "other"].map(|tool| request(tool, json!({"path": tool})));
    let mut batch = desk.runtime.batch(requests.to_vec(), Some(Arc::new(policy))).unwrap();
    let second = batch.invocations[1];
    batch.next().await.unwrap();
    let entries = desk.journal.read(Seq(1), usize::MAX).await.unwrap();
    let progress = |entry: &&Arc<assent_journal::Entry>| {
        entry.draft.invocation == Some(second) && matches!(entry.draft.fact, Fact::Progressed(_))
    };
    let before = entries.iter().filter(progress).count();
    batch.all().await;
    let entries = desk.journal.read(Seq(1), usize::MAX).await.unwrap();
    assert_eq!(entries.iter().filter(progress).count(), 1, "it is never lost");
    before
}

#[tokio::test(start_paused = true)]
async fn progress_comes_at_once_unless_everything_is_ordered() {
    let at_once = YieldPolicy::ProgressImmediateResultsOrdered;
    assert_eq!(reported_before_the_first_result(at_once).await, 1);
    assert_eq!(reported_before_the_first_result(YieldPolicy::AllOrdered).await, 0);
}
