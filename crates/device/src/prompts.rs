//! The open prompts.

use std::{
    collections::BTreeMap,
    fmt,
    sync::{Arc, Mutex, MutexGuard, PoisonError},
    time::Duration,
};

use assent_ids::{AgentId, Clock as _, InvocationId, PromptId, SystemClock, UnixMillis};
use assent_json::Digest;
use assent_mailbox::{Mailbox, MailboxError};
use assent_protocol::a2h::Sensitivity;
use assent_store::Database;
use tokio::sync::watch;

use crate::{
    Decision, DeviceEvent, Interface, Prompt, PromptAnswer, PromptError, Timings,
    attachments::Attachments,
    events::Events,
    outcome,
    prompt_record::{PromptEnd, PromptRecord, Resolution},
    prompt_subject::PromptSubject,
    prompt_works::{EndPrompts, ExtendPrompt},
    silence::SilenceKey,
    tool_standing::Lesson,
};

/// A yes counts only this long after the prompt has appeared, so that a click that was meant for something else
/// decides nothing.
const INERT: Duration = Duration::from_millis(500);

/// How long a prompt of high sensitivity waits until it is on screen, if one is attached.
const UNSEEN: Duration = Duration::from_mins(5);

/// How much time a person can take.
const HOLD: Duration = Duration::from_mins(10);

/// The most prompts of one agent that are open at once, and of all agents.
const MAX_OF_AGENT: usize = 3;
const MAX_OPEN: usize = 12;

/// The prompts of a device.
pub(crate) struct Prompts {
    pub(crate) database: Database,
    pub(crate) mailbox: Mailbox,
    pub(crate) timings: Timings,
    pub(crate) is_unattended: bool,
    pub(crate) events: Events,
    attachments: Arc<Attachments>,
    calls: Mutex<BTreeMap<InvocationId, Arc<AskingCall>>>,
    open: Mutex<BTreeMap<PromptId, OpenPrompt>>,
    /// Held while a prompt is opened, changed or closed: what is stored and what is in `open` then agree.
    pub(crate) changing: tokio::sync::Mutex<()>,
}

/// A call that may ask.
pub(crate) struct AskingCall {
    pub(crate) subject: PromptSubject,
    /// Whether the agent does not want it any more.
    pub(crate) withdrawn: watch::Sender<bool>,
}

/// Calls with equal keys are asked about once at a time.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct EqualCalls {
    pub(crate) agent_id: AgentId,
    pub(crate) tool: String,
    pub(crate) arguments: Digest,
}

struct OpenPrompt {
    prompt: Prompt,
    equal: EqualCalls,
    silence: Option<SilenceKey>,
    is_shown: bool,
    is_held: bool,
    state: watch::Sender<PromptState>,
}

/// What those who wait for a prompt watch.
#[derive(Clone, Copy, Debug)]
pub(crate) struct PromptState {
    pub(crate) not_after: UnixMillis,
    pub(crate) end: Option<PromptEnd>,
}

impl Prompts {
    pub(crate) fn new(
        database: Database,
        mailbox: Mailbox,
        timings: Timings,
        is_unattended: bool,
        events: Events,
        attachments: Arc<Attachments>,
    ) -> Arc<Self> {
        Arc::new(Self {
            database,
            mailbox,
            timings,
            is_unattended,
            events,
            attachments,
            calls: Mutex::default(),
            open: Mutex::default(),
            changing: tokio::sync::Mutex::default(),
        })
    }

    fn open(&self) -> MutexGuard<'_, BTreeMap<PromptId, OpenPrompt>> {
        self.open.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn calls(&self) -> MutexGuard<'_, BTreeMap<InvocationId, Arc<AskingCall>>> {
        self.calls.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Says what a call is, before it is requested.
    pub(crate) fn describe(
        &self,
        invocation: InvocationId,
        subject: PromptSubject,
        withdrawn: bool,
    ) {
        let call = AskingCall { subject, withdrawn: watch::Sender::new(withdrawn) };
        self.calls().insert(invocation, Arc::new(call));
    }

    /// Forgets a call that has ended.
    pub(crate) fn forget(&self, invocation: InvocationId) {
        self.calls().remove(&invocation);
    }

    /// A call that runs.
    pub(crate) fn call(&self, invocation: InvocationId) -> Option<Arc<AskingCall>> {
        self.calls().get(&invocation).cloned()
    }

    /// Closes the prompt about a call that the agent has withdrawn. A tool that runs goes on.
    pub(crate) fn withdraw(&self, invocation: InvocationId) {
        if let Some(call) = self.call(invocation) {
            call.withdrawn.send_replace(true);
        }
    }

    /// The open prompts, the oldest first.
    pub(crate) fn list(&self) -> Vec<Prompt> {
        self.open().values().map(|open| open.prompt.clone()).collect()
    }

    /// The open prompt about an equal call.
    pub(crate) fn equal(&self, calls: &EqualCalls) -> Option<watch::Receiver<PromptState>> {
        let open = self.open();
        open.values().find(|open| open.equal == *calls).map(|open| open.state.subscribe())
    }

    /// Whether another prompt of an agent may be opened.
    pub(crate) fn has_room(&self, agent: AgentId) -> bool {
        let open = self.open();
        let of_agent = open.values().filter(|open| open.equal.agent_id == agent).count();
        of_agent < MAX_OF_AGENT && open.len() < MAX_OPEN
    }

    /// How long a new prompt stays open if nothing happens.
    pub(crate) fn period(&self, sensitivity: Sensitivity) -> Duration {
        match sensitivity {
            Sensitivity::High if self.attachments.any().is_some() => UNSEEN,
            Sensitivity::High => self.timings.high,
            Sensitivity::Low | Sensitivity::Medium => self.timings.medium,
        }
    }

    /// Shows a prompt that was stored.
    pub(crate) fn insert(
        &self,
        asked: &assent_runtime::Prompt,
        subject: &PromptSubject,
        equal: EqualCalls,
        record: &PromptRecord,
    ) -> watch::Receiver<PromptState> {
        let (key, silence) = subject.silence.clone().unzip();
        let prompt = Prompt {
            prompt_id: asked.id,
            invocation_id: asked.invocation,
            call_id: subject.call_id.clone(),
            agent: subject.agent.clone(),
            tool: subject.tool.clone(),
            scope: subject.scope.clone(),
            conversation_id: subject.conversation_id,
            target: subject.target.clone(),
            view: asked.view.clone(),
            agent_reason: subject.agent_reason.clone(),
            opened_at: record.opened_at,
            // A prompt that was open before a restart appears again.
            answerable_at: record.opened_at.max(SystemClock.now()).after(INERT),
            not_after: record.not_after,
            choices: Decision::choices(subject.scope.sensitivity, silence.is_some()),
            silence,
        };
        let state = PromptState { not_after: record.not_after, end: None };
        let (state, receiver) = watch::channel(state);
        let open = OpenPrompt {
            prompt: prompt.clone(),
            equal,
            silence: key,
            is_shown: record.is_shown,
            is_held: record.is_held,
            state,
        };
        self.open().insert(asked.id, open);
        self.events.announce(DeviceEvent::PromptOpened(Box::new(prompt)));
        receiver
    }

    /// Stores the answer to a prompt, then lets the call go on.
    pub(crate) async fn answer(
        &self,
        id: PromptId,
        answer: &PromptAnswer,
        interface: Interface,
    ) -> Result<(), PromptError> {
        let _changing = self.changing.lock().await;
        let now = SystemClock.now();
        let (ids, silence) = self.check(id, answer, now)?;
        let decision = answer.decision;
        let end = PromptEnd::decided(decision, interface.into(), now);
        let lesson = Lesson::Decided { decision, silence };
        let ended = self.end(ids, end, Some(lesson)).await.map_err(|error| not_stored(&error))?;
        let is_ours = ended.first().is_some_and(|(_, stored)| *stored == end);
        if is_ours { Ok(()) } else { Err(PromptError::AlreadyResolved) }
    }

    /// The prompts that an answer ends, and what it allows for a while.
    fn check(
        &self,
        id: PromptId,
        answer: &PromptAnswer,
        now: UnixMillis,
    ) -> Result<(Vec<PromptId>, Option<SilenceKey>), PromptError> {
        let open = self.open();
        let answered = open.get(&id).ok_or(PromptError::AlreadyResolved)?;
        let prompt = &answered.prompt;
        let allows = answer.decision.allows();
        if now >= prompt.not_after {
            return Err(PromptError::AlreadyResolved);
        }
        if prompt.view.digest.to_string() != answer.view_digest {
            return Err(PromptError::ViewChanged);
        }
        if allows && now < prompt.answerable_at {
            return Err(PromptError::TooEarly);
        }
        if allows && prompt.view.shortened && !answer.has_shown_all {
            return Err(PromptError::NotShown);
        }
        if !prompt.choices.contains(&answer.decision) {
            return Err(PromptError::NotOffered);
        }
        let is_same_tool = |other: &OpenPrompt| {
            other.equal.agent_id == answered.equal.agent_id
                && other.equal.tool == answered.equal.tool
        };
        let mut ids = vec![id];
        if answer.decision == Decision::AlwaysDeny {
            let others = open.iter().filter(|(other, open)| **other != id && is_same_tool(open));
            ids.extend(others.map(|(other, _)| *other));
        }
        Ok((ids, answered.silence.clone()))
    }

    /// Closes a prompt that ends without an answer.
    pub(crate) async fn close(&self, id: PromptId, resolution: Resolution) {
        let _changing = self.changing.lock().await;
        let now = SystemClock.now();
        let is_due = match self.open().get(&id) {
            // It has more time since the caller looked.
            Some(open) => resolution != Resolution::TimedOut || now >= open.prompt.not_after,
            None => false,
        };
        if !is_due {
            return;
        }
        let could_answer = resolution == Resolution::TimedOut && self.attachments.any().is_some();
        let lesson = could_answer.then_some(Lesson::Ignored);
        let end = PromptEnd::unanswered(resolution, now);
        if let Err(error) = self.end(vec![id], end, lesson).await {
            tracing::error!(%error, "the end of a prompt cannot be stored");
            // The call is refused all the same.
            self.publish(id, end);
        }
    }

    /// Stores the end of prompts and announces it.
    async fn end(
        &self,
        ids: Vec<PromptId>,
        end: PromptEnd,
        lesson: Option<Lesson>,
    ) -> Result<Vec<(PromptId, PromptEnd)>, MailboxError> {
        let work = EndPrompts { mailbox: self.mailbox.clone(), ids, end, lesson };
        let ended = self.database.write(work).await?;
        for (id, end) in &ended.ends {
            self.publish(*id, *end);
        }
        if let Some(agent_id) = ended.changed_agent {
            self.events.announce(DeviceEvent::RelationChanged { agent_id });
        }
        Ok(ended.ends)
    }

    fn publish(&self, id: PromptId, end: PromptEnd) {
        let Some(open) = self.open().remove(&id) else { return };
        open.state.send_modify(|state| state.end = Some(end));
        self.events.announce(DeviceEvent::PromptClosed { prompt_id: id, outcome: end.outcome() });
    }

    /// Records that a prompt is on screen. The time of a prompt of high sensitivity begins with the first time.
    pub(crate) async fn shown(&self, id: PromptId) -> Result<UnixMillis, PromptError> {
        let _changing = self.changing.lock().await;
        let now = SystemClock.now();
        let not_after = {
            let open = self.open();
            let open = open.get(&id).filter(|open| now < open.prompt.not_after);
            let open = open.ok_or(PromptError::AlreadyResolved)?;
            let is_high = open.prompt.scope.sensitivity == Sensitivity::High;
            if !is_high || open.is_shown || open.is_held {
                return Ok(open.prompt.not_after);
            }
            now.after(self.timings.high)
        };
        self.extend(
            id,
            ExtendPrompt {
                mailbox: self.mailbox.clone(),
                id,
                not_after,
                is_held: false,
                message: None,
            },
        )
        .await
    }

    /// Gives the person more time, once, and tells the agent.
    pub(crate) async fn hold(&self, id: PromptId) -> Result<UnixMillis, PromptError> {
        let _changing = self.changing.lock().await;
        let now = SystemClock.now();
        let not_after = now.after(HOLD);
        let message = {
            let open = self.open();
            let open = open.get(&id).filter(|open| now < open.prompt.not_after);
            let open = open.ok_or(PromptError::AlreadyResolved)?;
            let is_high = open.prompt.scope.sensitivity == Sensitivity::High;
            if !is_high || open.is_held {
                return Err(PromptError::AlreadyHeld);
            }
            outcome::pending(&open.prompt, not_after).map_err(|error| not_stored(&error))?
        };
        self.extend(
            id,
            ExtendPrompt {
                mailbox: self.mailbox.clone(),
                id,
                not_after,
                is_held: true,
                message: Some(message),
            },
        )
        .await
    }

    async fn extend(&self, id: PromptId, work: ExtendPrompt) -> Result<UnixMillis, PromptError> {
        let (not_after, is_held) = (work.not_after, work.is_held);
        self.database.write(work).await.map_err(|error| not_stored(&error))?;
        if let Some(open) = self.open().get_mut(&id) {
            open.is_shown = true;
            open.is_held |= is_held;
            open.prompt.not_after = not_after;
            open.state.send_modify(|state| state.not_after = not_after);
        }
        self.events.announce(DeviceEvent::PromptUpdated { prompt_id: id, not_after });
        Ok(not_after)
    }
}

fn not_stored(error: &MailboxError) -> PromptError {
    tracing::error!(%error, "a prompt cannot be stored");
    PromptError::NotStored
}

impl fmt::Debug for Prompts {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Prompts").field("open", &self.open().len()).finish_non_exhaustive()
    }
}
