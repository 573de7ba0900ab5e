//! An approval is for one exact call: whatever is changed between the yes and the start, it does not run.

use std::sync::{Arc, atomic::Ordering};

use assent_journal::{Batch, Entry, Fact, Journal, SavedState};
use assent_json::Json;
use assent_runtime::{Call, Execution, Executor};
use assent_test_journal::Audited;
use serde_json::{Value, json};

use crate::{
    definitions::with,
    desk::{Desk, Echo, Yes, allow_all, catalog, class, request, starting_through, writer},
    disk::Disk,
};

/// Touches more than its arguments say.
struct Wide(Arc<Echo>);

impl Executor for Wide {
    fn execute<'a>(&'a self, call: &'a Call) -> Execution<'a> {
        self.0.execute(call)
    }

    fn environment(&self, _input: &Json) -> Option<Json> {
        Json::from_value(&json!({"executable": "/bin/tool"})).ok()
    }
}

fn tool(echo: &Arc<Echo>) -> (assent_runtime::ToolDefinition, Arc<dyn Executor>) {
    let definition = with("files", "write", |tool| {
        tool.permission.tenant_scope = Some("home".to_owned());
        tool.permission.data_sensitivity = Some("personal".to_owned());
    });
    (definition, Arc::new(Wide(Arc::clone(echo))))
}

/// What is left of a call that a person has allowed and that has not started.
async fn approved() -> (Vec<Arc<Entry>>, SavedState) {
    let journal = Audited::journal();
    let down = Disk::that_goes_down(&journal);
    let runtime = starting_through(down, 7)
        .catalog(catalog(vec![tool(&Arc::default())]))
        .approver(Yes::allow())
        .device("phone")
        .build()
        .unwrap();
    let mut asked = request("write", json!({"path": "a"}));
    asked.actor = Some("agent".into());
    asked.session = Some("session".into());
    tokio::spawn(async move { runtime.call(asked).await });
    for _ in 0..100 {
        tokio::task::yield_now().await;
    }
    let held = journal.saved_states().await.unwrap();
    let [held] = held.as_slice() else { panic!("one call is on its way") };
    (journal.entries(), held.clone())
}

/// A runtime on a new machine, with the old journal and what was held.
async fn taken_up(entries: &[Arc<Entry>], held: SavedState, echo: &Arc<Echo>) -> Desk {
    let journal = Audited::journal();
    for entry in entries {
        let drafts = vec![entry.draft.clone()];
        journal.append(Batch { drafts, ..Batch::default() }).await.unwrap();
    }
    journal.append(Batch { save: Some(held), ..Batch::default() }).await.unwrap();
    Desk::on(journal, vec![tool(echo)], |builder| builder.approver(Yes::new(None)).device("phone"))
}

/// Another value of the same kind.
fn another(field: &str, value: &Value) -> Value {
    match value {
        Value::Number(number) => json!(number.as_u64().unwrap() + 1),
        Value::String(text) if text.len() == 64 || text.contains(':') && field != "tool" => {
            json!(text.replace(['0', '1', 'f'], "2"))
        }
        Value::String(text) => json!(text.replace(['A', 'a', 'e', '0', '1'], "b")),
        _ => panic!("{field} is neither a number nor a text"),
    }
}

async fn outcome(
    entries: &[Arc<Entry>],
    state: &Value,
    held: &SavedState,
) -> (Option<String>, u64) {
    let echo = Arc::new(Echo::default());
    let held = SavedState {
        invocation: held.invocation,
        bytes: serde_json::to_vec(state).unwrap().into(),
    };
    let desk = taken_up(entries, held, &echo).await;
    let results = desk.runtime.resume().await.unwrap().all().await;
    let [(_, result)] = results.as_slice() else { panic!("one call was taken up") };
    (class(result), echo.runs.load(Ordering::SeqCst))
}

#[tokio::test(start_paused = true)]
async fn a_change_of_any_bound_field_between_yes_and_start_prevents_the_call() {
    let (entries, held) = approved().await;
    let state: Value = serde_json::from_slice(&held.bytes).unwrap();
    assert_eq!(outcome(&entries, &state, &held).await, (None, 1), "unchanged, it runs");

    let bound = state["approved"].as_object().unwrap().clone();
    assert_eq!(bound.len(), 13, "every field is there to be changed: {bound:?}");
    for (field, value) in &bound {
        let mut changed = state.clone();
        changed["approved"][field] = another(field, value);
        assert_ne!(changed, state, "{field}");
        let (class, runs) = outcome(&entries, &changed, &held).await;
        assert_eq!(runs, 0, "it ran although the {field} was changed");
        assert!(class.is_some(), "{field}");
    }
}

#[tokio::test(start_paused = true)]
async fn a_change_of_the_input_that_was_approved_prevents_the_call() {
    let (entries, held) = approved().await;
    let state: Value = serde_json::from_slice(&held.bytes).unwrap();
    let mut changed = state.clone();
    changed["call"]["path"] = json!("b");
    let (class, runs) = outcome(&entries, &changed, &held).await;
    assert_eq!((class.as_deref(), runs), (Some("policy_blocked"), 0));
}

/// The same entry, unless it is a question.
fn without_question(entry: &Arc<Entry>) -> Arc<Entry> {
    let mut entry = Entry::clone(entry);
    if matches!(entry.draft.fact, Fact::Asked(_)) {
        entry.draft.fact = Fact::NeedsInput { prompt: "something else".to_owned() };
    }
    Arc::new(entry)
}

#[tokio::test(start_paused = true)]
async fn an_approval_that_is_not_in_the_journal_is_none() {
    let (entries, held) = approved().await;
    let state: Value = serde_json::from_slice(&held.bytes).unwrap();
    let unasked: Vec<_> = entries.iter().map(without_question).collect();
    assert_ne!(unasked, entries);
    let (class, runs) = outcome(&unasked, &state, &held).await;
    assert_eq!((class.as_deref(), runs), (Some("policy_blocked"), 0));
}

#[tokio::test(start_paused = true)]
async fn a_held_state_that_cannot_be_read_runs_nothing() {
    let (entries, held) = approved().await;
    for state in [json!(null), json!({}), json!({"approved": true})] {
        let (class, runs) = outcome(&entries, &state, &held).await;
        assert!(class.is_some() && runs == 0);
    }
}

/// Keeps the environments that its calls came with.
#[derive(Default)]
struct Recording(std::sync::Mutex<Vec<Option<Value>>>);

impl Executor for Recording {
    fn execute<'a>(&'a self, call: &'a Call) -> Execution<'a> {
        let environment = call.environment.as_ref().map(Json::to_value);
        self.0.lock().unwrap().push(environment);
        Box::pin(async { Ok(assent_runtime::Output::default()) })
    }

    fn environment(&self, _input: &Json) -> Option<Json> {
        Json::from_value(&json!({"file": "1:2"})).ok()
    }
}

#[tokio::test(start_paused = true)]
async fn an_executor_gets_the_environment_that_a_person_approved() {
    let executor = Arc::new(Recording::default());
    let asked = Desk::new(vec![(writer("write"), Arc::clone(&executor) as _)], |builder| {
        builder.approver(Yes::allow())
    });
    asked.call("write", json!({"path": "a"})).await;
    let allowed = Desk::new(vec![(writer("write"), Arc::clone(&executor) as _)], |builder| {
        builder.policy(allow_all())
    });
    allowed.call("write", json!({"path": "a"})).await;
    assert_eq!(*executor.0.lock().unwrap(), [Some(json!({"file": "1:2"})), None]);
}
