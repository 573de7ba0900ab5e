//! Calls that go all the way, one per way in which they can end.

use std::{sync::Arc, time::Duration};

use assent_policy::Mode;
use assent_runtime::{Answer, Remember, Stage};
use assent_test_journal::Audited;
use serde_json::json;

use crate::{
    definitions::contract,
    desk::{
        Desk, Echo, Yes, allow_all, catalog, class, json_of, reader, request, rules,
        starting_through, writer,
    },
    disk::Disk,
};

fn echo() -> Arc<Echo> {
    Arc::new(Echo::default())
}

/// Item 107.
#[test]
fn the_stages_stand_in_the_order_of_the_standard() {
    let names: Vec<_> = Stage::ALL.iter().map(|stage| stage.as_str()).collect();
    assert_eq!(
        names,
        [
            "resolve_tool",
            "check_deferral",
            "parse_schema",
            "validate_values",
            "prepare_observable_input",
            "pre_hooks",
            "permission",
            "schedule",
            "execute",
            "map_result",
            "post_hooks",
            "persist_result",
            "emit_terminal",
        ]
    );
}

#[tokio::test(start_paused = true)]
async fn a_tool_that_reads_only_runs_without_a_rule() {
    let desk = Desk::new(vec![(reader("read"), echo())], |builder| builder);
    let result = desk.call("read", json!({"path": "a"})).await;
    assert_eq!(result.status.as_str(), "succeeded");
    assert_eq!(result.structured_content, Some(json!({"path": "a"})));
}

/// Item 104.
#[tokio::test(start_paused = true)]
async fn a_call_of_an_unknown_tool_ends_in_a_result() {
    let desk = Desk::new(vec![(reader("read"), echo())], |builder| builder);
    let result = desk.call("raed", json!({"path": "a"})).await;
    assert_eq!(class(&result).as_deref(), Some("unknown_tool"));
    assert_eq!(result.is_error, Some(true));
}

/// Item 110.
#[tokio::test(start_paused = true)]
async fn arguments_that_do_not_fit_end_before_anything_looks_at_them() {
    let tool = echo();
    let person = Yes::allow();
    let desk = Desk::new(vec![(writer("write"), Arc::clone(&tool) as _)], |builder| {
        builder.approver(Arc::clone(&person) as _)
    });
    let result = desk.call("write", json!({"path": 7})).await;
    assert_eq!(class(&result).as_deref(), Some("schema_validation_failed"));
    assert_eq!(tool.runs.load(std::sync::atomic::Ordering::SeqCst), 0);
    assert!(person.asked.lock().unwrap().is_empty());
}

#[tokio::test(start_paused = true)]
async fn a_text_that_is_no_json_ends_in_a_result_and_is_kept() {
    let desk = Desk::new(vec![(reader("read"), echo())], |builder| builder);
    let input = assent_runtime::ModelInput::from_text("{\"path\": ");
    let result = desk.runtime.call(assent_runtime::Request::new("read", input)).await;
    assert_eq!(class(&result).as_deref(), Some("schema_validation_failed"));
}

/// Item 81.
#[tokio::test(start_paused = true)]
async fn what_is_denied_never_reaches_the_executor() {
    let tool = echo();
    let desk = Desk::new(vec![(writer("write"), Arc::clone(&tool) as _)], |builder| {
        builder.policy(rules(json!([
            {"id": "all", "behavior": "allow"},
            {"id": "no", "behavior": "deny", "tool": "write"}
        ])))
    });
    let result = desk.call("write", json!({"path": "a"})).await;
    assert_eq!(class(&result).as_deref(), Some("permission_denied"));
    assert_eq!(result.status.as_str(), "denied");
    assert_eq!(tool.runs.load(std::sync::atomic::Ordering::SeqCst), 0);
}

/// Item 80.
#[tokio::test(start_paused = true)]
async fn a_call_that_no_rule_decides_is_asked_and_runs_after_a_yes() {
    let person = Yes::allow();
    let desk = Desk::new(vec![(writer("write"), echo())], |builder| {
        builder.approver(Arc::clone(&person) as _)
    });
    let result = desk.call("write", json!({"path": "a"})).await;
    assert_eq!(result.status.as_str(), "succeeded");
    let asked = person.asked.lock().unwrap().clone();
    assert_eq!(asked.len(), 1);
    assert_eq!(asked[0].view.lines[1].path, "/path");
    assert_eq!(asked[0].view.lines[1].text, "\"a\"");
}

/// Item 142.
#[tokio::test(start_paused = true)]
async fn a_no_of_a_person_is_a_rejected_result() {
    let no = Answer::Deny { feedback: Some("not now".to_owned()), remember: Remember::Once };
    let desk =
        Desk::new(vec![(writer("write"), echo())], |builder| builder.approver(Yes::new(Some(no))));
    let result = desk.call("write", json!({"path": "a"})).await;
    assert_eq!(result.status.as_str(), "rejected");
    assert_eq!(class(&result).as_deref(), Some("approval_rejected"));
}

#[tokio::test(start_paused = true)]
async fn an_unanswered_question_ends_as_timed_out() {
    let desk = Desk::new(vec![(writer("write"), echo())], |builder| {
        builder.approver(Yes::new(None)).approval_timeout(Duration::from_secs(3))
    });
    let result = desk.call("write", json!({"path": "a"})).await;
    assert_eq!(result.status.as_str(), "timed_out");
}

#[tokio::test(start_paused = true)]
async fn a_headless_runtime_denies_what_would_be_asked() {
    let desk = Desk::new(vec![(writer("write"), echo())], |builder| {
        builder.mode(Mode::Headless).approver(Yes::allow())
    });
    let result = desk.call("write", json!({"path": "a"})).await;
    assert_eq!(result.status.as_str(), "denied");
}

#[tokio::test(start_paused = true)]
async fn a_remembered_answer_spares_the_same_question_and_only_that() {
    let yes = Answer::Allow { edit: None, feedback: None, remember: Remember::Session };
    let person = Yes::new(Some(yes));
    let desk = Desk::new(vec![(writer("write"), echo())], |builder| {
        builder.approver(Arc::clone(&person) as _)
    });
    for path in ["a", "a", "b"] {
        let result = desk.call("write", json!({"path": path})).await;
        assert_eq!(result.status.as_str(), "succeeded");
    }
    assert_eq!(person.asked.lock().unwrap().len(), 2);
}

/// Item 82.
#[tokio::test(start_paused = true)]
async fn an_edit_reaches_the_executor_and_leaves_a_mutation() {
    let edit = Some(json_of(json!({"path": "safe"})));
    let yes = Answer::Allow { edit, feedback: None, remember: Remember::Once };
    let desk =
        Desk::new(vec![(writer("write"), echo())], |builder| builder.approver(Yes::new(Some(yes))));
    // The standard leaves the default to us: only internal fields may be changed.
    let result = desk.call("write", json!({"path": "a"})).await;
    assert_eq!(class(&result).as_deref(), Some("input_mutation_failed"));

    let edit = Some(json_of(json!({"path": "safe"})));
    let yes = Answer::Allow { edit, feedback: None, remember: Remember::Once };
    let mut definition = writer("write");
    let policy = assent_protocol::agent_tool::MutationPolicy {
        prompts: Some(assent_protocol::agent_tool::MutationRule::Allow),
        ..Default::default()
    };
    contract(&mut definition).mutation_policy = Some(assent_protocol::wire::Loose::Typed(policy));
    let desk =
        Desk::new(vec![(definition, echo())], |builder| builder.approver(Yes::new(Some(yes))));
    let result = desk.call("write", json!({"path": "a"})).await;
    assert_eq!(result.structured_content, Some(json!({"path": "safe"})));
    assert!(result.input_mutations.is_some());
}

/// Item 128.
#[tokio::test(start_paused = true)]
async fn a_tool_that_takes_too_long_is_given_up() {
    let hanging = Arc::new(Echo { hangs: true, ..Echo::default() });
    let desk = Desk::new(vec![(reader("read"), hanging)], |builder| builder);
    let result = desk.call("read", json!({"path": "a"})).await;
    assert_eq!(result.status.as_str(), "timed_out");
}

/// Item 114.
#[tokio::test(start_paused = true)]
async fn a_sender_that_repeats_itself_gets_the_same_result_and_the_tool_runs_once() {
    let tool = echo();
    let desk = Desk::new(vec![(writer("write"), Arc::clone(&tool) as _)], |builder| {
        builder.policy(allow_all())
    });
    let mut request = request("write", json!({"path": "a"}));
    request.invocation = Some("inv_01ARZ3NDEKTSV4RRFFQ69G5FAV".parse().unwrap());
    let first = desk.runtime.call(request.clone()).await;
    let second = desk.runtime.call(request).await;
    assert_eq!(first, second);
    assert_eq!(tool.runs.load(std::sync::atomic::Ordering::SeqCst), 1);
}

#[tokio::test(start_paused = true)]
async fn a_sender_that_repeats_a_call_that_the_journal_has_forgotten_is_refused() {
    let tool = echo();
    let forgetful = Audited::forgetting(0);
    let desk = Desk::on(forgetful, vec![(writer("write"), Arc::clone(&tool) as _)], |builder| {
        builder.policy(allow_all())
    });
    let mut request = request("write", json!({"path": "a"}));
    request.invocation = Some("inv_01ARZ3NDEKTSV4RRFFQ69G5FAV".parse().unwrap());
    let first = desk.runtime.call(request.clone()).await;
    assert_eq!(first.status.as_str(), "succeeded");
    let again = desk.runtime.call(request.clone()).await;
    let error = again.error.as_ref().unwrap().typed().unwrap();
    assert_eq!(error.error_class.as_str(), "policy_blocked");
    assert_eq!(error.error_code.as_deref(), Some("call_forgotten"));
    assert_eq!(tool.runs.load(std::sync::atomic::Ordering::SeqCst), 1);
    request.invocation = Some("inv_01ARZ3NDEKTSV4RRFFQ69G5FAW".parse().unwrap());
    assert_eq!(desk.runtime.call(request).await.status.as_str(), "succeeded", "nobody had asked");
}

#[tokio::test(start_paused = true)]
async fn a_caller_that_goes_away_leaves_a_call_that_has_ended() {
    let hanging = Arc::new(Echo { hangs: true, ..Echo::default() });
    let desk = Desk::new(vec![(reader("read"), hanging)], |builder| builder);
    let waiting =
        tokio::time::timeout(Duration::from_secs(1), desk.call("read", json!({"path": "a"})));
    assert!(waiting.await.is_err());
    let entries = desk.entries().await;
    let ended =
        entries.iter().any(|entry| matches!(entry.draft.fact, assent_journal::Fact::Ended(_)));
    assert!(ended);
}

/// A tool that takes so long, and a call of it that its sender has named.
fn slow_and_named() -> (Arc<Echo>, Desk, assent_runtime::Request) {
    let slow = Arc::new(Echo { takes: Some(Duration::from_secs(5)), ..Echo::default() });
    let desk = Desk::new(vec![(reader("read"), Arc::clone(&slow) as _)], |builder| builder);
    let mut request = request("read", json!({"path": "a"}));
    request.invocation = Some("inv_01ARZ3NDEKTSV4RRFFQ69G5FAV".parse().unwrap());
    (slow, desk, request)
}

#[tokio::test(start_paused = true)]
async fn a_call_continues_as_long_as_a_caller_waits_for_it() {
    let (slow, desk, request) = slow_and_named();
    let impatient =
        tokio::time::timeout(Duration::from_secs(1), desk.runtime.call(request.clone()));
    let patient = async {
        tokio::task::yield_now().await;
        desk.runtime.call(request).await
    };
    let (first, second) = tokio::join!(impatient, patient);
    assert!(first.is_err(), "the first caller goes away");
    assert_eq!(second.status.as_str(), "succeeded");
    assert_eq!(slow.runs.load(std::sync::atomic::Ordering::SeqCst), 1);
}

#[tokio::test(start_paused = true)]
async fn a_call_without_waiting_callers_is_canceled_and_says_so_when_it_is_requested_again() {
    let (slow, desk, request) = slow_and_named();
    let impatient =
        tokio::time::timeout(Duration::from_secs(1), desk.runtime.call(request.clone()));
    assert!(impatient.await.is_err());
    // At once: what is written about its end may not be durable yet.
    let again = desk.runtime.call(request.clone()).await;
    let error = again.error.as_ref().unwrap().typed().unwrap();
    assert_eq!(error.error_code.as_deref(), Some("abandoned"));
    assert_eq!(desk.runtime.call(request).await, again);
    assert_eq!(slow.runs.load(std::sync::atomic::Ordering::SeqCst), 1);
}

#[tokio::test(start_paused = true)]
async fn a_batch_that_waits_for_a_call_of_another_caller_keeps_it_running() {
    let (slow, desk, request) = slow_and_named();
    let impatient =
        tokio::time::timeout(Duration::from_secs(1), desk.runtime.call(request.clone()));
    let batch = async {
        tokio::task::yield_now().await;
        desk.runtime.batch(vec![request], None).unwrap().next().await.unwrap().1
    };
    let (first, second) = tokio::join!(impatient, batch);
    assert!(first.is_err());
    assert_eq!(second.status.as_str(), "succeeded");
    assert_eq!(slow.runs.load(std::sync::atomic::Ordering::SeqCst), 1);
}

/// A request that is repeated immediately does not resume the call as if a crash had interrupted it.
#[tokio::test(start_paused = true)]
async fn a_repeated_request_for_an_abandoned_call_waits_until_its_end_is_durable() {
    let journal = Audited::journal();
    let disk = Disk::over(&journal);
    let slow = Arc::new(Echo { takes: Some(Duration::from_secs(5)), ..Echo::default() });
    let mut tool = reader("read");
    tool.execution.supports_resume = Some(true);
    let runtime = starting_through(Arc::clone(&disk) as _, 1)
        .catalog(catalog(vec![(tool, Arc::clone(&slow) as _)]))
        .build()
        .unwrap();
    let mut named = request("read", json!({"path": "a"}));
    named.invocation = Some("inv_01ARZ3NDEKTSV4RRFFQ69G5FAV".parse().unwrap());
    let impatient = tokio::time::timeout(Duration::from_secs(1), runtime.call(named.clone()));
    assert!(impatient.await.is_err());
    disk.lag();
    let again = tokio::spawn(async move { runtime.call(named).await });
    tokio::time::sleep(Duration::from_secs(60)).await;
    assert!(!again.is_finished(), "nobody can tell yet what came of it");
    disk.write().await;
    let again = again.await.unwrap();
    let error = again.error.as_ref().unwrap().typed().unwrap();
    assert_eq!(error.error_code.as_deref(), Some("abandoned"));
    assert_eq!(slow.runs.load(std::sync::atomic::Ordering::SeqCst), 1);
}
