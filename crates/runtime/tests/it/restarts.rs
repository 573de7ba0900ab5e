//! What calls of a batch are to each other after a restart.

use std::{sync::Arc, time::Duration};

use assent_ids::InvocationId;
use assent_protocol::{
    agent_tool::{InterruptBehavior, SiblingFailurePolicy},
    wire::Loose,
};
use assent_runtime::{
    Approver, CallResult, Executor, Request, Runtime, SchedulerPolicy, ToolDefinition,
};
use assent_test_journal::Audited;
use serde_json::json;
use tokio::time::timeout;

use crate::{
    actors::{Person, no, says, yes},
    desk::{Desk, Yes, catalog, request, starting, writer},
    story::{as_value, of_kind},
};

fn id(number: u8) -> InvocationId {
    format!("inv_01ARZ3NDEKTSV4RRFFQ69G5FA{}", number % 10).parse().unwrap()
}

fn numbered(number: u8, depends_on: &[u8]) -> Request {
    let mut request = request("pay", json!({"path": "x"}));
    request.invocation = Some(id(number));
    request.depends_on = depends_on.iter().map(|number| id(*number)).collect();
    request
}

fn started(journal: &Audited, number: u64, tool: ToolDefinition, by: Arc<dyn Approver>) -> Runtime {
    let tools: Vec<(_, Arc<dyn Executor>)> = vec![(tool, says("done"))];
    starting(journal, number).catalog(catalog(tools)).approver(by).build().unwrap()
}

/// Not what the runtime does by itself.
fn own_policy() -> SchedulerPolicy {
    let id = Arc::new("of-this-batch".parse().unwrap());
    SchedulerPolicy {
        siblings: SiblingFailurePolicy::Ignore,
        interrupt: InterruptBehavior::Cancel,
        ..SchedulerPolicy::standard(id)
    }
}

/// Asks for calls whose person never answers, and lets the process end.
async fn interrupted(
    journal: &Audited,
    tool: ToolDefinition,
    calls: Vec<Request>,
    policy: Option<SchedulerPolicy>,
) {
    let before = started(journal, 1, tool, Yes::new(None));
    let _batch = before.batch(calls, policy.map(Arc::new)).unwrap();
    tokio::time::sleep(Duration::from_secs(1)).await;
}

fn status(result: &CallResult) -> &str {
    result.status.as_str()
}

/// One of two calls is refused after a restart. Whether the one that depends on it still runs is what the
/// policy of their batch says, and not that of the runtime.
#[tokio::test(start_paused = true)]
async fn a_batch_that_a_crash_interrupted_keeps_its_policy() {
    for (policy, ended) in
        [(Some(own_policy()), ["rejected", "succeeded"]), (None, ["rejected", "synthetic_error"])]
    {
        let journal = Audited::journal();
        let is_own = policy.is_some();
        let calls = vec![numbered(1, &[]), numbered(2, &[1])];
        interrupted(&journal, writer("pay"), calls, policy).await;

        let person = Person::new(|prompt| if prompt.invocation == id(1) { no() } else { yes() });
        let after = started(&journal, 2, writer("pay"), person);
        let results = after.resume().await.unwrap().all().await;
        let statuses: Vec<_> = results.iter().map(|(_, result)| status(result)).collect();
        assert_eq!(statuses, ended);
        let desk = Desk { runtime: after, journal };
        let calls = of_kind(&desk, "tool_invocation").await;
        let policy = if is_own { "of-this-batch" } else { "standard" };
        assert!(calls.iter().all(|call| call["scheduler_policy_ref"] == policy), "{calls:#?}");
    }
}

/// Item 125: what an interruption does to a call is the same after a restart, whether its tool says it or its batch.
#[tokio::test(start_paused = true)]
async fn a_call_that_a_crash_interrupted_can_be_interrupted_by_a_person() {
    let mut stopping = writer("pay");
    stopping.interface.interrupt_behavior = Some(Loose::Typed(InterruptBehavior::Cancel));
    for (tool, policy, stops) in [
        (stopping, None, true),
        (writer("pay"), Some(own_policy()), true),
        (writer("pay"), None, false),
    ] {
        let journal = Audited::journal();
        interrupted(&journal, tool.clone(), vec![numbered(1, &[])], policy).await;

        let after = started(&journal, 2, tool, Yes::new(None));
        let mut resumed = after.resume().await.unwrap();
        tokio::time::sleep(Duration::from_secs(1)).await;
        after.interrupt();
        let ended = timeout(Duration::from_secs(10), resumed.all()).await;
        assert_eq!(ended.is_ok(), stops);
        if let Ok(results) = ended {
            assert_eq!(as_value(&results[0].1)["error"]["abort_reason"], "user_interruption");
        }
    }
}
