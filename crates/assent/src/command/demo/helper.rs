//! The agent of the demo: it walks the person through what an agent can ask for, and then answers messages.

use std::{sync::Arc, time::Duration};

use assent_agent::{Agent, AgentError, AgentEvent, CallError, IncomingMessage, ToolRequest};
use assent_ids::ConversationId;
use assent_protocol::a2h::DeniedReason;
use serde_json::{Value, json};
use tokio::sync::Notify;

use super::{manifests, texts::Texts};

/// How often the agent looks again if no event wakes it.
const LOOK_AGAIN: Duration = Duration::from_secs(2);

/// How long the person may take to agree to the change before the agent goes on without.
const AGREEMENT_WAIT: Duration = Duration::from_secs(30 * 60);

/// The longest part of a result that the agent repeats, in characters.
const MAX_SHOWN: usize = 600;

/// The agent of the demo.
pub(super) struct Helper {
    agent: Agent,
    texts: Texts,
    page: String,
    /// Notified when the relation with a person has changed.
    relation_changed: Arc<Notify>,
}

impl Helper {
    pub(super) fn new(agent: Agent, texts: Texts, page: String) -> Self {
        let relation_changed = Arc::new(Notify::new());
        let changed = Arc::clone(&relation_changed);
        agent.add_event_handler(move |event| {
            if let AgentEvent::Relay(event) = event
                && event.body.event_type().starts_with("relation.")
            {
                changed.notify_one();
            }
            async { Ok(()) }
        });
        Self { agent, texts, page, relation_changed }
    }

    /// Waits until a person has added the agent, goes through the steps, and then answers messages.
    pub(super) async fn run(self) {
        if let Err(error) = self.go().await {
            tracing::error!(%error, "the agent of the demo stopped");
        }
    }

    async fn go(&self) -> Result<(), AgentError> {
        let conversation = self.added().await?;
        self.steps(conversation).await?;
        self.agree_again(conversation).await?;
        self.say(conversation, self.texts.summary).await?;
        self.answer_messages(conversation);
        self.say(conversation, self.texts.can_do).await
    }

    /// Waits until a person has added the agent.
    async fn added(&self) -> Result<ConversationId, AgentError> {
        loop {
            let relations = self.agent.relations().await?;
            if let Some(relation) = relations.iter().find(|relation| relation.is_active) {
                return Ok(relation.conversation_id);
            }
            // A lost wake-up costs a moment, not the demo.
            let _ = tokio::time::timeout(LOOK_AGAIN, self.relation_changed.notified()).await;
        }
    }

    async fn steps(&self, conversation: ConversationId) -> Result<(), AgentError> {
        let texts = &self.texts;
        self.say(conversation, texts.greeting).await?;
        let title = json!({ "title": texts.notification });
        let _ = self.call(conversation, "send_notification", title, None).await;
        let read = |path: &str| json!({ "path": path });
        let steps = [
            ("read_file", read("notes.md"), texts.why_notes, texts.notes),
            ("read_file", read("todo.md"), texts.why_todo, texts.todo),
            ("fetch_url", json!({ "url": self.page }), texts.why_page, texts.page),
            ("get_location", json!({}), texts.why_location, texts.location),
        ];
        for (tool, arguments, why, done) in steps {
            let outcome = self.call(conversation, tool, arguments, Some(why)).await;
            self.report(conversation, done, outcome).await?;
        }
        Ok(())
    }

    /// Declares something else, and goes on when the person has agreed or refused.
    async fn agree_again(&self, conversation: ConversationId) -> Result<(), AgentError> {
        self.agent.publish(manifests::second()).await?;
        self.say(conversation, self.texts.changed).await?;
        let read = || json!({ "path": "notes.md", "encoding": "utf-8" });
        let mut is_announced = false;
        let deadline = tokio::time::Instant::now() + AGREEMENT_WAIT;
        loop {
            let outcome = self.call(conversation, "read_file", read(), None).await;
            let is_paused = matches!(
                &outcome,
                Err(CallError::Denied { reason, .. })
                    if reason.known() == Some(DeniedReason::ScopeNotGranted)
            );
            if !is_paused || tokio::time::Instant::now() > deadline {
                if outcome.is_ok() {
                    self.say(conversation, self.texts.agreed).await?;
                }
                return self.report(conversation, self.texts.notes, outcome).await;
            }
            if !is_announced {
                self.say(conversation, self.texts.paused).await?;
                is_announced = true;
            }
            // The person's answer changes the relation. The device has it a moment before the agent hears of it.
            let left = deadline.saturating_duration_since(tokio::time::Instant::now());
            let _ = tokio::time::timeout(left, self.relation_changed.notified()).await;
        }
    }

    /// Answers messages: an address is fetched, the name of a file is read.
    fn answer_messages(&self, conversation: ConversationId) {
        let (agent, texts) = (self.agent.clone(), self.texts);
        self.agent.add_message_handler(move |message: IncomingMessage| {
            let helper = Answering { agent: agent.clone(), texts };
            async move {
                if message.conversation_id == conversation
                    && let Some(text) = message.text()
                {
                    // A call waits for the person; other messages must not wait for it.
                    let text = text.to_owned();
                    tokio::spawn(async move { helper.answer(conversation, &text).await });
                }
                Ok(())
            }
        });
    }

    async fn say(&self, conversation: ConversationId, text: &str) -> Result<(), AgentError> {
        self.agent.send(conversation, text).await.map(|_| ())
    }

    async fn call(
        &self,
        conversation: ConversationId,
        tool: &str,
        arguments: Value,
        reason: Option<&str>,
    ) -> Result<Value, CallError> {
        let request = ToolRequest::new(tool, arguments);
        let request = match reason {
            Some(reason) => request.reason(reason),
            None => request,
        };
        self.agent.call_tool(conversation, request).await
    }

    async fn report(
        &self,
        conversation: ConversationId,
        done: &str,
        outcome: Result<Value, CallError>,
    ) -> Result<(), AgentError> {
        self.say(conversation, &in_words(&self.texts, done, outcome)).await
    }
}

/// Answers one message.
struct Answering {
    agent: Agent,
    texts: Texts,
}

impl Answering {
    async fn answer(&self, conversation: ConversationId, message: &str) {
        let (texts, message) = (&self.texts, message.trim());
        let request = if message.starts_with("http://") || message.starts_with("https://") {
            Some((ToolRequest::new("fetch_url", json!({ "url": message })), texts.page))
        } else if message.contains('.') && !message.contains(char::is_whitespace) {
            let arguments = json!({ "path": message, "encoding": "utf-8" });
            Some((ToolRequest::new("read_file", arguments), texts.notes))
        } else {
            None
        };
        let reply = match request {
            None => texts.can_do.to_owned(),
            Some((request, done)) => {
                let outcome = self.agent.call_tool(conversation, request).await;
                in_words(texts, done, outcome)
            }
        };
        if let Err(error) = self.agent.send(conversation, reply.as_str()).await {
            tracing::warn!(%error, "an answer could not be sent");
        }
    }
}

/// What the agent says about the end of a call.
fn in_words(texts: &Texts, done: &str, outcome: Result<Value, CallError>) -> String {
    match outcome {
        Ok(result) => format!("{done}\n\n{}", shown(&result)),
        Err(CallError::Denied { reason, .. }) => match reason.known() {
            Some(DeniedReason::UserRefused) => texts.refused.to_owned(),
            Some(DeniedReason::UserTimeout) => texts.timed_out.to_owned(),
            _ => texts.not_granted.to_owned(),
        },
        Err(error) => format!("{} {error}", texts.failed),
    }
}

/// The part of a result that a person wants to read.
fn shown(result: &Value) -> String {
    let text = ["content", "body"].iter().find_map(|name| result.get(*name)?.as_str());
    let text = text.map_or_else(|| result.to_string(), |text| text.trim().to_owned());
    text.chars().take(MAX_SHOWN).collect()
}
