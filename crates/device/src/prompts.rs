//! Questions to the person.

use std::{
    collections::BTreeMap,
    fmt,
    sync::{Arc, Mutex, MutexGuard, PoisonError},
    time::Duration,
};

use assent_ids::{AgentId, Clock, InvocationId, PromptId, SystemClock, UnixMillis};
use assent_mailbox::MailboxError;
use assent_protocol::{a2h::Sensitivity, agent_tool::ErrorClass};
use assent_runtime::{Answer, Answering, Approver, Remember, View};
use assent_store::{Database, Tx};
use tokio::sync::{oneshot, watch};

use crate::{
    Decision, Timings,
    silences::SilenceKey,
    works::{DecidePrompt, OpenPrompt},
};

/// A yes counts only this long after the question has appeared, so that a click that was meant for something else
/// decides nothing.
const INERT: Duration = Duration::from_millis(500);

/// The most questions of one agent that are open at once, and of all agents.
const MAX_OF_AGENT: usize = 3;
const MAX_OPEN: usize = 12;

/// A question to the person about one call.
#[derive(Clone, Debug)]
pub struct Prompt {
    /// The id of the question.
    pub prompt_id: PromptId,
    /// The call that it is about.
    pub invocation: InvocationId,
    /// The agent that asks.
    pub agent_id: AgentId,
    /// The tool.
    pub tool: String,
    /// The sensitivity of the scope.
    pub sensitivity: Sensitivity,
    /// What the agent says about the call; it is not checked.
    pub agent_reason: Option<String>,
    /// The arguments as they are shown, and the digest that an answer has to name.
    pub view: View,
    /// When the question was opened.
    pub opened_at: UnixMillis,
    /// The time from which a yes counts.
    pub answerable_at: UnixMillis,
    /// The time after which no answer counts.
    pub not_after: UnixMillis,
}

/// Why an answer does not count.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum PromptError {
    /// There is no such question, or it was answered, or its time is over.
    #[error("the question is answered, withdrawn or over")]
    AlreadyResolved,
    /// The digest is not that of the view.
    #[error("the question shows something else: look at it again")]
    ViewChanged,
    /// A yes came too soon after the question had appeared.
    #[error("the question has only just appeared: look at it, then answer")]
    TooEarly,
    /// The answer is not one of those that are offered.
    #[error("a call of this sensitivity cannot be allowed in this way")]
    NotOffered,
    /// The answer could not be stored. The question is still open.
    #[error("the answer could not be stored: try again")]
    NotStored,
}

/// What is known about a call when a question about it is asked.
#[derive(Clone, Debug)]
pub(crate) struct PromptSubject {
    pub(crate) agent_id: AgentId,
    pub(crate) tool: String,
    pub(crate) sensitivity: Sensitivity,
    pub(crate) reason: Option<String>,
    /// What is allowed if the person allows more than this call; `None` if the tool is not known.
    pub(crate) silence: Option<SilenceKey>,
    /// Whether the agent named another scope than the one that the tool declares.
    pub(crate) names_other_scope: bool,
}

/// The open questions.
pub(crate) struct Prompts {
    database: Database,
    timings: Timings,
    subjects: Mutex<BTreeMap<InvocationId, PromptSubject>>,
    open: Mutex<BTreeMap<PromptId, OpenQuestion>>,
    /// Counts changes of `open`.
    changes: watch::Sender<u64>,
}

struct OpenQuestion {
    prompt: Prompt,
    silence: Option<SilenceKey>,
    resolve: oneshot::Sender<Resolution>,
}

/// How a question is resolved before its time is over.
enum Resolution {
    Decided(Decision),
    /// The agent does not want the call any more.
    Withdrawn,
}

impl Prompts {
    pub(crate) fn new(database: Database, timings: Timings) -> Arc<Self> {
        Arc::new(Self {
            database,
            timings,
            subjects: Mutex::default(),
            open: Mutex::default(),
            changes: watch::Sender::new(0),
        })
    }

    fn lock(&self) -> MutexGuard<'_, BTreeMap<PromptId, OpenQuestion>> {
        self.open.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn subjects(&self) -> MutexGuard<'_, BTreeMap<InvocationId, PromptSubject>> {
        self.subjects.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Says what a call is, before it is requested.
    pub(crate) fn describe(&self, invocation: InvocationId, subject: PromptSubject) {
        self.subjects().insert(invocation, subject);
    }

    /// Forgets a call that has ended.
    pub(crate) fn forget(&self, invocation: InvocationId) {
        self.subjects().remove(&invocation);
    }

    pub(crate) fn changes(&self) -> watch::Receiver<u64> {
        self.changes.subscribe()
    }

    /// The open questions, the oldest first.
    pub(crate) fn list(&self) -> Vec<Prompt> {
        self.lock().values().map(|question| question.prompt.clone()).collect()
    }

    /// Stores the answer to a question, then lets the call go on.
    pub(crate) async fn answer(
        &self,
        id: PromptId,
        decision: Decision,
        view_digest: &str,
    ) -> Result<(), PromptError> {
        let question = self.take(id, decision, view_digest)?;
        let now = SystemClock.now();
        let silence = question.silence.clone().filter(|_| decision == Decision::Allow24h);
        let decide = DecidePrompt { id, decision, silence, now };
        if let Err(error) = self.database.write(decide).await {
            tracing::error!(%error, "an answer cannot be stored");
            self.lock().insert(id, question);
            return Err(PromptError::NotStored);
        }
        self.changed();
        let resolution = Resolution::Decided(decision);
        question.resolve.send(resolution).map_err(|_| PromptError::AlreadyResolved)
    }

    /// Takes a question that may be answered in this way, so that it is answered once.
    fn take(
        &self,
        id: PromptId,
        decision: Decision,
        view_digest: &str,
    ) -> Result<OpenQuestion, PromptError> {
        let mut open = self.lock();
        let prompt = &open.get(&id).ok_or(PromptError::AlreadyResolved)?.prompt;
        let now = SystemClock.now();
        if now >= prompt.not_after {
            return Err(PromptError::AlreadyResolved);
        }
        if prompt.view.digest.to_string() != view_digest {
            return Err(PromptError::ViewChanged);
        }
        if decision.allows() && now < prompt.answerable_at {
            return Err(PromptError::TooEarly);
        }
        if !decision.is_offered(prompt.sensitivity) {
            return Err(PromptError::NotOffered);
        }
        open.remove(&id).ok_or(PromptError::AlreadyResolved)
    }

    /// Closes the question about a call that the agent has withdrawn. A call without an open question goes on.
    pub(crate) fn withdraw(&self, invocation: InvocationId) {
        let mut open = self.lock();
        let id = open.values().find(|question| question.prompt.invocation == invocation);
        let id = id.map(|question| question.prompt.prompt_id);
        let question = id.and_then(|id| open.remove(&id));
        drop(open);
        if let Some(question) = question {
            self.changed();
            // The question may have ended at the same moment.
            let _ = question.resolve.send(Resolution::Withdrawn);
        }
    }

    /// Whether the agent named another scope for a call than the one that the tool declares.
    pub(crate) fn names_other_scope(&self, invocation: InvocationId) -> bool {
        self.subjects().get(&invocation).is_some_and(|subject| subject.names_other_scope)
    }

    fn changed(&self) {
        self.changes.send_modify(|changes| *changes = changes.wrapping_add(1));
    }

    async fn ask_person(&self, prompt: &assent_runtime::Prompt) -> Answer {
        let Some(subject) = self.subjects().get(&prompt.invocation).cloned() else {
            return Answer::Unavailable;
        };
        let period = match subject.sensitivity {
            Sensitivity::High => self.timings.high,
            Sensitivity::Low | Sensitivity::Medium => self.timings.medium,
        };
        let opened = OpenPrompt {
            id: prompt.id,
            now: SystemClock.now(),
            period,
            silence: subject.silence.clone().filter(|_| subject.sensitivity != Sensitivity::High),
            timings: self.timings,
        };
        let times = match self.database.write(opened).await {
            Ok(StoredPrompt::Decided(decision)) => return decision.into(),
            Ok(StoredPrompt::Silent) => return silently_allowed(),
            Ok(StoredPrompt::Open(times)) => times,
            Err(error) => {
                tracing::error!(%error, "a question cannot be stored");
                return Answer::Unavailable;
            }
        };
        let Some(resolution) = self.open_question(prompt, subject, times) else {
            return refuse(ErrorClass::RateLimited, "rate_limited");
        };
        let left = times.not_after.since(SystemClock.now());
        let resolution = tokio::time::timeout(left, resolution).await;
        if self.lock().remove(&prompt.id).is_some() {
            self.changed();
        }
        match resolution {
            Ok(Ok(Resolution::Decided(decision))) => decision.into(),
            Ok(Ok(Resolution::Withdrawn)) => refuse(ErrorClass::Canceled, "canceled"),
            Ok(Err(_)) | Err(_) => refuse(ErrorClass::ApprovalRejected, "user_timeout"),
        }
    }

    /// Opens a question; `None` if too many are open.
    fn open_question(
        &self,
        prompt: &assent_runtime::Prompt,
        subject: PromptSubject,
        times: PromptTimes,
    ) -> Option<oneshot::Receiver<Resolution>> {
        let mut open = self.lock();
        let of_agent =
            open.values().filter(|question| question.prompt.agent_id == subject.agent_id).count();
        if of_agent >= MAX_OF_AGENT || open.len() >= MAX_OPEN {
            return None;
        }
        let (resolve, resolution) = oneshot::channel();
        let question = Prompt {
            prompt_id: prompt.id,
            invocation: prompt.invocation,
            agent_id: subject.agent_id,
            tool: subject.tool,
            sensitivity: subject.sensitivity,
            agent_reason: subject.reason,
            view: prompt.view.clone(),
            opened_at: times.opened_at,
            answerable_at: SystemClock.now().after(INERT),
            not_after: times.not_after,
        };
        open.insert(
            prompt.id,
            OpenQuestion { prompt: question, silence: subject.silence, resolve },
        );
        drop(open);
        self.changed();
        Some(resolution)
    }
}

/// A call that the person has allowed for a while.
fn silently_allowed() -> Answer {
    let feedback = Some("allowed for a while, without a question".to_owned());
    Answer::Allow { edit: None, feedback, remember: Remember::Once }
}

fn refuse(class: ErrorClass, code: &'static str) -> Answer {
    Answer::Refuse { class, code: code.into() }
}

impl Approver for Prompts {
    fn ask<'a>(&'a self, prompt: &'a assent_runtime::Prompt) -> Answering<'a> {
        Box::pin(self.ask_person(prompt))
    }

    fn owns_deadline(&self) -> bool {
        true
    }
}

impl fmt::Debug for Prompts {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Prompts").field("open", &self.lock().len()).finish_non_exhaustive()
    }
}

/// When a question was opened, and how long it stays open.
#[derive(Clone, Copy, Debug)]
pub(crate) struct PromptTimes {
    pub(crate) opened_at: UnixMillis,
    pub(crate) not_after: UnixMillis,
}

/// What is stored about a question.
#[derive(Clone, Copy, Debug)]
pub(crate) enum StoredPrompt {
    /// It is open.
    Open(PromptTimes),
    /// It was answered, and the process ended before the call went on.
    Decided(Decision),
    /// It need not be asked.
    Silent,
}

const FIND: &str = "SELECT opened_at, not_after, decision FROM device_prompts
    WHERE prompt_id = $1";
const DECIDE: &str = "UPDATE device_prompts SET decision = $2 WHERE prompt_id = $1";
const INSERT: &str = "INSERT INTO device_prompts (prompt_id, opened_at, not_after)
    VALUES ($1, $2, $3)";

pub(crate) async fn decide(
    tx: &mut Tx,
    id: PromptId,
    decision: Decision,
) -> Result<(), MailboxError> {
    Ok(tx.execute(DECIDE, &[id.to_string().into(), decision.as_str().into()]).await?)
}

/// A question that was asked before; `None` if it is new. One that was open before a crash has the time that was left.
pub(crate) async fn find_prompt(
    tx: &mut Tx,
    id: PromptId,
) -> Result<Option<StoredPrompt>, MailboxError> {
    let Some(row) = tx.optional(FIND, &[id.to_string().into()]).await? else { return Ok(None) };
    if let Some(word) = row.get::<Option<String>>(2)? {
        let decision = Decision::find(&word).ok_or(MailboxError::Damaged("answer"))?;
        return Ok(Some(StoredPrompt::Decided(decision)));
    }
    let (opened_at, not_after) = (UnixMillis::new(row.get(0)?), UnixMillis::new(row.get(1)?));
    Ok(Some(StoredPrompt::Open(PromptTimes { opened_at, not_after })))
}

/// Opens a question.
pub(crate) async fn open_prompt(
    tx: &mut Tx,
    id: PromptId,
    now: UnixMillis,
    period: Duration,
) -> Result<StoredPrompt, MailboxError> {
    let times = PromptTimes { opened_at: now, not_after: now.after(period) };
    let millis = |time: UnixMillis| i64::try_from(time.get()).unwrap_or(i64::MAX);
    let values =
        [id.to_string().into(), millis(times.opened_at).into(), millis(times.not_after).into()];
    tx.execute(INSERT, &values).await?;
    Ok(StoredPrompt::Open(times))
}
