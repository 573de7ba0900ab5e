//! How long a question stays open, how long a yes lasts, and how long a tool may take.

use std::{
    future::pending,
    sync::{Arc, Mutex, atomic::Ordering},
    time::Duration,
};

use assent_ids::{UnixMillis, deterministic::ManualClock};
use assent_journal::Journal as _;
use assent_protocol::agent_tool::{ErrorClass, HookEvent};
use assent_runtime::{
    Answer, Answering, Approver, Call, Execution, Executor, HookEffects, HookStop, Hooks, Output,
    Prompt, Runtime,
};
use assent_test_journal::Audited;
use serde_json::json;

use crate::{
    actors::{Does, hook, hooks, says, yes},
    desk::{
        Desk, Echo, START, Yes, allow_all, catalog, request, starting, starting_through, writer,
    },
    disk::Disk,
    story::{as_value, of_kind},
};

/// An approver that decides itself how long a question stays open.
struct Device {
    answers_after: Option<Duration>,
    answer: Answer,
    asked: Mutex<Vec<Prompt>>,
}

impl Device {
    fn answering(answer: Answer, answers_after: Option<Duration>) -> Arc<Self> {
        Arc::new(Self { answers_after, answer, asked: Mutex::default() })
    }
}

impl Approver for Device {
    fn ask<'a>(&'a self, prompt: &'a Prompt) -> Answering<'a> {
        self.asked.lock().unwrap().push(prompt.clone());
        Box::pin(async move {
            match self.answers_after {
                Some(time) => tokio::time::sleep(time).await,
                None => pending().await,
            }
            self.answer.clone()
        })
    }

    fn owns_deadline(&self) -> bool {
        true
    }
}

/// Lets time pass between the answer of the person and the start of the tool.
pub fn time_passes(clock: &Arc<ManualClock>, by: Duration) -> Hooks {
    let clock = Arc::clone(clock);
    hooks([hook("time", HookEvent::PermissionDecision, move |_| {
        clock.advance(by);
        Ok(HookEffects::default())
    })])
}

fn at(millis: u64) -> Arc<ManualClock> {
    Arc::new(ManualClock::starting_at(UnixMillis::new(millis)))
}

#[tokio::test(start_paused = true)]
async fn an_approver_that_owns_the_deadline_may_answer_after_hours() {
    let device = Device::answering(yes(), Some(Duration::from_hours(5)));
    let approver = Arc::clone(&device);
    let desk = Desk::new(vec![(writer("write"), says("fine"))], |builder| {
        builder.approver(approver).approval_timeout(Duration::from_secs(30))
    });
    let result = desk.call("write", json!({"path": "a"})).await;
    assert_eq!(result.status.as_str(), "succeeded");
    assert_eq!(device.asked.lock().unwrap()[0].not_after, None);
    let events = of_kind(&desk, "tool_event").await;
    let asked = events.iter().find(|event| event["event_type"] == "tool.permission.requested");
    assert_eq!(asked.unwrap()["data"].get("expires_at"), None);
}

#[tokio::test(start_paused = true)]
async fn a_question_of_an_approver_that_owns_the_deadline_survives_any_downtime() {
    let journal = Audited::journal();
    let started = |number, device: &Arc<Device>| {
        let tools: Vec<(_, Arc<dyn Executor>)> = vec![(writer("write"), says("fine"))];
        let builder = starting(&journal, number).clock(at(START + number * 86_400_000));
        builder.catalog(catalog(tools)).approver(Arc::clone(device) as _).build().unwrap()
    };
    let silent = Device::answering(yes(), None);
    let before = started(1, &silent);
    let _batch = before.batch(vec![request("write", json!({"path": "a"}))], None).unwrap();
    tokio::time::sleep(Duration::from_secs(1)).await;

    let device = Device::answering(yes(), Some(Duration::from_secs(1)));
    let after: Runtime = started(2, &device);
    let results = after.resume().await.unwrap().all().await;
    assert_eq!(results[0].1.status.as_str(), "succeeded");
    let (first, second) = (&silent.asked.lock().unwrap()[0], &device.asked.lock().unwrap()[0]);
    assert_eq!((first.id, &first.binding), (second.id, &second.binding));
}

#[tokio::test(start_paused = true)]
async fn an_answer_after_the_deadline_of_the_runtime_has_no_effect() {
    let journal = Audited::journal();
    let echo = Arc::new(Echo::default());
    let started = |number, time, approver: Arc<Yes>| {
        let tools: Vec<(_, Arc<dyn Executor>)> = vec![(writer("write"), Arc::clone(&echo) as _)];
        let builder = starting(&journal, number).clock(at(time)).catalog(catalog(tools));
        builder.approver(approver).approval_timeout(Duration::from_secs(30)).build().unwrap()
    };
    let before = started(1, START, Yes::new(None));
    let _batch = before.batch(vec![request("write", json!({"path": "a"}))], None).unwrap();
    tokio::time::sleep(Duration::from_secs(1)).await;
    let after = started(2, START + 30_001, Yes::allow());
    let results = after.resume().await.unwrap().all().await;
    assert_eq!(as_value(&results[0].1)["error"]["error_code"], "approval_timed_out");
    assert_eq!(echo.runs.load(Ordering::SeqCst), 0);
}

#[tokio::test(start_paused = true)]
async fn a_call_begins_within_ten_minutes_of_the_yes_or_not_at_all() {
    for (waits, code) in [(600_000, json!(null)), (600_001, json!("expired"))] {
        let clock = at(START);
        let passing = time_passes(&clock, Duration::from_millis(waits));
        let desk = Desk::new(vec![(writer("write"), says("fine"))], |builder| {
            let device = Device::answering(yes(), Some(Duration::ZERO));
            builder.clock(clock).approver(device).hooks(passing)
        });
        let result = as_value(&desk.call("write", json!({"path": "a"})).await);
        assert_eq!(result["error"]["error_code"], code, "{result:#}");
    }
}

#[tokio::test(start_paused = true)]
async fn an_approved_call_runs_once_after_a_restart_within_ten_minutes() {
    for (down_for, code, runs) in [(600_000, json!(null), 1), (600_001, json!("expired"), 0)] {
        let journal = Audited::journal();
        let echo = Arc::new(Echo::default());
        let tools = || -> Vec<(_, Arc<dyn Executor>)> {
            vec![(writer("write"), Arc::clone(&echo) as Arc<dyn Executor>)]
        };
        let device = Device::answering(yes(), Some(Duration::ZERO));
        let before = starting_through(Disk::that_goes_down(&journal), 7)
            .clock(at(START))
            .catalog(catalog(tools()))
            .approver(device)
            .build()
            .unwrap();
        tokio::spawn(async move { before.call(request("write", json!({"path": "a"}))).await });
        tokio::time::sleep(Duration::from_secs(1)).await;
        assert_eq!(journal.saved_states().await.unwrap().len(), 1);

        let silent = Device::answering(yes(), None);
        let after = starting(&journal, 8).clock(at(START + down_for)).catalog(catalog(tools()));
        let after = after.approver(Arc::clone(&silent) as _).build().unwrap();
        let results = after.resume().await.unwrap().all().await;
        let result = as_value(&results[0].1);
        assert_eq!(result["error"]["error_code"], code, "{result:#}");
        assert_eq!(echo.runs.load(Ordering::SeqCst), runs);
        assert!(silent.asked.lock().unwrap().is_empty(), "the person is not asked again");
        assert_eq!(after.resume().await.unwrap().all().await.len(), 0);
    }
}

#[tokio::test(start_paused = true)]
async fn the_code_of_a_refusal_is_the_code_of_the_result() {
    for (class, code, status) in [
        (ErrorClass::Timeout, "user_timeout", "timed_out"),
        (ErrorClass::PermissionDenied, "permission_revoked", "denied"),
        (ErrorClass::PolicyBlocked, "rate_limited", "denied"),
    ] {
        let echo = Arc::new(Echo::default());
        let tool = Arc::clone(&echo) as Arc<dyn Executor>;
        let refused = Answer::Refuse { class, code: code.into() };
        let device = Device::answering(refused, Some(Duration::ZERO));
        let desk = Desk::new(vec![(writer("write"), tool)], |builder| builder.approver(device));
        let result = as_value(&desk.call("write", json!({"path": "a"})).await);
        let error = &result["error"];
        assert_eq!(result["status"], status, "{result:#}");
        assert_eq!(error["error_class"], class.as_str());
        assert_eq!(error["error_code"], code);
        assert_eq!(echo.runs.load(Ordering::SeqCst), 0);
        let decisions = of_kind(&desk, "tool_permission_decision").await;
        let last = decisions.last().unwrap();
        assert_eq!(last["behavior"], "deny");
        assert!(last.to_string().contains(code), "{last:#}");
    }
}

#[tokio::test(start_paused = true)]
async fn the_code_of_a_hook_that_stops_a_call_is_the_code_of_the_result() {
    let stop = HookStop::with_code("the scope is another one", "scope_mismatch");
    let stopping = HookEffects { stop: Some(stop), ..HookEffects::default() };
    let desk = Desk::new(vec![(writer("write"), says("fine"))], |builder| {
        builder
            .hooks(hooks([hook("scopes", HookEvent::PreToolUse, move |_| Ok(stopping.clone()))]))
            .policy(allow_all())
    });
    let result = as_value(&desk.call("write", json!({"path": "a"})).await);
    assert_eq!(result["error"]["error_class"], "hook_blocked");
    assert_eq!(result["error"]["error_code"], "scope_mismatch");
}

/// Says how long it may take, and takes longer.
fn hangs(call: &Call) -> Execution<'_> {
    Box::pin(async move {
        assert!(call.timeout <= Duration::from_secs(20), "{:?}", call.timeout);
        pending::<()>().await;
        Ok(Output::default())
    })
}

#[tokio::test(start_paused = true)]
async fn the_smaller_one_of_two_timeouts_applies() {
    for (asked_for, applies) in [(None, 20), (Some(5), 5), (Some(60), 20)] {
        let mut tool = writer("write");
        tool.execution.timeout_ms = Some(Duration::from_secs(20).into());
        let desk = Desk::new(vec![(tool, Arc::new(Does(hangs)) as _)], |builder| {
            builder.policy(allow_all())
        });
        let mut request = request("write", json!({"path": "a"}));
        request.timeout = asked_for.map(Duration::from_secs);
        let started = tokio::time::Instant::now();
        let result = as_value(&desk.runtime.call(request).await);
        assert_eq!(result["status"], "timed_out", "{result:#}");
        assert_eq!(started.elapsed().as_secs(), applies);
        let message = result["error"]["message"].as_str().unwrap();
        assert!(message.contains(&format!("{applies} s")), "{message}");
    }
}
