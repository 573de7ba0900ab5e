//! Progress: reported immediately, in order, and readable again later.

use std::{pin::Pin, sync::Arc, time::Duration};

use assent_ids::InvocationId;
use assent_journal::{Fact, Journal, Seq};
use assent_json::Json;
use assent_runtime::{Call, Execution, Executor, InputProvider, Output, Progress};
use serde_json::{Value, json};

use crate::{
    actors::{Does, Stubborn},
    definitions::contract,
    desk::{Desk, allow_all, reader, request, writer},
    story::of_kind,
};

/// Reports four times, then is done.
fn reporting() -> Arc<Does> {
    Arc::new(Does(|call| {
        Box::pin(async move {
            for (step, percent) in (1..).zip([Some(0.0), Some(100.0), Some(100.5), None]) {
                tokio::time::sleep(Duration::from_millis(100)).await;
                call.progress(Progress {
                    message: Some(format!("step {step}")),
                    percent,
                    current_step: Some("build".to_owned()),
                    total_steps: Some(4),
                    bytes_read: Some(step * 10),
                    bytes_written: Some(step),
                    line_count: Some(step * 2),
                    extra: [
                        ("stdout_bytes".to_owned(), json!(step * 10)),
                        ("stderr_bytes".to_owned(), json!(step)),
                        ("timeout_ms".to_owned(), json!(5_000)),
                        ("background_task_id".to_owned(), json!("job-7")),
                    ]
                    .into_iter()
                    // Known when it is over, and not before.
                    .chain((step == 4).then(|| ("exit_code".to_owned(), json!(0))))
                    .collect(),
                });
            }
            Ok(Output::default())
        })
    }))
}

/// Items 130, 131, 133-135: progress is reported as it happens, numbered, within its bounds, and with what a
/// shell has to say besides.
#[tokio::test(start_paused = true)]
async fn progress_is_reported_as_it_happens() {
    let desk = Desk::new(vec![(reader("build"), reporting())], |builder| builder);
    let running = {
        let runtime = desk.runtime.clone();
        tokio::spawn(async move { runtime.call(request("build", json!({"path": "a"}))).await })
    };
    tokio::time::sleep(Duration::from_millis(250)).await;
    assert_eq!(of_kind(&desk, "tool_progress").await.len(), 2, "reported while the tool runs");
    running.await.unwrap();
    let reports = of_kind(&desk, "tool_progress").await;
    let of_all = |field: &str| -> Vec<Value> {
        reports.iter().map(|report| report.get(field).cloned().unwrap_or_default()).collect()
    };
    assert_eq!(of_all("sequence"), [1, 2, 3, 4]);
    assert_eq!(of_all("percent"), [json!(0), json!(100), json!(null), json!(null)]);
    assert_eq!(of_all("elapsed_ms")[..3], [100, 200, 300]);
    assert_eq!(of_all("status"), vec!["running"; 4]);
    assert_eq!(of_all("stdout_bytes"), [10, 20, 30, 40]);
    assert_eq!(of_all("line_count"), [2, 4, 6, 8]);
    assert_eq!(of_all("stderr_bytes"), [1, 2, 3, 4]);
    assert_eq!(of_all("timeout_ms"), vec![5_000; 4]);
    assert_eq!(of_all("background_task_id"), vec!["job-7"; 4]);
    assert_eq!(of_all("exit_code"), [json!(null), json!(null), json!(null), json!(0)]);
    for field in ["progress_id", "invocation_id", "timestamp", "message", "current_step"] {
        assert!(of_all(field).iter().all(Value::is_string), "{field}");
    }
}

/// Item 130: of a tool that says nothing for long, the runtime itself reports that it waits and that it runs.
#[tokio::test(start_paused = true)]
async fn a_silent_tool_is_seen_to_wait_and_to_run() {
    let silent = || Arc::new(Stubborn(Duration::from_secs(60)));
    let desk =
        Desk::new(vec![(writer("build"), silent()), (writer("test"), silent())], |builder| {
            builder.policy(allow_all())
        });
    let requests = ["build", "test"].map(|tool| request(tool, json!({"path": "a"})));
    let batch = desk.runtime.batch(requests.to_vec(), None).unwrap();
    let [first, second] = batch.invocations.as_slice() else { panic!("two calls") };
    let (first, second) = (first.to_string(), second.to_string());
    let told = async |call: &str| -> Vec<String> {
        let events = of_kind(&desk, "tool_event").await.into_iter();
        events
            .filter(|event| event["invocation_id"] == call)
            .map(|event| event["event_type"].as_str().unwrap().to_owned())
            .filter(|event| event.ends_with(".queued") || event.ends_with(".started"))
            .collect()
    };
    tokio::time::sleep(Duration::from_secs(1)).await;
    assert_eq!(told(&first).await, ["tool.invocation.queued", "tool.invocation.started"]);
    assert_eq!(told(&second).await, ["tool.invocation.queued"]);
    tokio::time::sleep(Duration::from_secs(60)).await;
    assert_eq!(told(&second).await, ["tool.invocation.queued", "tool.invocation.started"]);
}

/// Item 132: a reader that resumes from a sequence number gets the same entries as one that stayed.
#[tokio::test(start_paused = true)]
async fn progress_can_be_read_again_from_any_place() {
    let desk = Desk::new(vec![(reader("build"), reporting())], |builder| builder);
    desk.call("build", json!({"path": "a"})).await;
    let all = desk.entries().await;
    for (at, entry) in all.iter().enumerate() {
        let mut again = desk.journal.subscribe(entry.seq);
        for expected in &all[at..] {
            assert_eq!(again.next().await.unwrap().unwrap(), *expected);
        }
    }
    let sequences: Vec<u64> = all
        .iter()
        .filter_map(|entry| match &entry.draft.fact {
            Fact::Progressed(progress) => Some(progress.sequence.0),
            _ => None,
        })
        .collect();
    assert_eq!(sequences, [1, 2, 3, 4]);
    assert_eq!(desk.journal.read(Seq(1), usize::MAX).await.unwrap(), all);
}

/// A tool that reports very often does not fill the journal: the last report is recorded in any case.
#[tokio::test(start_paused = true)]
async fn the_number_of_progress_records_is_bounded() {
    for (reports, recorded) in [(1_000_u64, 1_000), (1_001, 1_001), (50_000, 1_001)] {
        let tool = Arc::new(Reports(reports));
        let desk = Desk::new(vec![(reader("build"), tool)], |builder| builder);
        desk.call("build", json!({"path": "a"})).await;
        let records = of_kind(&desk, "tool_progress").await;
        assert_eq!(records.len(), recorded);
        let last = records.last().unwrap();
        assert_eq!((&last["line_count"], &last["sequence"]), (&json!(reports), &json!(recorded)));
    }
}

/// Reports this often, one line after the other.
struct Reports(u64);

impl Executor for Reports {
    fn execute<'a>(&'a self, call: &'a Call) -> Execution<'a> {
        Box::pin(async move {
            for line in 1..=self.0 {
                call.progress(Progress { line_count: Some(line), ..Progress::default() });
            }
            Ok(Output::default())
        })
    }
}

/// The question of a tool is in the standard's records, without sensitive values.
#[tokio::test(start_paused = true)]
async fn a_question_of_a_tool_is_recorded_as_progress() {
    let asks = Arc::new(Does(|call| {
        Box::pin(async move {
            call.ask("which branch of hunter2?").await;
            Ok(Output::default())
        })
    }));
    let mut definition = reader("build");
    contract(&mut definition).sensitive_fields = Some(vec!["/path".to_owned()]);
    let desk = Desk::new(vec![(definition, asks)], |builder| builder.inputs(Arc::new(Answers)));
    desk.call("build", json!({"path": "hunter2"})).await;
    let records = of_kind(&desk, "tool_progress").await;
    assert_eq!(records.len(), 1);
    assert_eq!(records[0]["status"], "waiting_for_input");
    assert_eq!(records[0]["message"], "which branch of [redacted]?");
}

/// Answers every question.
struct Answers;

impl InputProvider for Answers {
    fn answer<'a>(
        &'a self,
        _: InvocationId,
        _: &'a str,
        _: &'a str,
    ) -> Pin<Box<dyn Future<Output = Option<Json>> + Send + 'a>> {
        Box::pin(std::future::ready(Some(Json::null())))
    }
}
