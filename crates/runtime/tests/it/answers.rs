//! What the answer of a person covers, what is recorded of it, and what cannot be read out of that.

use std::{sync::Arc, time::Duration};

use assent_ids::{InvocationId, UnixMillis, deterministic::ManualClock};
use assent_journal::export;
use assent_json::Digest;
use assent_protocol::agent_tool::MutationRule;
use assent_runtime::{Answer, Remember, Runtime, ToolDefinition, catalog::RedactionKey};
use assent_test_journal::Audited;
use serde_json::json;

use crate::{
    actors::{Person, changeable, says},
    definitions::{contract, with},
    desk::{Desk, Yes, catalog, json_of, request, rules, starting, writer},
    story::of_kind,
};

/// A tool whose arguments people may change.
fn editable() -> ToolDefinition {
    let mut definition = writer("write");
    changeable(&mut definition, MutationRule::Allow);
    definition
}

/// Who changes the arguments and wants that remembered has agreed to what they wrote, and to nothing else.
#[tokio::test(start_paused = true)]
async fn a_remembered_edit_covers_what_was_written_and_not_what_was_asked() {
    let person = Person::new(|_| Answer::Allow {
        edit: Some(json_of(json!({"path": "/tmp/x"}))),
        feedback: None,
        remember: Remember::Session,
    });
    let asked = Arc::clone(&person);
    let desk = Desk::new(vec![(editable(), says("fine"))], |builder| builder.approver(asked));
    desk.call("write", json!({"path": "/etc/x"})).await;
    assert_eq!(person.questions(), 1);
    desk.call("write", json!({"path": "/tmp/x"})).await;
    assert_eq!(person.questions(), 1, "that was agreed to");
    desk.call("write", json!({"path": "/etc/x"})).await;
    assert_eq!(person.questions(), 2, "nobody has agreed to that");
}

/// What a person changed is judged again, and what comes of that is a decision with its rule.
#[tokio::test(start_paused = true)]
async fn an_edit_that_a_rule_denies_leaves_a_decision_that_names_the_rule() {
    let person = Person::new(|_| Answer::Allow {
        edit: Some(json_of(json!({"path": "secret"}))),
        feedback: None,
        remember: Remember::Once,
    });
    let denies = json!([{"id": "no-secrets", "behavior": "deny",
        "arguments": [{"path": "/path", "equals": "secret"}]}]);
    let desk = Desk::new(vec![(editable(), says("fine"))], |builder| {
        builder.approver(person).policy(rules(denies))
    });
    let result = desk.call("write", json!({"path": "a"})).await;
    assert_eq!(result.status.as_str(), "denied");
    let decisions = of_kind(&desk, "tool_permission_decision").await;
    let behaviors: Vec<_> = decisions.iter().map(|decision| &decision["behavior"]).collect();
    assert_eq!(behaviors, ["ask", "deny"]);
    assert!(decisions[1].to_string().contains("no-secrets"), "{}", decisions[1]);
}

/// Takes a PIN.
fn pay() -> ToolDefinition {
    let mut pay = with("bank", "pay", |_| {});
    contract(&mut pay).model_input_schema =
        Some(json!({"type": "object", "properties": {"pin": {"type": "string"}}}));
    contract(&mut pay).sensitive_fields = Some(vec!["/pin".to_owned()]);
    pay
}

/// Four digits have ten thousand digests, so no digest of them may be computed without a secret.
#[tokio::test(start_paused = true)]
async fn what_was_approved_cannot_be_guessed_from_its_digests() {
    let person = Yes::allow();
    let asked = Arc::clone(&person);
    let desk = Desk::new(vec![(pay(), says("paid"))], |builder| builder.approver(asked as _));
    let result = desk.call("pay", json!({"pin": "7421"})).await;
    assert_eq!(result.status.as_str(), "succeeded");
    let arguments = json_of(json!({"pin": "7421"})).digest();
    let seen = person.asked.lock().unwrap()[0].view.lines.clone();
    let mut view = Vec::new();
    for line in seen {
        view.extend_from_slice(format!("{}\0{}\0", line.path, line.text).as_bytes());
    }
    view.extend_from_slice(arguments.as_bytes());
    let mut facts = Vec::new();
    export(&*desk.journal, &mut facts).await.unwrap();
    let facts = String::from_utf8(facts).unwrap();
    assert!(facts.contains("redacted:sha256:"), "the call is on record");
    for guess in [arguments, Digest::of(&view)] {
        assert!(!facts.contains(&guess.to_string()), "{guess}");
    }
}

/// A runtime on a journal, with a key and ids of its own.
fn started(journal: &Audited, key: u8, number: u64, person: Arc<Yes>) -> Runtime {
    starting(journal, number)
        .redaction_key(RedactionKey::new([key; 32]))
        .catalog(catalog(vec![(pay(), says("paid"))]))
        .approver(person)
        .build()
        .unwrap()
}

/// A question that is open when the process ends is answered after the next start, if the installation has kept its key.
#[tokio::test(start_paused = true)]
async fn a_question_about_a_secret_outlives_the_process_with_its_key() {
    for (key, ends) in [(1, "succeeded"), (2, "denied")] {
        let journal = Audited::journal();
        let before = started(&journal, 1, 1, Yes::new(None));
        let waiting =
            tokio::spawn(async move { before.call(request("pay", json!({"pin": "7421"}))).await });
        tokio::time::sleep(Duration::from_secs(1)).await;
        let after = started(&journal, key, 2, Yes::allow());
        let results = after.resume().await.unwrap().all().await;
        let statuses: Vec<_> = results.iter().map(|(_, result)| result.status.as_str()).collect();
        assert_eq!(statuses, [ends]);
        waiting.abort();
    }
}

/// Without a key of its own, a runtime uses the one that its journal keeps.
#[tokio::test(start_paused = true)]
async fn an_approved_secret_runs_after_a_restart_without_a_configured_key() {
    let journal = Audited::journal();
    let start = |number, person| {
        let tools = catalog(vec![(pay(), says("paid"))]);
        starting(&journal, number).catalog(tools).approver(person).build().unwrap()
    };
    let before = start(1, Yes::new(None));
    let waiting =
        tokio::spawn(async move { before.call(request("pay", json!({"pin": "7421"}))).await });
    tokio::time::sleep(Duration::from_secs(1)).await;
    let results = start(2, Yes::allow()).resume().await.unwrap().all().await;
    let statuses: Vec<_> = results.iter().map(|(_, result)| result.status.as_str()).collect();
    assert_eq!(statuses, ["succeeded"]);
    waiting.abort();
}

/// A request to stop has the time at which it was made, not the time of what the call last recorded.
#[tokio::test(start_paused = true)]
async fn a_request_to_stop_while_a_person_is_asked_has_its_own_time() {
    let clock = Arc::new(ManualClock::starting_at(UnixMillis::new(1_700_000_000_000)));
    let (time, nobody) = (Arc::clone(&clock), Yes::new(None));
    let desk = Desk::new(vec![(editable(), says("fine"))], |builder| {
        builder.clock(time).approver(nobody as _)
    });
    let invocation: InvocationId = "inv_01ARZ3NDEKTSV4RRFFQ69G5FAV".parse().unwrap();
    let mut call = request("write", json!({"path": "a"}));
    call.invocation = Some(invocation);
    let running = {
        let runtime = desk.runtime.clone();
        tokio::spawn(async move { runtime.call(call).await })
    };
    tokio::time::sleep(Duration::from_secs(1)).await;
    clock.advance(Duration::from_secs(5));
    assert!(desk.runtime.cancel(invocation));
    assert_eq!(running.await.unwrap().status.as_str(), "synthetic_error");
    let wanted = of_kind(&desk, "tool_event")
        .await
        .into_iter()
        .find(|event| event["event_type"] == "tool.invocation.cancel_requested");
    assert_eq!(wanted.unwrap()["time"], "2023-11-14T22:13:25.000Z");
}
