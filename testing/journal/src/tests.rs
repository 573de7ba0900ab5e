//! An audit that could not fail would be worth nothing.

use std::{
    collections::BTreeMap,
    panic::{AssertUnwindSafe, catch_unwind},
};

use assent_journal::{
    Batch, Draft, Fact, Journal,
    conformance::sample::{allowed_call, catalog, denied_call, every_fact},
};
use assent_protocol::agent_tool::InvocationStatus;
use serde_json::json;

use crate::{Audited, schemas};

/// What a test fails with whose journal holds these facts; nothing if it passes.
fn failure(mut drafts: Vec<Draft>) -> Option<String> {
    // Renumbered, so that only their contents can be wrong.
    let mut steps = BTreeMap::new();
    for draft in &mut drafts {
        let step = steps.entry(draft.invocation).or_default();
        draft.step = *step;
        *step += 1;
    }
    let journal = Audited::journal();
    drop(journal.append(Batch { drafts, ..Batch::default() }));
    let dropped = catch_unwind(AssertUnwindSafe(|| drop(journal)));
    dropped.err().map(|cause| cause.downcast_ref::<String>().unwrap().clone())
}

#[test]
fn what_a_runtime_writes_passes() {
    let mut drafts = catalog();
    drafts.extend(every_fact(100));
    drafts.extend(allowed_call(200));
    drafts.extend(denied_call(300));
    assert_eq!(failure(drafts), None);
}

#[test]
fn a_step_that_the_state_machine_does_not_have_fails_the_test() {
    let mut drafts = allowed_call(1);
    let runs = |draft: &&mut Draft| draft.fact == Fact::Moved(InvocationStatus::Running);
    drafts.iter_mut().find(runs).unwrap().fact = Fact::Moved(InvocationStatus::AwaitingApproval);
    assert!(failure(drafts).unwrap().contains("it goes from"));
}

#[test]
fn a_second_result_fails_the_test() {
    let mut drafts = allowed_call(1);
    let place = drafts.iter().position(|draft| matches!(draft.fact, Fact::Resulted(_))).unwrap();
    drafts.insert(place, drafts[place].clone());
    assert!(failure(drafts).unwrap().contains("and 2 results"));
}

#[test]
fn an_end_without_a_result_fails_the_test() {
    let mut drafts = allowed_call(1);
    drafts.retain(|draft| !matches!(draft.fact, Fact::Resulted(_)));
    assert!(failure(drafts).unwrap().contains("has 1 ends and 0 results"));
}

#[test]
fn a_record_that_does_not_fit_its_published_schema_is_found() {
    let line = json!({"seq": 7, "record": "tool_progress", "data": {"schema_version": "0.2.0"}});
    assert!(schemas::problem(&line).unwrap().starts_with("entry 7: no tool_progress: "));
}
