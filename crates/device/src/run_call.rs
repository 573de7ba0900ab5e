//! Takes a call through the runtime and answers it.

use std::{sync::Arc, time::Duration};

use assent_protocol::a2h::{Sensitivity, ToolOutcome, ToolResponse};
use assent_runtime::{ModelInput, Request};

use crate::{
    AgentTool, DeviceRelation,
    call_record::{CallRecord, ReceivedCall},
    device::Shared,
    outcome::outcome_of,
    prompts::PromptSubject,
    silences::SilenceKey,
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
    shared.prompts.describe(invocation, subject(shared, &record.call).await);
    let (runtime, request) = (shared.runtime.clone(), request(&record.call));
    // A task of its own, because dropping the call would cancel it: when the device stops, the call goes on after the
    // next start.
    let running = tokio::spawn(async move { runtime.call(request).await });
    let Ok(result) = running.await else { return };
    shared.prompts.forget(invocation);
    answer(shared, &record, outcome_of(result.record())).await;
}

async fn answer(shared: &Shared, record: &CallRecord, outcome: ToolOutcome) {
    let response = ToolResponse::new(record.call.call_id.clone(), outcome);
    loop {
        let answer = AnswerCall {
            mailbox: shared.mailbox.clone(),
            answer_id: record.answer_id.clone(),
            response: response.clone(),
        };
        match shared.database.write(answer).await {
            Ok(()) => return shared.outbox_changed(),
            Err(error) => tracing::error!(%error, "an answer cannot be stored"),
        }
        tokio::time::sleep(RETRY_DELAY).await;
    }
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

/// What the person is shown about a call besides its arguments. What is not known counts as sensitive.
async fn subject(shared: &Shared, call: &ReceivedCall) -> PromptSubject {
    let find = FindRelation(shared.mailbox.clone(), call.agent_id);
    let relation = shared.database.read(find).await.unwrap_or_else(|error| {
        tracing::error!(%error, "a relation cannot be read");
        None
    });
    let tool = relation.as_ref().and_then(|relation| relation.tool(&call.tool).ok()?);
    let scope = tool.as_ref().map(|tool| tool.declared.permission_scope.as_str());
    let silence = relation.as_ref().zip(tool.as_ref());
    PromptSubject {
        agent_id: call.agent_id,
        tool: call.tool.clone(),
        sensitivity: tool.as_ref().map_or(Sensitivity::High, |tool| tool.sensitivity),
        reason: call.reason.clone(),
        silence: silence.map(|(relation, tool)| silence_key(shared, call, relation, tool)),
        names_other_scope: call.permission_scope.is_some()
            && call.permission_scope.as_deref() != scope,
    }
}

fn silence_key(
    shared: &Shared,
    call: &ReceivedCall,
    relation: &DeviceRelation,
    tool: &AgentTool,
) -> SilenceKey {
    let place = shared.tools.place(tool, &call.arguments);
    let scope = tool.declared.permission_scope.as_str();
    let hash = &relation.manifest_hash;
    SilenceKey::new(call.agent_id, call.conversation, &call.tool, scope, hash, place.as_deref())
}
