//! The four inputs of a call: who may change what, and what is recorded of it.

use std::sync::{
    Arc,
    atomic::{AtomicUsize, Ordering},
};

use assent_json::Json;
use assent_protocol::agent_tool::{ArgumentMode, ErrorClass, HookEvent, MutationRule};
use assent_protocol::wire::Open;
use assent_runtime::{HookEffects, ModelInput, Request, ToolDefinition};
use serde_json::{Value, json};

use crate::{
    actors::{Person, Spy, changeable, edited, hook, hooks, yes},
    definitions::{contract, problems, tool, with},
    desk::{Desk, allow_all, class, json_of, rules, writer},
    story::{as_value, invocation, of_kind},
};

/// Takes a path and a number of lines; an internal field says for whom.
fn lister() -> ToolDefinition {
    with("files", "list", |tool| {
        let contract = contract(tool);
        contract.model_input_schema = Some(json!({
            "type": "object",
            "properties": {"path": {"type": "string"}, "limit": {"type": "integer", "default": 7}},
            "required": ["path"]
        }));
        contract.runtime_input_schema = Some(json!({
            "type": "object",
            "properties": {"_user": {"type": "string", "visibility": "internal"}}
        }));
        contract.internal_only_fields = Some(vec!["_user".to_owned()]);
    })
}

fn updated(input: Value) -> HookEffects {
    HookEffects { update_input: Some(json_of(input)), ..HookEffects::default() }
}

/// Items 53, 54, 56-58, 64, 65: a default, an adapter, a hook and a person each change the input, and
/// each of the four inputs is what the standard says it is.
#[tokio::test(start_paused = true)]
async fn four_inputs_stay_apart_and_every_change_is_recorded() {
    let spy = Arc::new(Spy::default());
    let mut definition = lister();
    changeable(&mut definition, MutationRule::Allow);
    contract(&mut definition).defaults = Some(json!({"limit": 20}));
    let rewriting = hook("rewrite", HookEvent::PreToolUse, |moment| {
        assert_eq!(moment.input.to_value(), json!({"path": "/home/ann/notes", "limit": 20}));
        Ok(updated(json!({"path": "/home/ann/notes", "limit": 50})))
    });
    let person = Person::new(|_| edited(json!({"path": "/home/ann/notes", "limit": 5}), None));
    let desk = Desk::new(vec![(definition, Arc::clone(&spy) as _)], |builder| {
        builder.hooks(hooks([rewriting])).approver(Arc::clone(&person) as _).policy(rules(json!([
            {"id": "large", "behavior": "ask", "arguments": [{"path": "/limit", "above": 30}]}
        ])))
    });
    let text = "{ \"path\" : \"~/notes\" }";
    let result = desk.runtime.call(Request::new("list", ModelInput::from_text(text))).await;
    assert_eq!(result.status.as_str(), "succeeded");

    let call = invocation(&desk).await;
    let path = "/home/ann/notes";
    assert_eq!(call["model_input"], json!({"path": "~/notes"}));
    assert_eq!(call["observable_input"], json!({"path": path, "limit": 20}));
    assert_eq!(call["permission_input"], json!({"path": path, "limit": 50}));
    assert_eq!(call["call_input"], json!({"path": path, "limit": 5}));
    let digest = format!("sha256:{}", Json::read(text).unwrap().digest());
    assert_eq!(call["model_input_ref"], digest, "what the model wrote is what was read");

    assert_eq!(person.asked.lock().unwrap()[0].input.to_value(), call["permission_input"]);
    assert_eq!(spy.inputs.lock().unwrap().as_slice(), [call["call_input"].clone()]);

    let changes = of_kind(&desk, "tool_input_mutation").await;
    let of_all = |field: &str| -> Vec<Value> {
        changes.iter().map(|change| change[field].clone()).collect()
    };
    assert_eq!(of_all("source_type"), ["runtime", "adapter", "hook", "permission_prompt"]);
    assert_eq!(
        of_all("changed_fields"),
        [json!(["/limit"]), json!(["/path"]), json!(["/limit"]), json!(["/limit"])]
    );
    assert_eq!(of_all("invocation_id"), vec![call["invocation_id"].clone(); 4]);
    assert_eq!(of_all("mutation_id"), *call["mutation_refs"].as_array().unwrap());
    assert!(changes.iter().all(|change| change["created_at"].is_string()));
    assert_eq!(changes[1]["source_ref"], "normalize");
    assert_eq!(changes[2]["source_ref"], "rewrite");
    assert!(changes[3]["reason"].as_str().unwrap().contains("edited by the person"));
    assert_eq!(changes[0]["from_input_ref"], call["model_input_ref"]);
    for (before, after) in changes.iter().zip(&changes[1..]) {
        assert_eq!(before["to_input_ref"], after["from_input_ref"], "no gap between two changes");
    }
    assert_eq!(changes[3]["to_input_ref"], call["call_input_ref"]);
}

/// Items 31, 55, 56: the source of an internal field is named by the result, and what the model wrote
/// stays as it was.
#[tokio::test(start_paused = true)]
async fn an_injected_internal_field_is_in_the_result_and_never_becomes_the_models() {
    let with_user = json!({"path": "a", "_user": "ann"});
    let of_hook = with_user.clone();
    let injecting = hook("session", HookEvent::PreToolUse, move |_| Ok(updated(of_hook.clone())));
    let of_person = with_user.clone();
    let person = Person::new(move |_| edited(of_person.clone(), None));
    for (by_hook, source) in [(true, "hook"), (false, "permission_prompt")] {
        let spy = Arc::new(Spy::default());
        let desk = Desk::new(vec![(lister(), Arc::clone(&spy) as _)], |builder| {
            if by_hook {
                builder.hooks(hooks([injecting.clone()])).policy(allow_all())
            } else {
                builder.approver(Arc::clone(&person) as _)
            }
        });
        let result = as_value(&desk.call("list", json!({"path": "a"})).await);
        assert_eq!(result["status"], "succeeded", "{result:#}");
        let told = &result["input_mutations"][0];
        assert_eq!(told["source_type"], source);
        assert_eq!(told["changed_fields"], json!(["/_user"]));
        let call = invocation(&desk).await;
        assert_eq!(call["model_input"], json!({"path": "a"}));
        assert_eq!(call["call_input"], with_user);
        assert_eq!(*spy.inputs.lock().unwrap(), std::slice::from_ref(&with_user));
    }
}

/// Item 59: a tool says who may change its input, and a change beyond that does not happen.
#[tokio::test(start_paused = true)]
async fn a_change_that_the_tool_does_not_allow_ends_the_call() {
    let internal = json!({"path": "a", "_user": "ann"});
    let visible = json!({"path": "b"});
    for (rule, change, runs) in [
        (MutationRule::Forbid, &internal, 0),
        (MutationRule::Forbid, &visible, 0),
        (MutationRule::InternalOnly, &internal, 1),
        (MutationRule::InternalOnly, &visible, 0),
        (MutationRule::Allow, &visible, 1),
    ] {
        for by_hook in [true, false] {
            let mut definition = lister();
            changeable(&mut definition, rule);
            let (spy, change) = (Arc::new(Spy::default()), change.clone());
            let desk = Desk::new(vec![(definition, Arc::clone(&spy) as _)], |builder| {
                if by_hook {
                    let changing =
                        hook("change", HookEvent::PreToolUse, move |_| Ok(updated(change.clone())));
                    builder.hooks(hooks([changing])).policy(allow_all())
                } else {
                    builder.approver(Person::new(move |_| edited(change.clone(), None)))
                }
            });
            let result = desk.call("list", json!({"path": "a"})).await;
            let expected = (runs == 0).then_some("input_mutation_failed");
            assert_eq!(class(&result).as_deref(), expected, "{rule} by hook: {by_hook}");
            assert_eq!(spy.runs(), runs);
        }
    }
}

/// Item 60: the model cannot fill in what is internal, however open the schema is.
#[tokio::test(start_paused = true)]
async fn an_internal_field_that_the_model_writes_ends_the_call() {
    let spy = Arc::new(Spy::default());
    let desk =
        Desk::new(vec![(lister(), Arc::clone(&spy) as _)], |builder| builder.policy(allow_all()));
    let result = desk.call("list", json!({"path": "a", "_user": "eve"})).await;
    assert_eq!(class(&result).as_deref(), Some("schema_validation_failed"));
    assert_eq!(spy.runs(), 0);
}

/// Item 62: arguments have one of six modes, and a seventh is refused.
#[test]
fn an_argument_mode_is_one_of_six() {
    assert_eq!(ArgumentMode::ALL.len(), 6);
    for mode in ArgumentMode::ALL {
        tool(with("t", "say", |tool| contract(tool).argument_mode = Some((*mode).into())));
    }
    let odd = with("t", "say", |tool| contract(tool).argument_mode = Some(Open::read("telepathy")));
    assert_eq!(problems(odd), ["/declaration/input_contract/argument_mode"]);
}

/// Item 63: only declared defaults are filled in, only where the caller left something out, and that is
/// recorded as a change by the runtime.
#[tokio::test(start_paused = true)]
async fn defaults_are_filled_in_where_declared_and_recorded() {
    for (defaults, given, expected, source) in [
        (None, json!({"path": "a"}), json!({"path": "a"}), None),
        (
            Some(json!({"limit": 20})),
            json!({"path": "a"}),
            json!({"path": "a", "limit": 20}),
            Some("runtime"),
        ),
        (
            Some(json!({"limit": 20})),
            json!({"path": "a", "limit": 3}),
            json!({"path": "a", "limit": 3}),
            None,
        ),
    ] {
        let mut definition = lister();
        contract(&mut definition).defaults = defaults;
        let spy = Arc::new(Spy::default());
        let desk = Desk::new(vec![(definition, Arc::clone(&spy) as _)], |builder| {
            builder.policy(allow_all())
        });
        desk.call("list", given).await;
        assert_eq!(spy.inputs.lock().unwrap().as_slice(), [expected]);
        let changes = of_kind(&desk, "tool_input_mutation").await;
        assert_eq!(changes.first().map(|change| change["source_type"].as_str().unwrap()), source);
    }
}

/// Items 27, 110, 111: schema first, then values, then everything else. Whatever is refused here, nothing
/// was opened and no person was asked.
#[tokio::test(start_paused = true)]
async fn arguments_and_values_are_checked_before_hooks_people_and_the_tool() {
    let escape = json!({"path": "../../etc/passwd"});
    for (input, refuses, expected, status) in [
        (json!({}), None, "schema_validation_failed", "schema_parse_failed"),
        (json!({"path": 1}), None, "schema_validation_failed", "schema_parse_failed"),
        (escape.clone(), Some(ErrorClass::InvalidArguments), "invalid_arguments", ""),
        (escape.clone(), Some(ErrorClass::SandboxViolation), "sandbox_violation", ""),
        (escape.clone(), Some(ErrorClass::SetupRequired), "setup_required", ""),
        (escape, Some(ErrorClass::CredentialMissing), "credential_missing", ""),
    ] {
        let spy = Arc::new(Spy { refuses: refuses.map(|class| ("..", class)), ..Spy::default() });
        let looked = Arc::new(AtomicUsize::new(0));
        let seen = Arc::clone(&looked);
        let looking = hook("look", HookEvent::PreToolUse, move |_| {
            seen.fetch_add(1, Ordering::SeqCst);
            Ok(HookEffects::default())
        });
        let person = Person::new(|_| yes());
        let desk = Desk::new(vec![(writer("write"), Arc::clone(&spy) as _)], |builder| {
            builder.hooks(hooks([looking])).approver(Arc::clone(&person) as _)
        });
        let result = desk.call("write", input).await;
        assert_eq!(class(&result).as_deref(), Some(expected));
        assert_eq!(result.is_error, Some(true));
        let status = if status.is_empty() { "validation_failed" } else { status };
        assert_eq!(invocation(&desk).await["status"], status);
        assert_eq!((looked.load(Ordering::SeqCst), person.questions(), spy.runs()), (0, 0, 0));
        assert!(!as_value(&result).to_string().contains("etc/passwd"));
    }
}
