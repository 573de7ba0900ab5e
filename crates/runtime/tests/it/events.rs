//! Events about calls and tools, and that they describe the whole history.

use std::{collections::BTreeSet, sync::Arc, time::Duration};

use assent_protocol::agent_tool::{ErrorClass, EventType, HookEvent, ToolLifecycle};
use assent_protocol::wire::Millis;
use assent_runtime::{Body, Call, Execution, Executor, HookEffects, Progress};
use serde_json::{Value, json};

use crate::{
    actors::{Person, Spy, Stubborn, Takes, fails, hook, hooks, output, says, yes},
    definitions::{contract, equipped, living},
    desk::{Desk, reader, request, writer},
    story::{events, explanation, of_kind},
};

/// Reports, hands over a part, and is done.
struct Chatty;

impl Executor for Chatty {
    fn execute<'a>(&'a self, call: &'a Call) -> Execution<'a> {
        Box::pin(async move {
            call.progress(Progress { percent: Some(50.0), ..Progress::default() });
            call.partial(assent_json::Json::read("[1]").unwrap());
            tokio::time::sleep(Duration::from_secs(1)).await;
            Ok(output(Body::Text("the word is hunter2".to_owned())))
        })
    }
}

/// Everything that can happen, with several tools.
async fn busy_desk() -> Desk {
    let mut chatty = writer("chatty");
    contract(&mut chatty).sensitive_fields = Some(vec!["/path".to_owned()]);
    let mut hasty = reader("hasty");
    hasty.execution.timeout_ms = Some(Millis(10));
    let mut stops = reader("stops");
    stops.execution.supports_cancel = Some(true);
    let later = living("later", ToolLifecycle::Deferred);
    let refusing = Spy { refuses: Some(("..", ErrorClass::InvalidArguments)), ..Spy::default() };
    let listening = [HookEvent::PreToolUse, HookEvent::PostToolUse]
        .map(|event| hook("listen", event, |_| Ok(HookEffects::default())));
    let tools: Vec<(_, Arc<dyn Executor>)> = vec![
        (chatty, Arc::new(Chatty)),
        (hasty, Arc::new(Stubborn(Duration::from_secs(1)))),
        (stops, Arc::new(Takes(Duration::from_secs(60)))),
        (reader("careful"), Arc::new(refusing)),
        (reader("fails"), fails(ErrorClass::ExecutionFailed)),
        (later, says("")),
    ];
    let desk = Desk::new(tools, |builder| {
        builder.hooks(hooks(listening)).approver(Person::new(|_| yes())).surface(equipped())
    });
    let batch =
        vec![request("chatty", json!({"path": "hunter2"})), request("fails", json!({"path": "a"}))];
    desk.runtime.batch(batch, None).unwrap().all().await;
    desk.call("hasty", json!({"path": "a"})).await;
    desk.call("careful", json!({"path": ".."})).await;
    desk.runtime.search("later", None);
    desk.runtime.search("select:later", None);
    let mut canceled =
        desk.runtime.batch(vec![request("stops", json!({"path": "a"}))], None).unwrap();
    tokio::time::sleep(Duration::from_secs(1)).await;
    desk.runtime.cancel(canceled.invocations[0]);
    canceled.all().await;
    desk
}

/// Items 170, 171: all 27 classes of events come out of a runtime that has something to do, each with
/// what an event must have.
#[tokio::test(start_paused = true)]
async fn all_classes_of_events_are_recorded() {
    let desk = busy_desk().await;
    let told = of_kind(&desk, "tool_event").await;
    let classes: BTreeSet<&str> =
        told.iter().map(|event| event["event_type"].as_str().unwrap()).collect();
    let listed = EventType::ALL.iter().filter(|class| !class.is_extension());
    let missing: Vec<_> = listed.filter(|class| !classes.contains(class.as_str())).collect();
    assert!(missing.is_empty(), "{missing:?}");
    for event in &told {
        for field in ["event_id", "event_type", "source", "time"] {
            assert!(event[field].as_str().is_some_and(|text| !text.is_empty()), "{field}");
        }
    }
    let ids: BTreeSet<&str> =
        told.iter().map(|event| event["event_id"].as_str().unwrap()).collect();
    assert_eq!(ids.len(), told.len());
}

/// Item 172: one call after the other: hooks, permission, the queue, progress, storage and the end.
#[tokio::test(start_paused = true)]
async fn the_events_of_a_call_tell_its_whole_way() {
    let listening = [HookEvent::PreToolUse, HookEvent::PostToolUse]
        .map(|event| hook("listen", event, |_| Ok(HookEffects::default())));
    let desk = Desk::new(vec![(writer("chatty"), Arc::new(Chatty))], |builder| {
        builder.hooks(hooks(listening)).approver(Person::new(|_| yes()))
    });
    desk.call("chatty", json!({"path": "a"})).await;
    assert_eq!(
        events(&desk).await,
        [
            "tool.invocation.planned",
            "tool.invocation.selected",
            "tool.invocation.arguments_ready",
            "tool.hook.pre.started",
            "tool.hook.pre.completed",
            "tool.permission.decided",
            "tool.permission.requested",
            "tool.permission.decided",
            "tool.invocation.queued",
            "tool.invocation.started",
            "tool.invocation.progress",
            "tool.invocation.partial_result",
            "tool.hook.post.started",
            "tool.hook.post.completed",
            "tool.result.persisted",
            "tool.result.created",
            "tool.invocation.succeeded",
        ]
    );
    let sequences: Vec<u64> = of_kind(&desk, "tool_event")
        .await
        .iter()
        .filter_map(|event| event["data"]["sequence"].as_u64())
        .collect();
    assert!(sequences.is_sorted_by(|a, b| a < b), "{sequences:?}");
}

/// Items 61, 168: no event holds an argument or a result.
#[tokio::test(start_paused = true)]
async fn events_hold_neither_arguments_nor_results() {
    let desk = busy_desk().await;
    for event in of_kind(&desk, "tool_event").await {
        let text = event.to_string();
        for value in ["hunter2", "the word is", "[1]"] {
            assert!(!text.contains(value), "{text}");
        }
    }
}

/// Item 176: from the journal alone: which tool ran, under which native id, and what its result can be
/// trusted for.
#[tokio::test(start_paused = true)]
async fn the_journal_alone_tells_what_ran_and_why() {
    let desk = Desk::new(vec![(writer("write"), says("done"))], |builder| {
        builder.approver(Person::new(|_| yes()))
    });
    let mut request = request("write", json!({"path": "a"}));
    request.native_call_id = Some("call_9f2".parse().unwrap());
    request.actor = Some("agent:household".into());
    let result = desk.runtime.call(request).await;
    let told = explanation(&desk, result.invocation_id.strict().unwrap()).await;
    for words in [
        "which is the tool files:write",
        "native call id: call_9f2",
        "asked by: agent:household",
        "allow by permission_prompt_tool",
        "approval: apr_",
    ] {
        assert!(told.contains(words), "{words}\n{told}");
    }
    let call = of_kind(&desk, "tool_invocation").await.remove(0);
    let declared = of_kind(&desk, "tool_declaration").await;
    assert_eq!(declared[0]["tool_id"], call["tool_id"]);
    let allowed = of_kind(&desk, "tool_permission_decision").await.pop().unwrap();
    assert_eq!(call["permission_decision_refs"][1], allowed["decision_id"]);
    assert_eq!(call["executed"], true);
}

/// Items 15, 174: unknown fields are kept, and change neither identity nor meaning.
#[tokio::test(start_paused = true)]
async fn optional_fields_change_no_meaning() {
    let with_extra = |extra: Option<Value>| {
        let mut definition = reader("read");
        if let Some(extra) = extra {
            definition.declaration.extra.insert("color".to_owned(), extra.clone());
            definition.execution.extra.insert("color".to_owned(), extra);
        }
        Desk::new(vec![(definition, says("hello"))], |builder| builder)
    };
    let (plain, colored) = (with_extra(None), with_extra(Some(json!("blue"))));
    let one = plain.call("read", json!({"path": "a"})).await;
    let other = colored.call("read", json!({"path": "a"})).await;
    assert_eq!(one, other);
    let declared = of_kind(&colored, "tool_declaration").await.remove(0);
    assert_eq!((&declared["tool_id"], &declared["color"]), (&json!("files:read"), &json!("blue")));
}
