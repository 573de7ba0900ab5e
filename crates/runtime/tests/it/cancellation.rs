//! Stopping a call: who may, what comes of it, and that every wish is on record.

use std::{
    sync::{Arc, OnceLock},
    time::Duration,
};

use assent_ids::InvocationId;
use assent_protocol::{
    agent_tool::{ErrorClass, HookEvent, InterruptBehavior},
    wire::{Loose, Millis},
};
use assent_runtime::{
    Call, Effects, Execution, Executor, Failure, Hook, HookEffects, HookMoment, Runtime,
    ToolDefinition,
};
use serde_json::{Value, json};

use crate::{
    actors::{Stubborn, Takes, Ticking, hook, hooks, says},
    desk::{Desk, Yes, reader, request, writer},
    story::{as_value, events, of_kind},
};

fn cancelable(name: &str) -> ToolDefinition {
    let mut definition = reader(name);
    definition.execution.supports_cancel = Some(true);
    definition
}

/// Starts a call, lets something happen after a second, and waits for the result.
async fn disturbed(desk: Desk, happens: impl FnOnce(&Desk, InvocationId)) -> (Desk, Value) {
    let invocation: InvocationId = "inv_01ARZ3NDEKTSV4RRFFQ69G5FAV".parse().unwrap();
    let running = {
        let runtime = desk.runtime.clone();
        tokio::spawn(async move {
            let mut request = request("work", json!({"path": "a"}));
            request.invocation = Some(invocation);
            runtime.call(request).await
        })
    };
    tokio::time::sleep(Duration::from_secs(1)).await;
    happens(&desk, invocation);
    let result = as_value(&running.await.unwrap());
    (desk, result)
}

fn cancels(desk: &Desk, invocation: InvocationId) {
    assert!(desk.runtime.cancel(invocation));
}

/// The events about stopping a call, in order.
async fn about_canceling(desk: &Desk) -> Vec<String> {
    let all = events(desk).await.into_iter();
    all.filter_map(|event| event.strip_prefix("tool.invocation.cancel").map(str::to_owned))
        .collect()
}

/// Items 98, 136-138: a tool that can be stopped is; that it was asked to, that it agreed, why, and that
/// it was canceled are four facts.
#[tokio::test(start_paused = true)]
async fn a_tool_that_can_be_stopped_is_stopped() {
    let work = Arc::new(Takes(Duration::from_secs(60)));
    let desk = Desk::new(vec![(cancelable("work"), work)], |builder| builder);
    let (desk, result) = disturbed(desk, cancels).await;
    assert_eq!(result["status"], "canceled");
    assert_eq!(result["error"]["error_class"], "canceled");
    assert_eq!(result["error"]["abort_reason"], "user_interruption");
    assert_eq!(about_canceling(&desk).await, ["_requested", "_acknowledged", "ed"]);
}

/// Items 95, 98, 136-138: a tool whose profile does not say that it can be stopped goes on, whatever
/// the user interface offers and whatever its interface wishes, and both facts are on record.
#[tokio::test(start_paused = true)]
async fn a_tool_that_cannot_be_stopped_goes_on_and_that_is_recorded() {
    for stated in [None, Some(false)] {
        let mut definition = reader("work");
        definition.execution.supports_cancel = stated;
        definition.interface.interrupt_behavior = Some(Loose::Typed(InterruptBehavior::Cancel));
        for interrupts in [false, true] {
            let work = Arc::new(Stubborn(Duration::from_secs(60)));
            let desk = Desk::new(vec![(definition.clone(), work)], |builder| builder);
            let (desk, result) = disturbed(desk, |desk, invocation| {
                if interrupts { desk.runtime.interrupt() } else { cancels(desk, invocation) }
            })
            .await;
            assert_eq!(result["status"], "succeeded");
            assert_eq!(about_canceling(&desk).await, ["_requested", "_failed"]);
        }
    }
}

/// Item 137: a wish that comes too late, or that the tool ignores, is an event as well.
#[tokio::test(start_paused = true)]
async fn a_wish_to_stop_is_recorded_however_it_ends() {
    let ignoring = Arc::new(Stubborn(Duration::from_secs(60)));
    let desk = Desk::new(vec![(cancelable("work"), ignoring)], |builder| {
        builder.grace(Duration::from_secs(2))
    });
    let (desk, result) = disturbed(desk, cancels).await;
    assert_eq!(result["status"], "synthetic_error");
    assert_eq!(result["error"]["side_effects_unknown"], true);
    assert_eq!(about_canceling(&desk).await, ["_requested", "ed"]);

    let finishing = Arc::new(Stubborn(Duration::from_secs(2)));
    let desk = Desk::new(vec![(cancelable("work"), finishing)], |builder| builder);
    let (desk, result) = disturbed(desk, cancels).await;
    assert_eq!(result["status"], "succeeded");
    assert_eq!(about_canceling(&desk).await, ["_requested", "_failed"]);

    let desk = Desk::new(vec![(writer("work"), says("done"))], |builder| {
        builder.approver(Yes::new(None)).approval_timeout(Duration::from_secs(60))
    });
    let (desk, result) = disturbed(desk, cancels).await;
    assert_eq!(result["status"], "synthetic_error", "nobody had answered, so it never ran");
    assert_eq!(about_canceling(&desk).await, ["_requested", "ed"]);

    for event in [HookEvent::PostToolUse, HookEvent::ResultPersistence] {
        let mut looks = hook("looks", event, |_| Ok(HookEffects::default()));
        looks.hook = Arc::new(Slow);
        looks.timeout = Duration::from_secs(60);
        let looking = hooks([looks]);
        let desk =
            Desk::new(vec![(cancelable("work"), says("done"))], |builder| builder.hooks(looking));
        let (desk, result) = disturbed(desk, cancels).await;
        assert_eq!(result["status"], "succeeded", "a hook was looking at what had come of it");
        assert_eq!(about_canceling(&desk).await, ["_requested", "_failed"], "{event}");
    }
}

/// A hook that takes its time.
struct Slow;

impl Hook for Slow {
    fn run<'a>(&'a self, _: &'a HookMoment) -> Effects<'a> {
        Box::pin(async {
            tokio::time::sleep(Duration::from_secs(5)).await;
            Ok(HookEffects::default())
        })
    }
}

/// Items 128, 139: each way in which the runtime ends a call has its reason, and a result that says who
/// wrote it. (`sibling_error` and `runtime_shutdown` have tests of their own.)
#[tokio::test(start_paused = true)]
async fn calls_that_the_runtime_ends_say_why() {
    let slow = || Arc::new(Takes(Duration::from_secs(60)));
    let desk = Desk::new(vec![(cancelable("work"), slow())], |builder| builder);
    let (_, discarded) = disturbed(desk, |desk, invocation| {
        assert!(desk.runtime.discard(invocation));
    })
    .await;
    assert_eq!(discarded["status"], "discarded");
    assert_eq!(discarded["error"]["error_class"], "streaming_fallback_discarded");
    assert_eq!(discarded["error"]["abort_reason"], "fallback");
    assert_eq!(discarded["synthetic"], true);

    let mut hasty = reader("work");
    hasty.execution.timeout_ms = Some(Millis(3_000));
    let desk = Desk::new(vec![(hasty, Arc::new(Stubborn(Duration::from_secs(60))))], |b| b);
    let (_, late) = disturbed(desk, |_, _| {}).await;
    assert_eq!(late["status"], "timed_out");
    assert_eq!(late["error"]["error_class"], "timeout");
    assert_eq!(late["error"]["abort_reason"], "timeout");

    let mut polite = cancelable("work");
    polite.interface.interrupt_behavior = Some(Loose::Typed(InterruptBehavior::Cancel));
    let desk = Desk::new(vec![(polite, slow())], |builder| builder);
    let (_, interrupted) = disturbed(desk, |desk, _| desk.runtime.interrupt()).await;
    assert_eq!(interrupted["error"]["abort_reason"], "user_interruption");
}

/// When the call was asked to stop, as its event says.
async fn asked_to_stop_at(desk: &Desk) -> Value {
    let mut events = of_kind(desk, "tool_event").await.into_iter();
    let asked = events.find(|event| event["event_type"] == "tool.invocation.cancel_requested");
    asked.unwrap()["time"].clone()
}

/// A request to stop has the time at which it was made, not the time of what the call last recorded.
#[tokio::test(start_paused = true)]
async fn a_request_to_stop_has_its_own_time() {
    let mut slow = cancelable("work");
    slow.execution.timeout_ms = Some(Millis(3_000));
    let stubborn = Arc::new(Stubborn(Duration::from_secs(60)));
    let desk = Desk::new(vec![(slow, stubborn)], |builder| builder.clock(Ticking::now()));
    let (desk, result) = disturbed(desk, |_, _| {}).await;
    assert_eq!(result["status"], "timed_out");
    assert_eq!(asked_to_stop_at(&desk).await, "2023-11-14T22:13:23.000Z");

    // The tool notices before the call does.
    let noticing = Arc::new(StopsItself::default());
    let tools: Vec<(_, Arc<dyn Executor>)> = vec![(cancelable("work"), Arc::clone(&noticing) as _)];
    let desk = Desk::new(tools, |builder| builder.clock(Ticking::now()));
    noticing.0.set(desk.runtime.clone()).ok().unwrap();
    let (desk, result) = disturbed(desk, |_, _| {}).await;
    assert_eq!(result["status"], "canceled");
    assert_eq!(asked_to_stop_at(&desk).await, "2023-11-14T22:13:24.000Z");
}

/// A tool that is asked to stop after four seconds and ends in the same moment.
#[derive(Default)]
struct StopsItself(OnceLock<Runtime>);

impl Executor for StopsItself {
    fn execute<'a>(&'a self, call: &'a Call) -> Execution<'a> {
        Box::pin(async move {
            tokio::time::sleep(Duration::from_secs(4)).await;
            assert!(self.0.get().unwrap().cancel(call.invocation));
            Err(Failure::new(ErrorClass::Canceled, "it stopped"))
        })
    }
}
