//! Values of sensitive fields reach no record.

use std::sync::Arc;

use assent_journal::{RecordLines, export};
use assent_protocol::agent_tool::ErrorClass;
use assent_runtime::{Call, Execution, Executor, Failure, Progress};
use serde_json::json;

use crate::{
    definitions::{contract, with},
    desk::{Desk, Echo, Yes, allow_all},
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
    desk.assert_sound().await;
}
