//! What was allowed is what runs.

use std::sync::{Arc, atomic::Ordering};

use assent_ids::InvocationId;
use assent_policy::{Grant, GrantEffect, GrantSpec, GrantTool};
use serde_json::json;

use crate::desk::{Desk, Echo, Yes, allow_all, class, request, rules, writer};

#[tokio::test(start_paused = true)]
async fn a_thousand_uses_of_one_approval_run_once() {
    let tool = Arc::new(Echo::default());
    let person = Yes::allow();
    let desk = Desk::new(vec![(writer("write"), Arc::clone(&tool) as _)], |builder| {
        builder.approver(Arc::clone(&person) as _)
    });
    let invocation: InvocationId = "inv_01ARZ3NDEKTSV4RRFFQ69G5FAV".parse().unwrap();
    let mut calls = tokio::task::JoinSet::new();
    for _ in 0..1000 {
        let runtime = desk.runtime.clone();
        calls.spawn(async move {
            let mut request = request("write", json!({"path": "a"}));
            request.invocation = Some(invocation);
            runtime.call(request).await
        });
    }
    while let Some(result) = calls.join_next().await {
        assert_eq!(result.unwrap().status.as_str(), "succeeded");
    }
    assert_eq!(tool.runs.load(Ordering::SeqCst), 1);
    assert_eq!(person.asked.lock().unwrap().len(), 1);
}

#[tokio::test(start_paused = true)]
async fn a_grant_for_a_hundred_calls_lets_exactly_a_hundred_of_a_thousand_run() {
    let tool = Arc::new(Echo::default());
    let desk = Desk::new(vec![(writer("write"), Arc::clone(&tool) as _)], |builder| {
        builder.approver(Yes::new(Some(assent_runtime::Answer::Unavailable)))
    });
    let mut spec = GrantSpec::new(
        "budget".parse().unwrap(),
        GrantEffect::Allow,
        GrantTool::Id("files:write".to_owned()),
    );
    spec.uses = Some(100);
    desk.runtime.grant(Grant::load(spec).unwrap());
    let mut calls = tokio::task::JoinSet::new();
    for number in 0..1000 {
        let runtime = desk.runtime.clone();
        calls.spawn(async move {
            runtime.call(request("write", json!({"path": number.to_string()}))).await
        });
    }
    let mut ran = 0;
    while let Some(result) = calls.join_next().await {
        ran += u64::from(result.unwrap().status.as_str() == "succeeded");
    }
    assert_eq!(ran, 100);
    assert_eq!(tool.runs.load(Ordering::SeqCst), 100);
}

/// Item 108.
#[tokio::test(start_paused = true)]
async fn rules_that_change_while_a_person_thinks_are_asked_again() {
    let tool = Arc::new(Echo::default());
    let desk = Desk::new(vec![(writer("write"), Arc::clone(&tool) as _)], |builder| {
        builder.approver(Arc::new(SlowYes))
    });
    let runtime = desk.runtime.clone();
    let waiting = {
        let runtime = desk.runtime.clone();
        tokio::spawn(async move { runtime.call(request("write", json!({"path": "a"}))).await })
    };
    tokio::time::sleep(std::time::Duration::from_secs(1)).await;
    runtime.set_policy(rules(json!([{"id": "no", "behavior": "deny", "tool": "write"}])));
    let result = waiting.await.unwrap();
    assert_eq!(class(&result).as_deref(), Some("policy_blocked"));
    assert_eq!(tool.runs.load(Ordering::SeqCst), 0);
}

/// Item 106.
#[tokio::test(start_paused = true)]
async fn a_tool_that_becomes_another_one_while_a_person_thinks_does_not_run() {
    let tool = Arc::new(Echo::default());
    let desk = Desk::new(vec![(writer("write"), Arc::clone(&tool) as _)], |builder| {
        builder.approver(Arc::new(SlowYes))
    });
    let waiting = {
        let runtime = desk.runtime.clone();
        tokio::spawn(async move { runtime.call(request("write", json!({"path": "a"}))).await })
    };
    tokio::time::sleep(std::time::Duration::from_secs(1)).await;
    let mut changed = writer("write");
    changed.declaration.description = "Does something else now.".to_owned();
    desk.runtime.change_catalog(|catalog| {
        catalog.register(changed, Arc::clone(&tool) as _).unwrap();
    });
    let result = waiting.await.unwrap();
    assert_eq!(class(&result).as_deref(), Some("policy_blocked"));
    assert_eq!(tool.runs.load(Ordering::SeqCst), 0);
}

/// Says yes after ten seconds.
struct SlowYes;

impl assent_runtime::Approver for SlowYes {
    fn ask<'a>(&'a self, _prompt: &'a assent_runtime::Prompt) -> assent_runtime::Answering<'a> {
        Box::pin(async move {
            tokio::time::sleep(std::time::Duration::from_secs(10)).await;
            let remember = assent_runtime::Remember::Once;
            assent_runtime::Answer::Allow { edit: None, feedback: None, remember }
        })
    }
}

#[tokio::test(start_paused = true)]
async fn a_revoked_grant_ends_at_the_next_check() {
    let desk = Desk::new(vec![(writer("write"), Arc::new(Echo::default()))], |builder| builder);
    let key: assent_policy::GrantKey = "once".parse().unwrap();
    let spec =
        GrantSpec::new(key.clone(), GrantEffect::Allow, GrantTool::Id("files:write".to_owned()));
    desk.runtime.grant(Grant::load(spec).unwrap());
    assert_eq!(desk.call("write", json!({"path": "a"})).await.status.as_str(), "succeeded");
    desk.runtime.revoke(&key);
    assert_eq!(desk.call("write", json!({"path": "a"})).await.status.as_str(), "denied");
    desk.runtime.set_policy(allow_all());
    assert_eq!(desk.call("write", json!({"path": "a"})).await.status.as_str(), "succeeded");
}
