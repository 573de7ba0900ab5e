//! Running a tool: what it is given, and that whatever happens is a result.

use std::{
    sync::{Arc, Mutex},
    time::Duration,
};

use assent_json::Json;
use assent_protocol::agent_tool::{
    ErrorClass, HookEvent, MappingSource, ToolExternalMapping, ToolLifecycle,
};
use assent_protocol::wire::{Loose, Millis};
use assent_runtime::{
    Answering, Approver, Body, Call, Effects, Execution, Executor, Failure, Hook, HookEffects,
    HookMoment, Output, Progress, Prompt, Refusal,
};
use serde_json::{Value, json};

use crate::{
    actors::{Does, Fails, Person, Stubborn, Ticking, hook, hooks, output, says, yes},
    definitions::{tool, with},
    desk::{Desk, Echo, allow_all, class, reader, request, rules, writer},
    story::{as_value, invocation, of_kind, path},
};

/// Item 95: what a tool does not support is refused explicitly, and nothing is done instead.
#[tokio::test(start_paused = true)]
async fn a_capability_that_is_not_there_is_said_not_to_be() {
    let changing = Output {
        context_modifier: Some(json!({"cwd": "/tmp"})),
        ..output(Body::Text("done".to_owned()))
    };
    let tool = Arc::new(crate::actors::Gives(changing));
    let desk = Desk::new(vec![(reader("cd"), tool)], |builder| builder);
    let result = as_value(&desk.call("cd", json!({"path": "a"})).await);
    assert_eq!(result["status"], "succeeded");
    assert_eq!(result["context_modifier"]["ruling"], "reject");
    assert_eq!(result["warnings"][0]["error_class"], "capability_gap");
}

/// Item 97: what a remote tool says about its protocol is kept, and so are its own errors.
#[tokio::test(start_paused = true)]
async fn a_remote_tool_keeps_its_sessions_versions_and_errors() {
    let mut mapping = ToolExternalMapping::new(MappingSource::Mcp);
    let native = [
        ("server_id", "tracker"),
        ("mcp_session_id", "5c1e"),
        ("mcp_protocol_version", "2025-06-18"),
    ];
    mapping.extra.extend(native.map(|(name, value)| (name.to_owned(), json!(value))));
    let mut remote = reader("issues");
    remote.execution.external_mappings = Some(vec![Loose::Typed(mapping.clone())]);
    remote.execution.extra.insert("retry_semantics".to_owned(), json!("at_most_once"));
    assert_eq!(tool(remote.clone()).execution_profile().extra["retry_semantics"], "at_most_once");

    let protocol = json!({"jsonrpc": "2.0", "error": {"code": -32602, "message": "bad params"}});
    for (failure, expected) in [
        (Failure::new(ErrorClass::DependencyUnavailable, "the server is gone"), json!(null)),
        (
            Failure {
                native: Some(Box::new(protocol.clone())),
                ..Failure::new(ErrorClass::InvalidArguments, "the server refused the request")
            },
            protocol.clone(),
        ),
        (
            Failure {
                native: Some(Box::new(json!({"isError": true}))),
                ..Failure::new(ErrorClass::ExecutionFailed, "the tool failed")
            },
            json!({"isError": true}),
        ),
    ] {
        let class = failure.class;
        let desk = Desk::new(vec![(remote.clone(), Arc::new(Fails(failure)))], |builder| builder);
        let mut call = request("issues", json!({"path": "a"}));
        let mut of_call = ToolExternalMapping::new(MappingSource::Mcp);
        of_call.extra.insert("jsonrpc_request_id".to_owned(), json!(17));
        call.mappings = vec![of_call.clone()];
        let result = as_value(&desk.runtime.call(call).await);
        assert_eq!(result["error"]["error_class"], class.as_str());
        assert_eq!(result["error"]["native_error_ref"], expected);
        let told = invocation(&desk).await["external_mappings"].clone();
        assert_eq!(told, serde_json::to_value([&mapping, &of_call]).unwrap());
    }
}

/// A tool whose way to break is part of its name.
struct Panics(&'static str);

impl Executor for Panics {
    fn execute<'a>(&'a self, _call: &'a Call) -> Execution<'a> {
        assert_ne!(self.0, "at once", "on purpose");
        Box::pin(async move {
            tokio::task::yield_now().await;
            assert_ne!(self.0, "later", "on purpose");
            Ok(Output::default())
        })
    }

    fn preflight(&self, _input: &Json) -> Result<(), Refusal> {
        assert_ne!(self.0, "in its check", "on purpose");
        Ok(())
    }

    fn normalize(&self, _input: &Json) -> Option<Json> {
        assert_ne!(self.0, "in its adapter", "on purpose");
        None
    }
}

struct Panicking;

impl Approver for Panicking {
    fn ask<'a>(&'a self, _: &'a Prompt) -> Answering<'a> {
        panic!("on purpose")
    }
}

/// Item 117: whatever breaks in other people's code, the caller gets a result.
#[tokio::test(start_paused = true)]
async fn other_peoples_panics_end_in_results() {
    for (how, expected) in [
        ("at once", "execution_failed"),
        ("later", "execution_failed"),
        ("in its check", "invalid_arguments"),
        ("in its adapter", "input_mutation_failed"),
    ] {
        let desk = Desk::new(vec![(reader("work"), Arc::new(Panics(how)))], |builder| builder);
        let result = desk.call("work", json!({"path": "a"})).await;
        assert_eq!(class(&result).as_deref(), Some(expected), "{how}");
        assert_eq!(result.is_error, Some(true));
    }
    let desk = Desk::new(vec![(writer("work"), says("done"))], |builder| {
        builder.approver(Arc::new(Panicking))
    });
    let result = desk.call("work", json!({"path": "a"})).await;
    assert_eq!(class(&result).as_deref(), Some("permission_denied"));
}

/// Item 112: an executor knows how long it has, whether to stop, where to run, with which credentials,
/// and under which native ids; and can say how far it is.
#[tokio::test(start_paused = true)]
async fn an_executor_is_given_everything_it_needs() {
    static SEEN: Mutex<Option<Value>> = Mutex::new(None);
    let curious = Does(|call| {
        *SEEN.lock().unwrap() = Some(json!({
            "invocation": call.invocation.to_string(), "tool": call.tool.to_string(),
            "input": call.input.to_value(), "attempt": call.attempt,
            "timeout": call.timeout.as_secs_f64(), "sandbox": call.sandbox,
            "credentials": call.credentials.as_ref(), "actor": call.actor,
            "native_call_id": call.native_call_id.as_ref().map(ToString::to_string),
            "mappings": call.mappings, "aborted": call.aborted().is_some()
        }));
        call.progress(Progress { percent: Some(1.0), ..Progress::default() });
        Box::pin(std::future::ready(Ok(Output::default())))
    });
    let mut definition = reader("work");
    definition.execution.timeout_ms = Some(Millis(5_000));
    definition.execution.sandbox_profile = Some("strict".to_owned());
    definition.permission.credential_refs = Some(vec!["token".to_owned()]);
    let mut mapping = ToolExternalMapping::new(MappingSource::Cli);
    mapping.extra.insert("command_id".to_owned(), json!("git-log"));
    definition.declaration.external_mappings = Some(vec![Loose::Typed(mapping)]);
    let mut context = crate::definitions::equipped();
    context.credentials = ["token".to_owned()].into();
    context.sandboxes = ["strict".to_owned()].into();
    let desk = Desk::new(vec![(definition, Arc::new(curious))], |builder| builder.surface(context));
    let mut request = request("work", json!({"path": "a"}));
    request.actor = Some("agent:1".into());
    request.native_call_id = Some("call_7".parse().unwrap());
    let result = desk.runtime.call(request).await;
    assert_eq!(result.status.as_str(), "succeeded", "{:?}", result.error);
    let seen = SEEN.lock().unwrap().take().unwrap();
    assert_eq!(
        seen,
        json!({
            "invocation": result.invocation_id.to_string(), "tool": "files:work",
            "input": {"path": "a"}, "attempt": 1, "timeout": 5.0, "sandbox": "strict",
            "credentials": ["token"], "actor": "agent:1", "native_call_id": "call_7",
            "mappings": [{"source": "cli", "command_id": "git-log"}], "aborted": false
        })
    );
    assert_eq!(of_kind(&desk, "tool_progress").await.len(), 1);
}

/// Items 101, 102: every state is kept with its time, and so are the actor and the native id.
#[tokio::test(start_paused = true)]
async fn a_call_keeps_its_times_its_states_and_its_references() {
    let desk = Desk::new(vec![(writer("work"), says("done"))], |builder| {
        builder.approver(Person::new(|_| yes()))
    });
    let mut request = request("work", json!({"path": "a"}));
    request.actor = Some("agent:1".into());
    request.session = Some("session:1".into());
    request.native_call_id = Some("call_7".parse().unwrap());
    request.trace = Some("00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01".into());
    desk.runtime.call(request).await;
    let call = invocation(&desk).await;
    assert_eq!(
        path(&call),
        [
            "planned",
            "selected",
            "arguments_ready",
            "awaiting_approval",
            "approved",
            "queued",
            "running",
            "succeeded"
        ]
    );
    for step in call["status_transitions"].as_array().unwrap() {
        assert_eq!(step["at"], "2023-11-14T22:13:20.000Z", "{step}");
    }
    for field in ["created_at", "started_at", "ended_at", "surface_id", "schema_digest"] {
        assert!(call[field].is_string(), "{field}");
    }
    assert_eq!(
        (&call["actor_ref"], &call["native_call_id"]),
        (&json!("agent:1"), &json!("call_7"))
    );
    assert_eq!(call["telemetry_refs"][0]["trace_id"], "4bf92f3577b34da6a3ce929d0e0e4736");
    assert!(call["runtime_refs"].as_array().unwrap().contains(&json!("session:1")));
    assert_eq!(call["permission_decision_refs"].as_array().unwrap().len(), 2);
}

/// Thinks for two seconds.
struct Thinks;

impl Approver for Thinks {
    fn ask<'a>(&'a self, _: &'a Prompt) -> Answering<'a> {
        Box::pin(async {
            tokio::time::sleep(Duration::from_secs(2)).await;
            yes()
        })
    }
}

/// Item 101: the time of a state is the time at which the call came into it, and its events have the same.
#[tokio::test(start_paused = true)]
async fn every_state_has_the_time_at_which_it_began() {
    let mut looks = hook("looks", HookEvent::PostToolUse, |_| Ok(HookEffects::default()));
    looks.hook = Arc::new(Looks);
    let slow = Arc::new(Stubborn(Duration::from_secs(3)));
    let desk = Desk::new(vec![(writer("work"), slow)], |builder| {
        builder.approver(Arc::new(Thinks)).hooks(hooks([looks])).clock(Ticking::now())
    });
    desk.call("work", json!({"path": "a"})).await;
    let call = invocation(&desk).await;
    let steps = call["status_transitions"].as_array().unwrap().iter();
    let times: Vec<_> = steps
        .map(|step| (step["status"].as_str().unwrap(), step["at"].as_str().unwrap()))
        .collect();
    let at = |second: u8| format!("2023-11-14T22:13:{second}.000Z");
    let expected = [
        ("planned", at(20)),
        ("selected", at(20)),
        ("arguments_ready", at(20)),
        ("awaiting_approval", at(20)),
        ("approved", at(22)),
        ("queued", at(22)),
        ("running", at(22)),
        ("post_hooks_running", at(25)),
        ("succeeded", at(26)),
    ];
    let expected: Vec<_> = expected.iter().map(|(status, at)| (*status, at.as_str())).collect();
    assert_eq!(times, expected);
    assert_eq!(call["created_at"], at(20));
    assert_eq!(call["started_at"], at(22));
    assert_eq!(call["ended_at"], at(26));
    let told = of_kind(&desk, "tool_event").await.into_iter();
    let ended = told.filter(|event| event["event_type"] == "tool.invocation.succeeded");
    assert_eq!(ended.map(|event| event["time"].clone()).collect::<Vec<_>>(), [at(26)]);
}

/// A hook that runs for a second.
struct Looks;

impl Hook for Looks {
    fn run<'a>(&'a self, _: &'a HookMoment) -> Effects<'a> {
        Box::pin(async {
            tokio::time::sleep(Duration::from_secs(1)).await;
            Ok(HookEffects::default())
        })
    }
}

/// The stage at which a call ended, and why.
async fn end_of(desk: Desk, input: Value) -> (String, String) {
    let result = as_value(&desk.call("work", input).await);
    assert_eq!(result["is_error"], true, "{result:#}");
    let told = of_kind(&desk, "tool_result").await;
    assert_eq!(told, std::slice::from_ref(&result), "one result");
    let error = &result["error"];
    let stage = error["stage"].as_str().unwrap_or_default();
    (stage.to_owned(), error["error_class"].as_str().unwrap().to_owned())
}

/// Item 108: each stage can end a call, and each such end is an error of its own class. (The turn of a
/// call has its test among those of batches, the last look before it runs among those of integrity.)
#[tokio::test(start_paused = true)]
async fn every_stage_can_end_a_call_in_a_result() {
    let good = || json!({"path": "a"});
    let desk = |definition, executor: Arc<dyn Executor>| {
        Desk::new(vec![(definition, executor)], |builder| builder)
    };
    let expected = |stage: &str, class: &str| (stage.to_owned(), class.to_owned());

    let unknown = desk(reader("other"), says(""));
    assert_eq!(end_of(unknown, good()).await, expected("resolve_tool", "unknown_tool"));
    let deferred = with("t", "work", |tool| tool.declaration.lifecycle = ToolLifecycle::Deferred);
    let deferred = desk(deferred, says(""));
    assert_eq!(end_of(deferred, good()).await, expected("check_deferral", "schema_not_loaded"));
    let misfit = desk(reader("work"), says(""));
    assert_eq!(
        end_of(misfit, json!({})).await,
        expected("parse_schema", "schema_validation_failed")
    );
    let refusing = desk(reader("work"), Arc::new(Panics("in its check")));
    assert_eq!(end_of(refusing, good()).await, expected("validate_values", "invalid_arguments"));
    let adapter = desk(reader("work"), Arc::new(Panics("in its adapter")));
    assert_eq!(
        end_of(adapter, good()).await,
        expected("prepare_observable_input", "input_mutation_failed")
    );
    let hooked = Desk::new(vec![(reader("work"), says(""))], |builder| {
        builder.hooks(hooks([hook("h", HookEvent::PreToolUse, |_| panic!("on purpose"))]))
    });
    assert_eq!(end_of(hooked, good()).await, expected("pre_hooks", "hook_failed"));
    let denied = Desk::new(vec![(reader("work"), says(""))], |builder| {
        builder.policy(rules(json!([{"id": "no", "behavior": "deny"}])))
    });
    assert_eq!(end_of(denied, good()).await, expected("permission", "permission_denied"));

    // From here on the tool has run: its end is an outcome, not a stage that stopped.
    let failing = desk(reader("work"), crate::actors::fails(ErrorClass::DependencyUnavailable));
    assert_eq!(end_of(failing, good()).await, expected("", "dependency_unavailable"));
    let mut typed = reader("work");
    typed.interface.output_schema =
        Some(serde_json::from_value(json!({"type": "object", "required": ["x"]})).unwrap());
    let unmappable = desk(typed, Arc::new(Echo::default()));
    assert_eq!(end_of(unmappable, good()).await, expected("", "result_mapping_failed"));
}

/// Item 114: a repeated request gets the very result of the first, without a second mapping.
#[tokio::test(start_paused = true)]
async fn a_result_that_is_asked_for_again_is_the_same_to_the_byte() {
    let desk = Desk::new(vec![(writer("work"), Arc::new(Echo::default()))], |builder| {
        builder.policy(allow_all())
    });
    let mut request = request("work", json!({"path": "a"}));
    request.invocation = Some("inv_01ARZ3NDEKTSV4RRFFQ69G5FAV".parse().unwrap());
    let first = desk.runtime.call(request.clone()).await;
    let again = desk.runtime.call(request).await;
    let bytes = |result| serde_json::to_vec(result).unwrap();
    assert_eq!(bytes(&*first), bytes(&*again));
    assert_eq!(of_kind(&desk, "tool_result").await.len(), 1);
}
