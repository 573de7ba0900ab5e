//! Prompts, and what follows from the answers.

use std::sync::Arc;

use assent_ids::{AgentId, Clock as _, PromptId, SystemClock, UnixMillis};
use tokio::sync::broadcast;

use crate::{
    Attachment, Device, DeviceError, DeviceEvent, Interface, Prompt, PromptAnswer, PromptError,
    ToolStanding,
    prompt_works::{AskAgain, ListStandings},
};

impl Device {
    /// What changes from now on. A subscriber that falls behind by more than a thousand events misses some.
    #[must_use]
    pub fn events(&self) -> broadcast::Receiver<DeviceEvent> {
        self.shared.events.subscribe()
    }

    /// Says that a person can see prompts and notifications, until the attachment is dropped.
    #[must_use]
    pub fn attach(&self, interface: Interface) -> Attachment {
        Arc::clone(&self.shared.attachments).attach(interface)
    }

    /// The open prompts, the oldest first.
    #[must_use]
    pub fn prompts(&self) -> Vec<Prompt> {
        self.shared.prompts.list()
    }

    /// Answers a prompt. The answer is stored when this returns.
    ///
    /// # Errors
    /// If the prompt is over, shows something else, has only just appeared, was not shown to its end, or does not
    /// offer this answer. The first reason of these counts.
    pub async fn answer_prompt(
        &self,
        id: PromptId,
        answer: PromptAnswer,
        interface: Interface,
    ) -> Result<(), PromptError> {
        let prompts = Arc::clone(&self.shared.prompts);
        uninterrupted(async move { prompts.answer(id, &answer, interface).await }).await
    }

    /// Records that a prompt is on screen, and returns the time after which no answer counts. The time of a prompt of
    /// high sensitivity begins with the first call of this.
    ///
    /// # Errors
    /// If the prompt is over.
    pub async fn prompt_shown(&self, id: PromptId) -> Result<UnixMillis, PromptError> {
        let prompts = Arc::clone(&self.shared.prompts);
        uninterrupted(async move { prompts.shown(id).await }).await
    }

    /// Gives the person ten minutes for a prompt of high sensitivity, once. The agent gets a notice to wait.
    ///
    /// # Errors
    /// If the prompt is over, or may not have more time.
    pub async fn hold_prompt(&self, id: PromptId) -> Result<UnixMillis, PromptError> {
        let prompts = Arc::clone(&self.shared.prompts);
        let not_after = uninterrupted(async move { prompts.hold(id).await }).await?;
        self.shared.outbox_changed();
        Ok(not_after)
    }

    /// What the person has decided about the tools of an agent, beyond single calls.
    ///
    /// # Errors
    /// If the state cannot be read.
    pub async fn tool_standings(
        &self,
        agent_id: AgentId,
    ) -> Result<Vec<ToolStanding>, DeviceError> {
        let shared = &self.shared;
        let list = ListStandings {
            mailbox: shared.mailbox.clone(),
            agent_id,
            timings: shared.options.timings,
            now: SystemClock.now(),
        };
        Ok(shared.database.read(list).await?)
    }

    /// Makes calls of a tool ask again: nothing is allowed for a while, always denied or embargoed any more.
    ///
    /// # Errors
    /// If the state cannot be written.
    pub async fn ask_again(&self, agent_id: AgentId, tool: &str) -> Result<(), DeviceError> {
        let (mailbox, tool) = (self.shared.mailbox.clone(), tool.to_owned());
        if self.shared.database.write(AskAgain { mailbox, agent_id, tool }).await? {
            self.shared.events.announce(DeviceEvent::RelationChanged { agent_id });
        }
        Ok(())
    }
}

/// Runs a change to its end, even if the caller goes away.
async fn uninterrupted<T: Send + 'static>(
    change: impl Future<Output = Result<T, PromptError>> + Send + 'static,
) -> Result<T, PromptError> {
    tokio::spawn(change).await.unwrap_or(Err(PromptError::NotStored))
}
