//! The outcome of a call is known when its tool has finished, even if a hook hangs or the process crashes.

use std::{
    future::pending,
    sync::{
        Arc,
        atomic::{AtomicBool, AtomicU64, Ordering},
    },
    time::Duration,
};

use assent_ids::ArtifactId;
use assent_journal::{Batch, Fact};
use assent_protocol::agent_tool::{ArtifactRef, ErrorClass, HookEvent, InvocationStatus};
use assent_runtime::{
    Body, Call, Effects, Execution, Executor, Failure, Hook, HookEffects, HookMoment, Hooks,
    Output, Runtime, ToolDefinition,
};
use assent_test_journal::Audited;
use serde_json::{Value, json};

use crate::{
    actors::{hook, hooks},
    definitions::contract,
    desk::{
        Desk, Echo, Yes, allow_all, catalog, class, reader, request, starting, starting_through,
        writer,
    },
    disk::Disk,
    story::{as_value, invocation},
};

/// Pays, or cannot; either way it must not be done twice.
struct Pays {
    runs: AtomicU64,
    fails: bool,
}

impl Executor for Pays {
    fn execute<'a>(&'a self, _: &'a Call) -> Execution<'a> {
        self.runs.fetch_add(1, Ordering::SeqCst);
        Box::pin(async {
            if self.fails {
                return Err(Failure::new(ErrorClass::ExecutionFailed, "the account is empty"));
            }
            Ok(Output { body: Body::Text("paid".to_owned()), ..Output::default() })
        })
    }
}

/// A hook that never comes to an end.
struct Hangs;

impl Hook for Hangs {
    fn run<'a>(&'a self, _: &'a HookMoment) -> Effects<'a> {
        Box::pin(pending())
    }
}

fn looking(event: HookEvent, hangs: bool) -> Hooks {
    let mut looks = hook("looks", event, |_| Ok(HookEffects::default()));
    looks.timeout = Duration::from_secs(600);
    if hangs {
        looks.hook = Arc::new(Hangs);
    }
    hooks([looks])
}

fn started(
    journal: &Audited,
    pays: &Arc<Pays>,
    resumes: bool,
    (number, hooks): (u64, Hooks),
) -> Runtime {
    let mut tool = reader("pay");
    tool.execution.supports_resume = Some(resumes);
    starting(journal, number)
        .policy(allow_all())
        .catalog(catalog(vec![(tool, Arc::clone(pays) as _)]))
        .hooks(hooks)
        .build()
        .unwrap()
}

async fn check_crash(event: HookEvent, resumes: bool, fails: bool) {
    let journal = Audited::journal();
    let pays = Arc::new(Pays { runs: AtomicU64::new(0), fails });
    let before = started(&journal, &pays, resumes, (1, looking(event, true)));
    // It goes on hanging: that is what the journal of a process looks like that is gone.
    let hanging =
        tokio::spawn(async move { before.call(request("pay", json!({"path": "a"}))).await });
    tokio::time::sleep(Duration::from_secs(1)).await;
    let after = started(&journal, &pays, resumes, (2, looking(event, false)));
    let mut results = after.resume().await.unwrap().all().await;
    let (_, result) = results.pop().unwrap();
    let case = format!("{event}, resumes: {resumes}");
    assert_eq!(pays.runs.load(Ordering::SeqCst), 1, "{case}");
    if fails {
        assert_eq!(class(&result).as_deref(), Some("execution_failed"), "{case}");
        assert!(as_value(&result).to_string().contains("the account is empty"), "{case}");
    } else {
        assert_eq!(result.status.as_str(), "succeeded", "{case}");
        assert!(as_value(&result).to_string().contains("paid"), "{case}");
    }
    hanging.abort();
}

#[tokio::test(start_paused = true)]
async fn a_crash_while_hooks_look_at_an_outcome_neither_loses_it_nor_repeats_the_call() {
    for resumes in [false, true] {
        check_crash(HookEvent::PostToolUse, resumes, false).await;
        check_crash(HookEvent::ResultPersistence, resumes, false).await;
        check_crash(HookEvent::PostToolUseFailure, resumes, true).await;
    }
}

/// Pays, and from then on the disk lags.
struct PaysThenLags(Arc<Pays>, Arc<Disk>);

impl Executor for PaysThenLags {
    fn execute<'a>(&'a self, call: &'a Call) -> Execution<'a> {
        self.1.lag();
        self.0.execute(call)
    }
}

/// A hook that has to be waited for, and notes that it was.
struct TakesLong(Arc<AtomicBool>);

impl Hook for TakesLong {
    fn run<'a>(&'a self, _: &'a HookMoment) -> Effects<'a> {
        Box::pin(async {
            tokio::task::yield_now().await;
            self.0.store(true, Ordering::SeqCst);
            pending().await
        })
    }
}

async fn let_all_tasks_run() {
    for _ in 0..100 {
        tokio::task::yield_now().await;
    }
}

/// The outcome is durable before a hook on it is waited for: a process that dies while it waits has lost
/// nothing, and one that dies before has not begun to wait.
#[tokio::test(start_paused = true)]
async fn an_outcome_is_durable_before_a_hook_is_waited_for() {
    for event in [HookEvent::PostToolUse, HookEvent::ResultPersistence] {
        let journal = Audited::journal();
        let disk = Disk::over(&journal);
        let pays = Arc::new(Pays { runs: AtomicU64::new(0), fails: false });
        let waited = Arc::new(AtomicBool::new(false));
        let mut slow = hook("slow", event, |_| Ok(HookEffects::default()));
        slow.hook = Arc::new(TakesLong(Arc::clone(&waited)));
        let paying = Arc::new(PaysThenLags(Arc::clone(&pays), Arc::clone(&disk)));
        let mut tool = reader("pay");
        tool.execution.supports_resume = Some(true);
        let before = starting_through(Arc::clone(&disk) as _, 1)
            .policy(allow_all())
            .catalog(catalog(vec![(tool, paying)]))
            .hooks(hooks([slow]))
            .build()
            .unwrap();
        let call = request("pay", json!({"path": "a"}));
        let hanging = tokio::spawn(async move { before.call(call).await });
        let_all_tasks_run().await;
        assert_eq!(pays.runs.load(Ordering::SeqCst), 1);
        assert!(!waited.load(Ordering::SeqCst), "{event}: the outcome is not on the disk yet");
        disk.write().await;
        let_all_tasks_run().await;
        assert!(waited.load(Ordering::SeqCst), "{event}");

        // Now the process dies.
        let after = started(&journal, &pays, true, (2, looking(event, false)));
        let (_, result) = after.resume().await.unwrap().all().await.pop().unwrap();
        assert!(as_value(&result).to_string().contains("paid"), "{event}");
        assert_eq!(pays.runs.load(Ordering::SeqCst), 1, "{event}: it does not run again");
        hanging.abort();
    }
}

/// A hook that answers at once costs no wait for the disk.
#[tokio::test(start_paused = true)]
async fn a_hook_that_answers_at_once_needs_no_batch_of_its_own() {
    let batches = async |hooks: Hooks| {
        let journal = Audited::journal();
        let disk = Disk::over(&journal);
        let pays = Arc::new(Pays { runs: AtomicU64::new(0), fails: false });
        let runtime = starting_through(Arc::clone(&disk) as _, 1)
            .policy(allow_all())
            .catalog(catalog(vec![(reader("pay"), pays as _)]))
            .hooks(hooks)
            .build()
            .unwrap();
        let before = disk.batches();
        runtime.call(request("pay", json!({"path": "a"}))).await;
        disk.batches() - before
    };
    let without = batches(Hooks::default()).await;
    assert_eq!(batches(looking(HookEvent::PostToolUse, false)).await, without);
    assert_eq!(batches(looking(HookEvent::ResultPersistence, false)).await, without);
}

/// Takes a key and says it.
fn telling(description: &str, output: Value) -> ToolDefinition {
    let mut tool = reader("tell");
    tool.declaration.description = description.to_owned();
    contract(&mut tool).sensitive_fields = Some(vec!["/path".to_owned()]);
    tool.interface.output_schema = output
        .as_object()
        .map(|schema| schema.iter().map(|(key, value)| (key.clone(), value.clone())).collect());
    tool
}

/// What a tool has done stays done, even if the tool changes while hooks run; and what was secret
/// stays secret, although the tool that said so is not there any more.
#[tokio::test(start_paused = true)]
async fn an_outcome_outlives_its_tool() {
    let mut open = telling("Tells.", json!({"type": "object"}));
    contract(&mut open).sensitive_fields = None;
    for (case, later) in [
        ("another text", Some(telling("Tells again.", json!({"type": "object"})))),
        ("another schema", Some(telling("Tells.", json!({"type": "object", "required": ["x"]})))),
        ("nothing sensitive", Some(open)),
        ("gone", None),
    ] {
        let journal = Audited::journal();
        let echo = Arc::new(Echo::default());
        let tool = telling("Tells.", json!({"type": "object"}));
        let before = starting(&journal, 1)
            .policy(allow_all())
            .catalog(catalog(vec![(tool, Arc::clone(&echo) as _)]))
            .hooks(looking(HookEvent::PostToolUse, true))
            .build()
            .unwrap();
        let call = request("tell", json!({"path": "hunter2", "more": "visible-7"}));
        let hanging = tokio::spawn(async move { before.call(call).await });
        tokio::time::sleep(Duration::from_secs(1)).await;

        let tools = later.into_iter().map(|tool| (tool, Arc::clone(&echo) as _)).collect();
        let after =
            starting(&journal, 2).policy(allow_all()).catalog(catalog(tools)).build().unwrap();
        let (_, result) = after.resume().await.unwrap().all().await.pop().unwrap();
        assert_eq!(echo.runs.load(Ordering::SeqCst), 1, "{case}");
        assert_eq!(result.is_error, Some(false), "{case}: {result:#?}");
        let text = as_value(&result).to_string();
        assert!(!text.contains("hunter2"), "{case}: {text}");
        assert_eq!(text.contains("visible-7"), case != "gone", "{case}: {text}");
        hanging.abort();
    }
}

/// A result names the stage in which the journal failed.
#[tokio::test(start_paused = true)]
async fn a_journal_that_fails_is_reported_in_the_stage_that_needed_it() {
    fn has(batch: &Batch, wanted: InvocationStatus) -> bool {
        let mut drafts = batch.drafts.iter();
        drafts.any(|draft| matches!(draft.fact, Fact::Moved(status) if status == wanted))
    }
    let at_hooks: fn(&Batch) -> bool = |batch| has(batch, InvocationStatus::PreHooksRunning);
    let asking: fn(&Batch) -> bool = |batch| has(batch, InvocationStatus::AwaitingApproval);
    let starting: fn(&Batch) -> bool = |batch| has(batch, InvocationStatus::Running);
    for (breaks, stage) in [(at_hooks, "pre_hooks"), (asking, "permission"), (starting, "execute")]
    {
        let journal = Audited::journal();
        let disk = Disk::that_breaks(&journal, breaks);
        let tool = Arc::new(Echo::default());
        let tools = catalog(vec![(writer("pay"), Arc::clone(&tool) as _)]);
        let runtime = starting_through(disk, 1)
            .catalog(tools)
            .approver(Yes::allow())
            .hooks(looking(HookEvent::PreToolUse, false))
            .build()
            .unwrap();
        let result = as_value(&runtime.call(request("pay", json!({"path": "a"}))).await);
        assert_eq!(result["error"]["error_code"], "journal_unavailable");
        assert_eq!(result["error"]["stage"], stage);
        assert_eq!(tool.runs.load(Ordering::SeqCst), 0);
    }
}

fn artifact(id: &str) -> ArtifactRef {
    ArtifactRef::new(id.parse::<ArtifactId>().unwrap())
}

/// Fails twice, each time after it has made something, or works after the first failure.
struct MakesAndFails {
    runs: AtomicU64,
    class: ErrorClass,
    then_works: bool,
}

impl Executor for MakesAndFails {
    fn execute<'a>(&'a self, _: &'a Call) -> Execution<'a> {
        let run = self.runs.fetch_add(1, Ordering::SeqCst) + 1;
        let artifacts = vec![artifact(&format!("made-{run}"))];
        Box::pin(async move {
            if run == 2 && self.then_works {
                return Ok(Output { artifacts, ..Output::default() });
            }
            // A failure of the last class is not tried again.
            let class = if run == 2 { ErrorClass::ExecutionFailed } else { self.class };
            Err(Failure { artifacts, ..Failure::new(class, "on purpose") })
        })
    }
}

/// What a tool made before it failed is in the result and in the record of the call.
#[tokio::test(start_paused = true)]
async fn artifacts_made_before_a_failure_are_kept() {
    for (class, then_works, status, expected) in [
        (ErrorClass::ExecutionFailed, false, "failed", json!(["made-1"])),
        (ErrorClass::RateLimited, false, "failed", json!(["made-1", "made-2"])),
        (ErrorClass::RateLimited, true, "succeeded", json!(["made-1", "made-2"])),
    ] {
        let tool = Arc::new(MakesAndFails { runs: AtomicU64::new(0), class, then_works });
        let mut definition = reader("make");
        definition.execution.supports_retries = Some(true);
        let desk = Desk::new(vec![(definition, tool as _)], |builder| builder);
        let result = as_value(&desk.call("make", json!({"path": "a"})).await);
        let ids = |record: &Value| -> Value {
            let refs = record["artifact_refs"].as_array().unwrap().iter();
            refs.map(|artifact| artifact["artifact_id"].clone()).collect()
        };
        assert_eq!((result["status"].as_str().unwrap(), ids(&result)), (status, expected.clone()));
        assert_eq!(ids(&invocation(&desk).await), expected);
    }
}
