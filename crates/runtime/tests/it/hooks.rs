//! Hooks: when they run, what they may do, and that all of it is recorded.

use std::{
    sync::{Arc, Mutex},
    time::Duration,
};

use assent_policy::Decision;
use assent_protocol::agent_tool::{ErrorClass, HookEvent, MutationRule, ToolKind};
use assent_runtime::{
    Answer, HookEffects, HookError, HookStop, OnFailure, PersistencePolicy, Progress, Registration,
};
use serde_json::{Value, json};

use crate::{
    actors::{Person, Spy, changeable, fails, hook, hooks, no, says, yes},
    desk::{Desk, allow_all, class, json_of, reader, rules, writer},
    story::{as_value, events, invocation, of_kind},
};

fn thinks(decision: Decision) -> HookEffects {
    HookEffects {
        decide: Some((decision, Some("on purpose".to_owned()))),
        ..HookEffects::default()
    }
}

fn before(says: HookEffects) -> Registration {
    hook("before", HookEvent::PreToolUse, move |_| Ok(says.clone()))
}

fn after(says: HookEffects) -> Registration {
    hook("after", HookEvent::PostToolUse, move |_| Ok(says.clone()))
}

/// Items 66, 73: each of the six moments has its hooks; a success and a failure have their own.
#[tokio::test(start_paused = true)]
async fn hooks_hear_of_every_moment_in_order() {
    let heard = Arc::new(Mutex::new(Vec::new()));
    let listening = HookEvent::ALL.iter().map(|event| {
        let heard = Arc::clone(&heard);
        hook("listen", *event, move |moment| {
            heard.lock().unwrap().push(moment.event.to_string());
            Ok(HookEffects::default())
        })
    });
    let tools = vec![
        (writer("works"), says("fine")),
        (writer("breaks"), fails(ErrorClass::ExecutionFailed)),
    ];
    let listening = hooks(listening);
    let desk =
        Desk::new(tools, |builder| builder.hooks(listening).approver(Person::new(|_| yes())));
    desk.call("works", json!({"path": "a"})).await;
    let of_success = std::mem::take(&mut *heard.lock().unwrap());
    desk.call("breaks", json!({"path": "a"})).await;
    let of_failure = std::mem::take(&mut *heard.lock().unwrap());
    let asked = ["pre_tool_use", "permission_request", "permission_decision"];
    assert_eq!(of_success[..3], asked);
    assert_eq!(of_success[3..], ["post_tool_use", "result_persistence"]);
    assert_eq!(of_failure[..3], asked);
    assert_eq!(of_failure[3..], ["post_tool_use_failure"]);
    assert_eq!(HookEvent::ALL.len(), 6);
}

/// Item 73: a call that never ran is neither a success nor a failure of its tool.
#[tokio::test(start_paused = true)]
async fn hooks_after_the_call_hear_nothing_of_a_call_that_never_ran() {
    let never = |event| hook("never", event, |_| panic!("the tool did not run"));
    let desk = Desk::new(vec![(writer("write"), says("fine"))], |builder| {
        builder
            .hooks(hooks([never(HookEvent::PostToolUse), never(HookEvent::PostToolUseFailure)]))
            .policy(rules(json!([{"id": "no", "behavior": "deny"}])))
    });
    assert_eq!(desk.call("write", json!({"path": "a"})).await.status.as_str(), "denied");
    assert!(of_kind(&desk, "tool_hook").await.iter().all(|hook| hook.get("ended_at").is_none()));
}

/// Item 67: all seven things that a hook may say, each with its effect and in the record of its run.
#[tokio::test(start_paused = true)]
async fn everything_that_a_hook_says_has_its_effect_and_is_recorded() {
    let spy = Arc::new(Spy::default());
    let mut definition = writer("write");
    definition.declaration.tool_kind = ToolKind::McpTool.into();
    changeable(&mut definition, MutationRule::Allow);
    let first = before(HookEffects {
        update_input: Some(json_of(json!({"path": "b"}))),
        context: vec!["the folder is shared".to_owned()],
        messages: vec!["somebody should look".to_owned()],
        progress: vec![Progress { percent: Some(50.0), ..Progress::default() }],
        ..thinks(Decision::Ask)
    });
    let last = after(HookEffects {
        update_output: Some(json_of(json!({"path": "c"}))),
        stop: Some(HookStop::new("enough for today")),
        ..HookEffects::default()
    });
    let person = Person::new(|_| yes());
    let desk = Desk::new(vec![(definition, Arc::clone(&spy) as _)], |builder| {
        builder.hooks(hooks([first, last])).approver(Arc::clone(&person) as _).policy(allow_all())
    });
    let result = as_value(&desk.call("write", json!({"path": "a"})).await);
    assert_eq!(spy.inputs.lock().unwrap().as_slice(), [json!({"path": "b"})]);
    assert_eq!(person.asked.lock().unwrap()[0].messages, ["somebody should look"]);
    assert_eq!(result["additional_context"], json!([{"text": "the folder is shared"}]));
    assert_eq!(result["stop"], json!({"reason": "enough for today"}));
    assert_eq!(result["structured_content"], json!({"path": "c"}));

    let runs: Vec<Value> = of_kind(&desk, "tool_hook")
        .await
        .into_iter()
        .filter(|hook| hook.get("ended_at").is_some())
        .collect();
    let said: Vec<&str> = runs
        .iter()
        .flat_map(|run| run["outputs"].as_array().unwrap())
        .map(|output| output["type"].as_str().unwrap())
        .collect();
    assert_eq!(
        said,
        [
            "message",
            "progress",
            "updated_input",
            "permission_result",
            "additional_context",
            "stop",
            "updated_output"
        ]
    );
    assert_eq!(runs[0]["updated_input"], json!({"path": "b"}));
    assert_eq!(runs[0]["permission_result"]["behavior"], "ask");
    assert_eq!(runs[0]["additional_context"], json!([{"text": "the folder is shared"}]));
    assert_eq!(runs[1]["updated_output"], json!({"path": "c"}));
    assert_eq!(runs[1]["stop"], json!({"reason": "enough for today"}));
}

/// Items 68, 69: a hook's yes changes neither a rule's no nor a rule's question, and what the mode and
/// the profile demand is still demanded.
#[tokio::test(start_paused = true)]
async fn a_hooks_yes_overrides_no_rule_and_spares_no_constraint() {
    let cases = [
        (json!([{"id": "no", "behavior": "deny"}]), false, 0, "denied"),
        (json!([{"id": "ask", "behavior": "ask"}]), false, 1, "succeeded"),
        (json!([]), true, 1, "succeeded"),
        (json!([]), false, 0, "succeeded"),
    ];
    for (policy, wants_approval, questions, status) in cases {
        let mut definition = writer("write");
        definition.permission.approval_required = Some(wants_approval);
        let person = Person::new(|_| yes());
        let desk = Desk::new(vec![(definition, says("fine"))], |builder| {
            builder
                .hooks(hooks([before(thinks(Decision::Allow))]))
                .approver(Arc::clone(&person) as _)
                .policy(rules(policy.clone()))
        });
        let result = desk.call("write", json!({"path": "a"})).await;
        assert_eq!((result.status.as_str(), person.questions()), (status, questions), "{policy}");
    }
}

/// Item 69: only a hook that trusted configuration names may settle a question, and never a denial or a
/// question that nothing may spare.
#[tokio::test(start_paused = true)]
async fn an_authoritative_hook_settles_a_question_and_nothing_else() {
    for (rule, questions, status) in [
        (json!({"id": "r", "behavior": "ask"}), 0, "succeeded"),
        (json!({"id": "r", "behavior": "ask", "bypass_immune": true}), 1, "succeeded"),
        (json!({"id": "r", "behavior": "deny"}), 0, "denied"),
    ] {
        let trusted = Registration { authoritative: true, ..before(thinks(Decision::Allow)) };
        let person = Person::new(|_| yes());
        let desk = Desk::new(vec![(writer("write"), says("fine"))], |builder| {
            builder
                .hooks(hooks([trusted]))
                .approver(Arc::clone(&person) as _)
                .policy(rules(json!([rule])))
        });
        let result = desk.call("write", json!({"path": "a"})).await;
        assert_eq!((result.status.as_str(), person.questions()), (status, questions), "{rule}");
    }
}

/// Items 70, 71: a hook that stops the call ends it in a result, before the tool.
#[tokio::test(start_paused = true)]
async fn a_stop_before_the_call_is_its_end() {
    let spy = Arc::new(Spy::default());
    let stopping =
        HookEffects { stop: Some(HookStop::new("not on Fridays")), ..HookEffects::default() };
    let desk = Desk::new(vec![(writer("write"), Arc::clone(&spy) as _)], |builder| {
        builder.hooks(hooks([before(stopping)])).policy(allow_all())
    });
    let result = desk.call("write", json!({"path": "a"})).await;
    assert_eq!(class(&result).as_deref(), Some("hook_blocked"));
    assert_eq!(result.is_error, Some(true));
    let error = as_value(&result)["error"].clone();
    assert!(error["message"].as_str().unwrap().contains("not on Fridays"));
    assert_eq!(error["stage"], "pre_hooks");
    assert_eq!(invocation(&desk).await["status"], "blocked");
    assert_eq!(spy.runs(), 0);
}

/// How a hook breaks.
fn broken(event: HookEvent, how: &str) -> Registration {
    match how {
        "error" => hook("broken", event, |_| Err(HookError("on purpose".to_owned()))),
        "panic" => hook("broken", event, |_| panic!("on purpose")),
        _ => Registration {
            timeout: Duration::from_millis(10),
            hook: Arc::new(Sleeps),
            ..hook("broken", event, |_| Ok(HookEffects::default()))
        },
    }
}

struct Sleeps;

impl assent_runtime::Hook for Sleeps {
    fn run<'a>(&'a self, _: &'a assent_runtime::HookMoment) -> assent_runtime::Effects<'a> {
        Box::pin(async {
            tokio::time::sleep(Duration::from_secs(60)).await;
            Ok(HookEffects::default())
        })
    }
}

/// Item 71: a hook that breaks before the call ends it, unless it was registered to fail open; one that
/// breaks afterwards leaves a warning, because nothing undoes what the tool did.
#[tokio::test(start_paused = true)]
async fn a_broken_hook_ends_the_call_before_it_and_warns_after_it() {
    for how in ["error", "panic", "timeout"] {
        for (event, on_failure, expected, runs, warns) in [
            (HookEvent::PreToolUse, OnFailure::Closed, Some("hook_failed"), 0, false),
            (HookEvent::PreToolUse, OnFailure::Open, None, 1, false),
            (HookEvent::PermissionRequest, OnFailure::Closed, Some("hook_failed"), 0, false),
            (HookEvent::PermissionDecision, OnFailure::Closed, None, 1, false),
            (HookEvent::PostToolUse, OnFailure::Closed, None, 1, true),
        ] {
            let spy = Arc::new(Spy::default());
            let breaking = Registration { on_failure, ..broken(event, how) };
            let desk = Desk::new(vec![(writer("write"), Arc::clone(&spy) as _)], |builder| {
                builder.hooks(hooks([breaking])).approver(Person::new(|_| yes()))
            });
            let result = desk.call("write", json!({"path": "a"})).await;
            assert_eq!(class(&result).as_deref(), expected, "{event} {how}");
            assert_eq!(spy.runs(), runs);
            let told = as_value(&result);
            let warning = told["warnings"][0]["error_class"].as_str();
            assert_eq!(warning, warns.then_some("post_hook_failed"), "{event} {how}");
            let events = events(&desk).await;
            assert!(events.contains(&"tool.hook.failed".to_owned()), "{event} {how}");
        }
    }
}

/// Items 72, 113: an output is replaced only for tools behind a protocol, is held to the tool's own
/// schema, is mapped again, and the result names the run of the hook.
#[tokio::test(start_paused = true)]
async fn a_replaced_output_is_mapped_again_and_named() {
    let replacing = |output: Value| {
        after(HookEffects { update_output: Some(json_of(output)), ..HookEffects::default() })
    };
    for (kind, output, is_replaced) in [
        (ToolKind::McpTool, json!({"path": "clean"}), true),
        (ToolKind::OpenapiOperation, json!({"path": "clean"}), true),
        (ToolKind::PeerAgentTool, json!({"path": "clean"}), true),
        (ToolKind::FileOperation, json!({"path": "clean"}), false),
        (ToolKind::McpTool, json!({"path": 7}), false),
    ] {
        let mut definition = reader("read");
        definition.declaration.tool_kind = kind.into();
        definition.interface.output_schema = Some(
            serde_json::from_value(json!({"properties": {"path": {"type": "string"}}})).unwrap(),
        );
        let tool = Arc::new(Spy::default());
        let desk = Desk::new(vec![(definition, tool as _)], |builder| {
            builder.hooks(hooks([replacing(output.clone())]))
        });
        let result = as_value(&desk.call("read", json!({"path": "dirty"})).await);
        let expected = if is_replaced { output.clone() } else { json!({"path": "dirty"}) };
        assert_eq!(result["structured_content"], expected, "{kind}");
        let text = assent_json::Json::from_value(&expected).unwrap();
        let digest = assent_json::Digest::of(text.text().as_bytes());
        assert_eq!(result["content_digest"], format!("sha256:{digest}"), "mapped as a whole");
        assert_eq!(result["content"].as_array().unwrap().len(), 1, "mapped once");
        let run = of_kind(&desk, "tool_hook").await.pop().unwrap()["hook_run_id"].clone();
        match is_replaced {
            true => assert_eq!(result["output_hook_refs"], json!([run])),
            false => assert_eq!(result["warnings"][0]["error_class"], "post_hook_failed"),
        }
    }
}

/// Item 74: hooks are seen to begin and to end, before and after the call.
#[tokio::test(start_paused = true)]
async fn hooks_make_events() {
    let desk = Desk::new(vec![(reader("read"), says("fine"))], |builder| {
        builder.hooks(hooks([before(HookEffects::default()), after(HookEffects::default())]))
    });
    desk.call("read", json!({"path": "a"})).await;
    let of_hooks: Vec<String> = events(&desk)
        .await
        .into_iter()
        .filter(|event| event.starts_with("tool.hook.") || event.ends_with(".started"))
        .collect();
    assert_eq!(
        of_hooks,
        [
            "tool.hook.pre.started",
            "tool.hook.pre.completed",
            "tool.invocation.started",
            "tool.hook.post.started",
            "tool.hook.post.completed"
        ]
    );
}

/// A hook may make the storage of a result stricter, and one that was to protect a result and broke
/// withholds it.
#[tokio::test(start_paused = true)]
async fn a_hook_that_protects_results_only_makes_them_safer() {
    use assent_protocol::agent_tool::PersistenceStrategy as Way;
    for asked in [Some(Way::Inline), Some(Way::DropWithReason), None] {
        let protecting = hook("protect", HookEvent::ResultPersistence, move |_| match asked {
            Some(_) => Ok(HookEffects { persistence: asked, ..HookEffects::default() }),
            None => Err(HookError("on purpose".to_owned())),
        });
        let mut definition = reader("read");
        definition.persistence =
            PersistencePolicy { strategy: Some(Way::RefOnly), ..PersistencePolicy::default() };
        let desk = Desk::new(vec![(definition, says("planted"))], |builder| {
            builder.hooks(hooks([protecting]))
        });
        let result = as_value(&desk.call("read", json!({"path": "a"})).await).to_string();
        assert!(!result.contains("planted"), "{asked:?}");
    }
}

/// A `permission_decision` hook gets every decision, by a rule or by a person.
#[tokio::test(start_paused = true)]
async fn hooks_hear_a_denial_as_a_denial() {
    let denies = || rules(json!([{"id": "no", "behavior": "deny"}]));
    let asks = || rules(json!([{"id": "ask", "behavior": "ask"}]));
    for (policy, answer, expected) in [
        (allow_all(), Answer::Unavailable, Decision::Allow),
        (denies(), yes(), Decision::Deny),
        (asks(), yes(), Decision::Allow),
        (asks(), no(), Decision::Deny),
        (asks(), Answer::Unavailable, Decision::Deny),
    ] {
        let heard = Arc::new(Mutex::new(Vec::new()));
        let listening = Arc::clone(&heard);
        let listens = hook("listens", HookEvent::PermissionDecision, move |moment| {
            let path = moment.input.root().get("path").and_then(|path| path.as_str());
            listening.lock().unwrap().push((moment.decision, path.map(str::to_owned)));
            Ok(HookEffects::default())
        });
        let desk = Desk::new(vec![(writer("write"), says("fine"))], |builder| {
            let person = Person::new(move |_| answer.clone());
            builder.hooks(hooks([listens])).policy(policy).approver(person)
        });
        desk.call("write", json!({"path": "a"})).await;
        let heard = std::mem::take(&mut *heard.lock().unwrap());
        assert_eq!(heard, [(Some(expected), Some("a".to_owned()))]);
    }
}

/// The record of a change says why it was made.
#[tokio::test(start_paused = true)]
async fn a_change_by_a_hook_has_a_reason() {
    let changed = || Some(json_of(json!({"path": "b"})));
    let silent = HookEffects { update_input: changed(), ..HookEffects::default() };
    let explained = HookEffects { update_input: changed(), ..thinks(Decision::Allow) };
    for (effects, reason) in [(silent, "changed by a hook"), (explained, "on purpose")] {
        let mut definition = writer("write");
        changeable(&mut definition, MutationRule::Allow);
        let desk = Desk::new(vec![(definition, says("fine"))], |builder| {
            builder.hooks(hooks([before(effects)])).policy(allow_all())
        });
        desk.call("write", json!({"path": "a"})).await;
        let mutations = of_kind(&desk, "tool_input_mutation").await;
        assert_eq!(mutations.len(), 1);
        assert_eq!(mutations[0]["reason"], reason);
    }
}
