//! The functions for programs that embed the runtime, and the guide to them.

use std::sync::Arc;

use assent_runtime::prelude::*;
use serde::Deserialize;
use serde_json::json;

use crate::{
    desk::{Desk, allow_all},
    story::as_value,
};

const GUIDE: &str = include_str!("../../../../docs/embedding.md");
const EXAMPLE: &str = include_str!("../../examples/embed.rs");

/// The content of the only code block of this language in the guide.
fn code_block(language: &str) -> &'static str {
    let start = format!("```{language}\n");
    let mut blocks = GUIDE.split(&start).skip(1);
    let block = blocks.next().unwrap().split("```").next().unwrap();
    assert!(blocks.next().is_none(), "there are several blocks of {language}");
    block
}

#[test]
fn the_guide_shows_the_example_in_at_most_fifty_lines() {
    assert_eq!(code_block("rust"), EXAMPLE);
    assert!(EXAMPLE.lines().count() <= 50);
}

#[tokio::test(start_paused = true)]
async fn the_rules_of_the_guide_decide_as_it_says() {
    let schema = json!({"type": "object", "properties": {"path": {"type": "string"}}});
    let publish = ToolDefinition::native("files", "publish", schema).unwrap();
    let done = executor_fn(|_call| async { Ok(Output::text("done")) });
    let policy = Policy::read(code_block("yaml").as_bytes(), Format::Yaml).unwrap();
    let desk = Desk::new(vec![(publish, done)], |builder| builder.policy(policy));
    for (path, status, reason) in [
        ("notes/today.md", "succeeded", "rule `notes` allows"),
        ("notes/.env", "denied", "rule `no-secrets` denies"),
        ("diary.md", "denied", "ask"),
    ] {
        let result = desk.call("publish", json!({"path": path})).await;
        assert_eq!(result.status.as_str(), status, "{path}");
        let call = result.invocation_id.strict().unwrap();
        let explanation = desk.runtime.explain(call).await.unwrap().unwrap().to_string();
        assert!(explanation.contains(reason), "{explanation}");
    }
}

#[tokio::test(start_paused = true)]
async fn a_call_that_is_not_in_the_journal_has_no_explanation() {
    let desk = Desk::new(Vec::new(), |builder| builder);
    let call = "inv_01M7QSE89A4Q666CX0AQP2QRDY".parse().unwrap();
    assert!(desk.runtime.explain(call).await.unwrap().is_none());
}

#[test]
fn a_value_that_strict_json_cannot_hold_is_no_output() {
    let failure = Output::json(&u64::MAX).unwrap_err();
    assert_eq!(failure.class, ErrorClass::ResultMappingFailed);
    assert!(Output::json(&(1_u64 << 53)).is_ok());
}

#[derive(Debug, Deserialize)]
struct Amount {
    #[expect(dead_code, reason = "only read")]
    amount: u8,
}

#[tokio::test(start_paused = true)]
async fn arguments_that_the_code_cannot_read_are_refused_without_their_values() {
    let definition = ToolDefinition::native("bank", "pay", json!({"type": "object"})).unwrap();
    let pay = executor_fn(|call| async move {
        let _amount: Amount = call.arguments()?;
        Output::json(&json!({"paid": true}))
    });
    let desk = Desk::new(vec![(definition, pay)], |builder| builder.policy(allow_all()));
    let result = as_value(&desk.call("pay", json!({"amount": 1})).await);
    assert_eq!(result["structured_content"], json!({"paid": true}), "{result:#}");
    let result = as_value(&desk.call("pay", json!({"amount": "7421"})).await);
    assert_eq!(result["error"]["error_class"], "invalid_arguments", "{result:#}");
    assert!(!result.to_string().contains("7421"), "{result:#}");
}

#[tokio::test(start_paused = true)]
async fn a_native_tool_needs_an_approval_unless_it_only_reads() {
    let schema = json!({"description": "Looks.", "type": "object"});
    let look = ToolDefinition::native("files", "look", schema.clone()).unwrap().read_only();
    let change = ToolDefinition::native("files", "change", schema).unwrap();
    assert_eq!(look.declaration.description, "Looks.");
    let done = executor_fn(|_call| async { Ok(Output::text("done")) });
    let tools = vec![(look, Arc::clone(&done)), (change, done)];
    let desk = Desk::new(tools, |builder| builder);
    assert_eq!(desk.call("look", json!({})).await.status.as_str(), "succeeded");
    assert_eq!(desk.call("change", json!({})).await.status.as_str(), "denied");
}

#[test]
fn a_name_with_a_space_is_invalid() {
    assert!(ToolDefinition::native("files", "read all", json!({})).is_err());
    assert!(ToolDefinition::native("my files", "read", json!({})).is_err());
}
