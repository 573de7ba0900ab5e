//! Plays single steps.

use std::{path::Path, time::Duration};

use assent_agent::{AgentError, CallError, PendingCall, ToolRequest};
use assent_ids::{CallId, ConversationId};
use assent_protocol::a2h::{RelayEventType, ToolOutcome};
use serde_json::{Value, json};

use super::{Played, Player, expect};
use crate::command::agent::{
    Failure, call_id, conversation, init,
    outcome::CallOutcome,
    script::{ArtifactStep, CallStep, Expectation, Step, WaitFor},
};

/// For this long an expected event is waited for.
const EVENT_LIMIT: Duration = Duration::from_secs(30);

/// For this long the answer to a tool call that is sent as an artifact is waited for, unless the step says otherwise.
const ANSWER_LIMIT: Duration = Duration::from_mins(6);

impl Player {
    pub(super) async fn play(&mut self, step: &Step) -> Result<Played, Failure> {
        match step {
            Step::Wait(what) => self.wait(*what).await.map(Played::new),
            Step::Say(text) => self.say(text).await.map(Played::new),
            Step::Call(call) => self.call(call).await,
            Step::Artifact(artifact) => self.artifact(artifact).await,
            Step::Parallel(calls) => self.parallel(calls).await,
            Step::Publish { file, breaking } => self.publish(file, *breaking).await,
            Step::ExpectEvent(event_type) => Ok(self.expect_event(*event_type).await),
        }
    }

    async fn conversation(&self) -> Result<ConversationId, Failure> {
        conversation::choose(&self.agent, None).await
    }

    async fn wait(&mut self, what: WaitFor) -> Result<Value, Failure> {
        match what {
            WaitFor::Time(time) => {
                tokio::time::sleep(time).await;
                Ok(Value::Null)
            }
            WaitFor::Message => {
                let message = self.inbox.message().await.ok_or(AgentError::Closed)?;
                Ok(json!({
                    "conversation_id": message.conversation_id,
                    "message_id": message.message_id,
                    "sender": message.sender,
                    "content": message.content,
                }))
            }
            WaitFor::Relation => loop {
                let relations = self.agent.relations().await?;
                if let Some(relation) = relations.iter().find(|relation| relation.is_active) {
                    return Ok(json!({
                        "relation_id": relation.relation_id,
                        "conversation_id": relation.conversation_id,
                        "user_id": relation.user_id,
                    }));
                }
                self.inbox.receive().await.ok_or(AgentError::Closed)?;
            },
            WaitFor::Reauth => {
                let conversation = self.conversation().await?;
                while !self.agent.scopes_requiring_reauth(conversation).await?.is_empty() {
                    self.inbox.receive().await.ok_or(AgentError::Closed)?;
                }
                Ok(Value::Null)
            }
        }
    }

    async fn say(&mut self, text: &str) -> Result<Value, Failure> {
        let text = self.insert_text(text)?;
        let sent = self.agent.send(self.conversation().await?, text.as_str()).await?;
        let client_message_id = sent.client_message_id().clone();
        sent.stored().await?;
        Ok(json!({ "client_message_id": client_message_id }))
    }

    async fn call(&mut self, step: &CallStep) -> Result<Played, Failure> {
        let conversation = self.conversation().await?;
        let (call_id, started) = self.start(conversation, step).await?;
        let outcome = finish(call_id, started).await?;
        self.judge(step.expect.as_ref(), step.save.as_deref(), &outcome)
    }

    async fn parallel(&mut self, steps: &[CallStep]) -> Result<Played, Failure> {
        let conversation = self.conversation().await?;
        let mut started = Vec::new();
        for step in steps {
            started.push((step, self.start(conversation, step).await?));
        }
        let (mut outcomes, mut unmet) = (Vec::new(), Vec::new());
        for (step, (call_id, started)) in started {
            let outcome = finish(call_id, started).await?;
            let played = self.judge(step.expect.as_ref(), step.save.as_deref(), &outcome)?;
            unmet.extend(played.unmet.iter().map(|unmet| format!("`{}`: {unmet}", step.tool)));
            outcomes.push(played.outcome);
        }
        Ok(Played { outcome: Value::Array(outcomes), unmet })
    }

    async fn start(
        &self,
        conversation: ConversationId,
        step: &CallStep,
    ) -> Result<(CallId, Result<PendingCall, CallError>), Failure> {
        let call_id = call_id::new()?;
        let arguments = self.insert(&Value::Object(step.arguments.clone()))?;
        let mut request = ToolRequest::new(step.tool.as_str(), arguments).call_id(call_id.clone());
        if let Some(reason) = &step.reason {
            request = request.reason(self.insert_text(reason)?);
        }
        if let Some(timeout) = step.timeout {
            request = request.total_timeout(timeout);
        }
        let started = self.agent.start_call(conversation, request).await;
        Ok((call_id, started))
    }

    /// Saves what came of a call, and compares it with what is expected.
    fn judge(
        &mut self,
        expect: Option<&Expectation>,
        save: Option<&str>,
        outcome: &CallOutcome,
    ) -> Result<Played, Failure> {
        let contained = expect.and_then(|expect| expect.result_contains.clone());
        let contained = contained.map(|part| self.insert(&Value::Object(part))).transpose()?;
        let unmet = expect.map(|expect| expect::unmet(expect, contained.as_ref(), outcome));
        let value = json!(outcome);
        if let Some(name) = save {
            self.saved.insert(name.to_owned(), value.clone());
        }
        Ok(Played { outcome: value, unmet: unmet.unwrap_or_default() })
    }

    async fn artifact(&mut self, step: &ArtifactStep) -> Result<Played, Failure> {
        let artifact = self.insert(&Value::Object(step.artifact.clone()))?;
        let sent = self.agent.send_artifact(self.conversation().await?, &artifact).await?;
        let client_message_id = sent.client_message_id().clone();
        sent.stored().await?;
        if artifact.get("subtype") != Some(&"tool_call".into()) {
            let outcome = json!({ "client_message_id": client_message_id });
            if let Some(name) = &step.save {
                self.saved.insert(name.clone(), outcome.clone());
            }
            let unmet = step.expect.is_some().then(|| "only tool calls have answers".to_owned());
            return Ok(Played { outcome, unmet: unmet.into_iter().collect() });
        }
        let limit = step.timeout.unwrap_or(ANSWER_LIMIT);
        let call_id = call_id_of(&artifact);
        let answer = match &call_id {
            Some(call_id) => tokio::time::timeout(limit, self.inbox.answer(call_id)).await,
            // A call without a usable id gets no answer.
            None => tokio::time::timeout(limit, std::future::pending()).await,
        };
        let ended = match answer {
            Ok(Some(ToolOutcome::Ok { result })) => Ok(result),
            Ok(Some(ToolOutcome::Denied { reason })) => {
                Err(CallError::Denied { reason, detail: None })
            }
            Ok(Some(ToolOutcome::Error { code, reason })) => {
                Err(CallError::Failed { code, reason })
            }
            Ok(Some(ToolOutcome::Pending { .. }) | None) => Err(CallError::Closed),
            Err(_) => Err(CallError::TotalTimeout),
        };
        let outcome = CallOutcome::of(call_id, ended)?;
        self.judge(step.expect.as_ref(), step.save.as_deref(), &outcome)
    }

    async fn publish(&self, file: &Path, breaking: Option<bool>) -> Result<Played, Failure> {
        let manifest = init::read_manifest(&self.folder.join(file), false)?;
        let updated = self.agent.publish(manifest.0).await?;
        let is_breaking = !updated.breaking_changes.is_empty();
        let unmet = breaking.filter(|breaking| *breaking != is_breaking).map(|breaking| {
            let expected = if breaking { "a breaking change" } else { "no breaking change" };
            format!("expected {expected}")
        });
        let outcome = json!({
            "capability_manifest_version": updated.capability_manifest_version,
            "capability_manifest_hash": updated.capability_manifest_hash,
            "breaking": is_breaking,
            "breaking_changes": updated.breaking_changes,
        });
        Ok(Played { outcome, unmet: unmet.into_iter().collect() })
    }

    async fn expect_event(&mut self, event_type: RelayEventType) -> Played {
        let event = self.inbox.event(event_type);
        let came = matches!(tokio::time::timeout(EVENT_LIMIT, event).await, Ok(Some(())));
        let unmet = (!came).then(|| format!("no event `{}` came", event_type.as_str()));
        let outcome = json!({ "type": event_type.as_str(), "came": came });
        Played { outcome, unmet: unmet.into_iter().collect() }
    }
}

async fn finish(
    call_id: CallId,
    started: Result<PendingCall, CallError>,
) -> Result<CallOutcome, Failure> {
    let ended = match started {
        Ok(call) => call.await,
        Err(error) => Err(error),
    };
    Ok(CallOutcome::of(Some(call_id), ended)?)
}

/// The id of a tool call, in either of the places where it may be.
fn call_id_of(artifact: &Value) -> Option<CallId> {
    let id = artifact.get("call_id").or_else(|| artifact.pointer("/payload/call_id"))?;
    id.as_str()?.parse().ok()
}
