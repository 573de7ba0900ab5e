//! The steps of `assent demo --script`.

use std::{path::Path, time::Duration};

use assent_agent::{Agent, CallError, ToolRequest};
use assent_device::{DecidedBy, Decision, Device, Interface, PendingReview, ReviewAnswer, Timings};
use assent_ids::{AgentId, ConversationId};
use serde::Serialize;
use serde_json::{Value, json};

use super::{
    manifests,
    person::{Reaction, react},
    scene::{Scene, SceneError, SceneOptions},
};
use crate::{exit::Exit, output};

/// How long a prompt of high sensitivity waits for the person who ignores it.
const PROMPT_TIMEOUT: Duration = Duration::from_secs(2);

/// How long the device may take to see that the agent has changed what it declares.
const REVIEW_WAIT: Duration = Duration::from_secs(20);

/// The most entries of the audit log that are looked at.
const MAX_ENTRIES: u32 = 50;

/// A line of the output.
#[derive(Serialize)]
struct Line {
    step: &'static str,
    #[serde(skip_serializing_if = "Option::is_none")]
    status: Option<&'static str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    reason: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    decided_by: Option<DecidedBy>,
    ok: bool,
}

/// How a call should end.
#[derive(Clone, Copy)]
struct Expected {
    status: &'static str,
    reason: Option<&'static str>,
    decided_by: DecidedBy,
}

const fn ok(decided_by: DecidedBy) -> Expected {
    Expected { status: "ok", reason: None, decided_by }
}

const fn denied(reason: &'static str, decided_by: DecidedBy) -> Expected {
    Expected { status: "denied", reason: Some(reason), decided_by }
}

/// Runs all steps and prints a line for each.
pub(super) async fn run(directory: &Path) -> Result<Exit, SceneError> {
    let timings = Timings { high: PROMPT_TIMEOUT, ..Timings::default() };
    let options = SceneOptions { timings, lang: None, with_agent: true };
    let scene = Scene::set_up(directory, options).await?;
    let agent = scene.agent.clone().ok_or("the demo has no agent")?;
    let conversation = add_agent(&scene.device, agent.id()).await?;
    let device = scene.device.clone();
    let mut steps = Steps { device, agent, conversation, all_ok: true };
    steps.before_the_change(&scene.page.url()).await?;
    steps.change().await?;
    let ok = steps.all_ok;
    drop(steps);
    scene.end().await;
    let exit = if ok { Exit::AsAsked } else { Exit::Bad };
    Ok(output::json(exit, &json!({ "done": true, "ok": ok })))
}

/// Adds the agent with every permission that it declares.
async fn add_agent(device: &Device, agent: AgentId) -> Result<ConversationId, SceneError> {
    let offer = device.look_up_agent(agent, None).await?;
    let scopes = offer.scopes.iter().map(|scope| scope.id.clone()).collect();
    Ok(device.add_agent(offer.grant(scopes)).await?.conversation_id)
}

struct Steps {
    device: Device,
    agent: Agent,
    conversation: ConversationId,
    all_ok: bool,
}

impl Steps {
    async fn before_the_change(&mut self, page: &str) -> Result<(), SceneError> {
        use Decision::{Allow24h, AllowOnce, Deny};
        let answer = Reaction::Answer;
        let (person, policy) = (DecidedBy::Terminal, DecidedBy::Policy);
        let notes = || ToolRequest::new("read_file", json!({ "path": "notes.md" }));
        let todo = ToolRequest::new("read_file", json!({ "path": "todo.md" }));
        let notify = ToolRequest::new("send_notification", json!({ "title": "Hello" }));
        let fetch = ToolRequest::new("fetch_url", json!({ "url": page }));
        let locate = || ToolRequest::new("get_location", json!({}));
        // A notification needs a person who can see it.
        let attachment = self.device.attach(Interface::Terminal);
        self.call("notify", notify, Reaction::None, ok(policy)).await?;
        self.call("read_notes", notes(), answer(Allow24h), ok(person)).await?;
        self.call("read_todo", todo, Reaction::None, ok(DecidedBy::Silence)).await?;
        self.call("fetch", fetch, answer(AllowOnce), ok(person)).await?;
        let refused = denied("user_refused", person);
        self.call("locate", locate(), answer(Deny), refused).await?;
        let timeout = denied("user_timeout", DecidedBy::Nobody);
        drop(attachment);
        self.call("locate_again", locate(), Reaction::Ignore, timeout).await
    }

    /// The agent declares something else, and the person agrees again.
    async fn change(&mut self) -> Result<(), SceneError> {
        let published = self.agent.publish(manifests::second()).await?;
        let is_breaking = !published.breaking_changes.is_empty();
        self.line("publish", None, None, None, is_breaking);
        let review = self.next_review().await?;
        let request = || {
            let arguments = json!({ "path": "notes.md", "encoding": "utf-8" });
            ToolRequest::new("read_file", arguments)
        };
        let expected = denied("scope_not_granted", DecidedBy::Policy);
        self.call("read_before", request(), Reaction::None, expected).await?;
        let answer = ReviewAnswer {
            granted_scopes: Some(review.granted_scopes.clone()),
            manifest_hash: review.manifest_hash.clone(),
            view_digest: review.view_digest.to_string(),
        };
        self.device.answer_review(review.relation_id, answer).await?;
        let is_answered = self.device.reviews().await?.is_empty();
        self.line("review", None, None, None, is_answered);
        let reaction = Reaction::Answer(Decision::AllowOnce);
        self.call("read_after", request(), reaction, ok(DecidedBy::Terminal)).await
    }

    async fn next_review(&self) -> Result<PendingReview, SceneError> {
        let mut events = self.device.events();
        let waiting = async {
            loop {
                if let Some(review) = self.device.reviews().await?.into_iter().next() {
                    return Ok(review);
                }
                events.recv().await?;
            }
        };
        tokio::time::timeout(REVIEW_WAIT, waiting).await?
    }

    /// Calls a tool while the person reacts, and looks up in the audit log who decided.
    async fn call(
        &mut self,
        step: &'static str,
        request: ToolRequest,
        reaction: Reaction,
        expected: Expected,
    ) -> Result<(), SceneError> {
        let pending = self.agent.start_call(self.conversation, request).await?;
        let call_id = pending.id().clone();
        let (result, ()) = tokio::join!(pending, react(&self.device, reaction));
        let (status, reason) = outcome(result);
        let entries = self.device.audit(None, MAX_ENTRIES).await?;
        let entry = entries.iter().find(|entry| entry.call_id == call_id);
        let decided_by = entry.map(|entry| entry.decided_by);
        let is_expected = status == expected.status
            && reason.as_deref() == expected.reason
            && decided_by == Some(expected.decided_by);
        self.line(step, Some(status), reason, decided_by, is_expected);
        Ok(())
    }

    fn line(
        &mut self,
        step: &'static str,
        status: Option<&'static str>,
        reason: Option<String>,
        decided_by: Option<DecidedBy>,
        ok: bool,
    ) {
        self.all_ok &= ok;
        output::json(Exit::AsAsked, &Line { step, status, reason, decided_by, ok });
    }
}

fn outcome(result: Result<Value, CallError>) -> (&'static str, Option<String>) {
    match result {
        Ok(_) => ("ok", None),
        Err(CallError::Denied { reason, .. }) => ("denied", Some(reason.to_string())),
        Err(CallError::Failed { reason, .. }) => ("error", Some(reason.to_string())),
        Err(error) => ("none", Some(error.to_string())),
    }
}
