//! Values of sensitive fields reach no record.

use std::sync::Arc;

use assent_journal::{Fact, RecordLines, export};
use assent_json::Json;
use assent_protocol::agent_tool::ErrorClass;
use assent_runtime::{Call, Execution, Executor, Failure, Progress};
use serde_json::json;

use crate::{
    actors::Spy,
    definitions::{contract, with},
    desk::{Desk, Echo, Yes, allow_all},
    story::{of_kind, records},
};

const SECRET: &str = "planted-7f3a-secret";

/// Says its secret wherever it can.
struct Chatty;

impl Executor for Chatty {
    fn execute<'a>(&'a self, call: &'a Call) -> Execution<'a> {
        Box::pin(async move {
            call.progress(Progress {
                message: Some(format!("using {SECRET}")),
                ..Progress::default()
            });
            Err(Failure::new(ErrorClass::ExecutionFailed, format!("{SECRET} was refused")))
        })
    }
}

/// Says the PIN and the name that it was given, in the middle of texts.
struct Teller;

impl Executor for Teller {
    fn execute<'a>(&'a self, call: &'a Call) -> Execution<'a> {
        Box::pin(async move {
            let input = call.input.to_value();
            let (pin, name) = (input["pin"].as_str().unwrap(), input["name"].as_str().unwrap());
            let message = Some(format!("trying {pin} for 客户{name}先生"));
            let extra = [("argv".to_owned(), json!(["--pin", pin, format!("--to={name}")]))];
            let extra = extra.into_iter().collect();
            call.progress(Progress { message, extra, ..Progress::default() });
            call.partial(
                Json::from_value(&json!({"tried": format!("PIN {pin}"), "for": name})).unwrap(),
            );
            let message = format!("PIN {pin} is wrong, {name}没有开户; 1234 calls are left");
            Err(Failure::new(ErrorClass::ExecutionFailed, message))
        })
    }
}

/// Item 61: a secret is one, however short it is. Words that merely hold it stay whole.
#[tokio::test(start_paused = true)]
async fn short_secrets_are_taken_out_of_progress_errors_and_partial_results() {
    let mut teller = with("accounts", "teller", |_| {});
    let contract = contract(&mut teller);
    contract.model_input_schema = Some(json!({
        "type": "object",
        "properties": {"pin": {"type": "string"}, "name": {"type": "string"}}
    }));
    contract.sensitive_fields = Some(vec!["/pin".to_owned(), "/name".to_owned()]);
    teller.execution.supports_partial_results = Some(true);
    let desk = Desk::new(vec![(teller, Arc::new(Teller))], |builder| builder.policy(allow_all()));
    let result = desk.call("teller", json!({"pin": "123", "name": "李雷"})).await;
    let report = of_kind(&desk, "tool_progress").await.remove(0);
    assert_eq!(report["message"], "trying [redacted] for 客户[redacted]先生");
    assert_eq!(report["argv"], json!(["--pin", "[redacted]", "--to=[redacted]"]));
    let error = result.error.as_ref().unwrap().typed().unwrap();
    let told = "PIN [redacted] is wrong, [redacted]没有开户; 1234 calls are left";
    assert_eq!(error.message.as_deref(), Some(told));
    let partial = desk.entries().await.into_iter().find_map(|entry| match &entry.draft.fact {
        Fact::Partial(part) => Some(part.to_value()),
        _ => None,
    });
    assert_eq!(partial.unwrap(), json!({"tried": "PIN [redacted]", "for": "[redacted]"}));
    let all = format!("{:?}", records(&desk).await);
    assert!(!all.contains("李雷"), "a record holds the name");
}

fn login(name: &str) -> assent_runtime::ToolDefinition {
    let mut definition = with("accounts", name, |_| {});
    let contract = contract(&mut definition);
    contract.model_input_schema = Some(json!({
        "type": "object",
        "properties": {"user": {"type": "string"}, "password": {"type": "string"}}
    }));
    contract.sensitive_fields = Some(vec!["/password".to_owned()]);
    definition
}

/// Item 61: what a producer fills in for a sensitive field is as secret as what a caller writes there.
#[tokio::test(start_paused = true)]
async fn a_sensitive_default_reaches_the_tool_and_no_record() {
    let spy = Arc::new(Spy::default());
    let mut connect = login("connect");
    contract(&mut connect).defaults = Some(json!({"password": SECRET, "user": "guest"}));
    contract(&mut connect).examples = Some(vec![json!({"user": "ann", "password": SECRET})]);
    let tools = vec![(connect, Arc::clone(&spy) as Arc<dyn Executor>)];
    let desk = Desk::new(tools, |builder| builder.policy(allow_all()));
    let result = desk.call("connect", json!({})).await;
    assert_eq!(result.status.as_str(), "redacted");
    assert_eq!(*spy.inputs.lock().unwrap(), [json!({"user": "guest", "password": SECRET})]);

    let declared = of_kind(&desk, "tool_declaration").await.remove(0);
    let contract = &declared["input_contract"];
    assert_eq!(contract["defaults"], json!({"user": "guest", "password": "[redacted]"}));
    assert_eq!(contract["examples"], json!([{"user": "ann", "password": "[redacted]"}]));
    let mut exported = serde_json::to_vec(&*result).unwrap();
    export(&*desk.journal, &mut exported).await.unwrap();
    exported.extend(format!("{:?}", records(&desk).await).into_bytes());
    assert!(!String::from_utf8(exported).unwrap().contains(SECRET), "a record holds the default");
}

/// Item 61.
#[tokio::test(start_paused = true)]
async fn a_planted_secret_is_in_no_record_no_export_and_no_question() {
    let person = Yes::allow();
    let tools = vec![
        (login("echo"), Arc::new(Echo::default()) as Arc<dyn Executor>),
        (login("chatty"), Arc::new(Chatty)),
    ];
    let asked = Arc::clone(&person);
    let desk = Desk::new(tools, |builder| builder.approver(asked as _));
    for (tool, input) in [
        ("echo", json!({"user": "a", "password": SECRET})),
        ("chatty", json!({"user": "a", "password": SECRET})),
        ("chatty", json!({"user": 7, "password": SECRET})),
    ] {
        desk.call(tool, input).await;
    }
    desk.runtime.set_policy(allow_all());
    desk.call("echo", json!({"user": "b", "password": SECRET})).await;

    let mut exported = Vec::new();
    export(&*desk.journal, &mut exported).await.unwrap();
    let mut lines = RecordLines::default();
    for entry in desk.entries().await {
        lines.write(&entry, &mut exported).unwrap();
    }
    let text = String::from_utf8(exported).unwrap();
    assert!(!text.contains(SECRET), "a record holds the secret");
    for prompt in person.asked.lock().unwrap().iter() {
        assert!(!format!("{:?}", prompt.view).contains(SECRET));
        assert!(!format!("{prompt:?}").contains(SECRET));
    }
}
