//! The transactions of prompts.

use assent_ids::{AgentId, PromptId, UnixMillis};
use assent_mailbox::{Mailbox, MailboxError, OutgoingMessage};
use assent_store::{Tx, Work};

use crate::{
    Timings, ToolStanding,
    prompt_record::{self, PromptEnd, PromptRecord, Resolution},
    silence::SilenceKey,
    tool_standing::{self, Barred, Lesson},
};

/// Opens a prompt, or finds it if it was open before a crash.
pub(crate) struct OpenPrompt {
    pub(crate) mailbox: Mailbox,
    pub(crate) id: PromptId,
    /// The prompt, as it is stored if it is new.
    pub(crate) new: PromptRecord,
    /// What may make the prompt unnecessary.
    pub(crate) silence: Option<SilenceKey>,
    pub(crate) timings: Timings,
    /// Whether no person answers prompts.
    pub(crate) is_unattended: bool,
    /// Whether a new prompt may be opened.
    pub(crate) has_room: bool,
}

/// What became of a prompt that was to be opened.
#[derive(Debug)]
pub(crate) enum Opened {
    Open(PromptRecord),
    Ended(PromptEnd),
    /// Too many prompts are open.
    NoRoom,
}

impl Work for OpenPrompt {
    type Output = Opened;
    type Error = MailboxError;
    async fn run(&self, tx: &mut Tx) -> Result<Opened, MailboxError> {
        let now = self.new.opened_at;
        if let Some(record) = prompt_record::find(tx, &self.mailbox, self.id).await? {
            return Ok(match record.end {
                Some(end) => Opened::Ended(end),
                None => Opened::Open(record),
            });
        }
        let end = if self.is_silent(tx).await? {
            Some(PromptEnd::silent(now))
        } else if self.is_unattended {
            Some(PromptEnd::unanswered(Resolution::TimedOut, now))
        } else if self.has_room {
            None
        } else {
            return Ok(Opened::NoRoom);
        };
        let record = PromptRecord { end, ..self.new.clone() };
        prompt_record::save(tx, &self.mailbox, self.id, &record).await?;
        Ok(end.map_or(Opened::Open(record), Opened::Ended))
    }
}

impl OpenPrompt {
    async fn is_silent(&self, tx: &mut Tx) -> Result<bool, MailboxError> {
        let Some(silence) = &self.silence else { return Ok(false) };
        let (agent, tool, now) = (self.new.agent_id, &self.new.tool, self.new.opened_at);
        let mut standings = tool_standing::find(tx, &self.mailbox, agent).await?;
        let is_silent = standings.use_silence(tool, silence, &self.timings, now);
        if is_silent {
            tool_standing::save(tx, &self.mailbox, agent, &standings).await?;
        }
        Ok(is_silent)
    }
}

/// Ends prompts. One that has ended before stays as it is.
pub(crate) struct EndPrompts {
    pub(crate) mailbox: Mailbox,
    pub(crate) ids: Vec<PromptId>,
    pub(crate) end: PromptEnd,
    /// What follows from it for further calls of the tool, if it is the first of `ids` that ends.
    pub(crate) lesson: Option<Lesson>,
}

/// Prompts that have ended.
#[derive(Debug)]
pub(crate) struct EndedPrompts {
    pub(crate) ends: Vec<(PromptId, PromptEnd)>,
    /// The agent, if further calls of it are treated differently from now on.
    pub(crate) changed_agent: Option<AgentId>,
}

impl Work for EndPrompts {
    type Output = EndedPrompts;
    type Error = MailboxError;
    async fn run(&self, tx: &mut Tx) -> Result<EndedPrompts, MailboxError> {
        let mut ended = EndedPrompts { ends: Vec::new(), changed_agent: None };
        for id in &self.ids {
            let Some(mut record) = prompt_record::find(tx, &self.mailbox, *id).await? else {
                continue;
            };
            if let Some(end) = record.end {
                ended.ends.push((*id, end));
                continue;
            }
            if let Some(lesson) = self.lesson.as_ref().filter(|_| ended.ends.is_empty()) {
                ended.changed_agent = self.learn(tx, &record, lesson).await?;
            }
            record.end = Some(self.end);
            prompt_record::save(tx, &self.mailbox, *id, &record).await?;
            ended.ends.push((*id, self.end));
        }
        Ok(ended)
    }
}

impl EndPrompts {
    async fn learn(
        &self,
        tx: &mut Tx,
        record: &PromptRecord,
        lesson: &Lesson,
    ) -> Result<Option<AgentId>, MailboxError> {
        let mut standings = tool_standing::find(tx, &self.mailbox, record.agent_id).await?;
        let is_changed = standings.learn(&record.tool, lesson, self.end.at);
        tool_standing::save(tx, &self.mailbox, record.agent_id, &standings).await?;
        Ok(is_changed.then_some(record.agent_id))
    }
}

/// Stores the end of a prompt that was not opened, because an equal call was refused.
pub(crate) struct SharePromptEnd {
    pub(crate) mailbox: Mailbox,
    pub(crate) id: PromptId,
    pub(crate) record: PromptRecord,
}

impl Work for SharePromptEnd {
    type Output = ();
    type Error = MailboxError;
    async fn run(&self, tx: &mut Tx) -> Result<(), MailboxError> {
        prompt_record::save(tx, &self.mailbox, self.id, &self.record).await
    }
}

/// Changes how long a prompt stays open.
pub(crate) struct ExtendPrompt {
    pub(crate) mailbox: Mailbox,
    pub(crate) id: PromptId,
    pub(crate) not_after: UnixMillis,
    /// Whether the person took more time. It is false if the prompt was shown.
    pub(crate) is_held: bool,
    /// What the agent is sent.
    pub(crate) message: Option<OutgoingMessage>,
}

impl Work for ExtendPrompt {
    type Output = ();
    type Error = MailboxError;
    async fn run(&self, tx: &mut Tx) -> Result<(), MailboxError> {
        let record = prompt_record::find(tx, &self.mailbox, self.id).await?;
        let mut record = record.ok_or(MailboxError::Damaged("prompt"))?;
        record.not_after = self.not_after;
        record.is_held |= self.is_held;
        record.is_shown = true;
        if let Some(message) = &self.message {
            self.mailbox.enqueue(tx, message).await?;
        }
        prompt_record::save(tx, &self.mailbox, self.id, &record).await
    }
}

/// Why calls of a tool are refused now.
pub(crate) struct FindBar {
    pub(crate) mailbox: Mailbox,
    pub(crate) agent_id: AgentId,
    pub(crate) tool: String,
    pub(crate) now: UnixMillis,
}

impl Work for FindBar {
    type Output = Option<Barred>;
    type Error = MailboxError;
    async fn run(&self, tx: &mut Tx) -> Result<Option<Barred>, MailboxError> {
        let standings = tool_standing::find(tx, &self.mailbox, self.agent_id).await?;
        Ok(standings.barred(&self.tool, self.now))
    }
}

/// Lists what the person has decided about the tools of an agent.
pub(crate) struct ListStandings {
    pub(crate) mailbox: Mailbox,
    pub(crate) agent_id: AgentId,
    pub(crate) timings: Timings,
    pub(crate) now: UnixMillis,
}

impl Work for ListStandings {
    type Output = Vec<ToolStanding>;
    type Error = MailboxError;
    async fn run(&self, tx: &mut Tx) -> Result<Vec<ToolStanding>, MailboxError> {
        let standings = tool_standing::find(tx, &self.mailbox, self.agent_id).await?;
        Ok(standings.list(&self.timings, self.now))
    }
}

/// Makes calls of a tool ask again.
pub(crate) struct AskAgain {
    pub(crate) mailbox: Mailbox,
    pub(crate) agent_id: AgentId,
    pub(crate) tool: String,
}

impl Work for AskAgain {
    type Output = bool;
    type Error = MailboxError;
    async fn run(&self, tx: &mut Tx) -> Result<bool, MailboxError> {
        let mut standings = tool_standing::find(tx, &self.mailbox, self.agent_id).await?;
        let is_changed = standings.ask_again(&self.tool);
        if is_changed {
            tool_standing::save(tx, &self.mailbox, self.agent_id, &standings).await?;
        }
        Ok(is_changed)
    }
}
