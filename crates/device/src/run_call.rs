//! Takes a call through the runtime and answers it.

use std::{sync::Arc, time::Duration};

use assent_ids::{Clock as _, SystemClock};
use assent_protocol::a2h::ToolResponse;
use assent_runtime::{ModelInput, Request};

use crate::{
    DeviceEvent,
    audit::Stamp,
    call_record::{CallRecord, ReceivedCall},
    device::Shared,
    outcome::response_of,
    prompt_subject::PromptSubject,
    works::{AnswerCall, FindRelation},
};

/// The wait before an answer that could not be stored is stored again.
const RETRY_DELAY: Duration = Duration::from_secs(1);

/// Runs a call in a task of its own. It is stored, so that it runs after the next start if this one is interrupted.
pub(crate) fn spawn(shared: &Arc<Shared>, record: CallRecord) {
    let task = Arc::clone(shared);
    shared.spawn(async move { run(&task, record).await });
}

async fn run(shared: &Shared, record: CallRecord) {
    let invocation = record.call.invocation;
    if shared.is_paused(record.call.agent_id).await {
        return shared.pause_call(record);
    }
    if let Some(subject) = subject(shared, &record.call).await {
        shared.prompts.describe(invocation, subject, record.is_withdrawn);
    }
    let (runtime, request) = (shared.runtime.clone(), request(&record.call));
    // A task of its own, because dropping the call would cancel it: when the device stops, the call goes on after the
    // next start.
    let running = tokio::spawn(async move { runtime.call(request).await });
    let Ok(result) = running.await else { return };
    shared.prompts.forget(invocation);
    let response = response_of(record.call.call_id.clone(), result.record());
    answer(shared, &record, response).await;
}

async fn answer(shared: &Shared, record: &CallRecord, response: ToolResponse) {
    let head = loop {
        let answer = AnswerCall {
            mailbox: shared.mailbox.clone(),
            answer_id: record.answer_id.clone(),
            response: response.clone(),
            stamp: Stamp { entry_id: shared.minter.mint(), at: SystemClock.now() },
        };
        match shared.database.write(answer).await {
            Ok(head) => break head,
            Err(error) => tracing::error!(%error, "an answer cannot be stored"),
        }
        tokio::time::sleep(RETRY_DELAY).await;
    };
    shared.outbox_changed();
    if let Some(head) = head {
        shared.write_audit_head(head).await;
    }
    shared.events.announce(DeviceEvent::CallUpdated {
        invocation_id: record.call.invocation,
        agent_id: record.call.agent_id,
        conversation_id: record.call.conversation,
    });
}

fn request(call: &ReceivedCall) -> Request {
    let input = ModelInput::from_value(&call.arguments);
    let tool = format!("{}/{}", call.agent_id, call.tool);
    Request {
        invocation: Some(call.invocation),
        actor: Some(call.agent_id.to_string().into()),
        session: Some(call.conversation.to_string().into()),
        native_call_id: call.call_id.as_str().parse().ok(),
        timeout: call.timeout_ms.map(Duration::from_millis),
        ..Request::new(tool, input)
    }
}

/// What is known about a call; `None` if its tool is not declared.
async fn subject(shared: &Shared, call: &ReceivedCall) -> Option<PromptSubject> {
    let find = FindRelation(shared.mailbox.clone(), call.agent_id);
    let relation = shared.database.read(find).await.unwrap_or_else(|error| {
        tracing::error!(%error, "a relation cannot be read");
        None
    })?;
    let tool = shared.settings.adapt(relation.tool(&call.tool).ok()??);
    Some(PromptSubject::new(shared, call, &relation, &tool))
}
