//! Moments for tests, and their documents for hooks.

use assent_hooks::{Sight, moment};
use assent_json::Json;
use assent_policy::Decision;
use assent_protocol::agent_tool::{ErrorClass, HookEvent};
use assent_runtime::{HookMoment, Masked};
use serde_json::{Value, json};

use crate::documented::schema;

pub const MASKED: &str = "redacted:sha256:00ff";

pub fn json_of(value: &Value) -> Json {
    Json::from_value(value).unwrap()
}

/// A moment in which `input` holds the secret `planted` at `/password`, if it is an object.
pub fn moment(event: HookEvent) -> HookMoment {
    moment_of(event, &json!({"user": "ada", "password": "planted"}))
}

pub fn moment_of(event: HookEvent, input: &Value) -> HookMoment {
    let mut masked = input.clone();
    if let Some(password) = masked.get_mut("password") {
        *password = MASKED.into();
    }
    HookMoment {
        event,
        run: "hok_01HF7YAT00ABCDEFGHJKMNPQR1".parse().unwrap(),
        invocation: "inv_01HF7YAT00ABCDEFGHJKMNPQR0".parse().unwrap(),
        tool: "accounts:login".parse::<assent_ids::ToolId>().unwrap().into(),
        namespace: "accounts".into(),
        name: "login".into(),
        input: json_of(input),
        actor: None,
        session: None,
        decision: None,
        output: None,
        error: None,
        masked: Masked { input: json_of(&masked), output: None },
    }
}

/// A moment of every event, with everything that belongs to it.
fn every_moment() -> Vec<HookMoment> {
    let complete = |event: &HookEvent| {
        let mut moment = moment(*event);
        moment.actor = Some("agent:planner".into());
        moment.session = Some("s-17".into());
        match event {
            HookEvent::PreToolUse => {}
            HookEvent::PermissionRequest => moment.decision = Some(Decision::Ask),
            HookEvent::PermissionDecision => moment.decision = Some(Decision::Allow),
            HookEvent::PostToolUse | HookEvent::ResultPersistence => {
                moment.output = Some(json_of(&json!("logged in with planted")));
                moment.masked.output = Some(json_of(&json!("logged in with [redacted]")));
            }
            HookEvent::PostToolUseFailure => moment.error = Some(ErrorClass::Timeout),
        }
        moment
    };
    HookEvent::ALL.iter().map(complete).collect()
}

#[test]
fn every_moment_fits_its_schema_and_holds_what_belongs_to_it() {
    let schema = schema("moment");
    let hook = "audit".parse().unwrap();
    for moment in every_moment() {
        for sight in [Sight::Masked, Sight::Full] {
            let text = moment::write(&moment, &hook, sight).unwrap();
            let value: Value = serde_json::from_str(&text).unwrap();
            assert!(schema.is_valid(&value), "{text}");
            assert_eq!(text.contains("planted"), sight == Sight::Full, "{text}");
            assert!(!text.contains('\n'));
        }
    }
}

#[test]
fn a_moment_is_written_field_by_field() {
    let hook = "audit".parse().unwrap();
    let text = moment::write(&moment(HookEvent::PreToolUse), &hook, Sight::Masked).unwrap();
    assert_eq!(
        serde_json::from_str::<Value>(&text).unwrap(),
        json!({
            "version": 1,
            "event": "pre_tool_use",
            "hook_id": "audit",
            "run_id": "hok_01HF7YAT00ABCDEFGHJKMNPQR1",
            "invocation_id": "inv_01HF7YAT00ABCDEFGHJKMNPQR0",
            "tool": {"id": "accounts:login", "namespace": "accounts", "name": "login"},
            "masked": true,
            "input": {"user": "ada", "password": MASKED},
        })
    );
}
