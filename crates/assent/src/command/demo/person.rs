//! A person who answers as a script says.

use std::time::Duration;

use assent_device::{Decision, Device, Interface, Prompt, PromptAnswer};
use assent_ids::{Clock as _, SystemClock};

/// The longest wait for a prompt.
const PROMPT_WAIT: Duration = Duration::from_secs(20);

/// What the person does about a call.
#[derive(Clone, Copy, Debug)]
pub(super) enum Reaction {
    /// Answers the prompt.
    Answer(Decision),
    /// Lets the time run out.
    Ignore,
    /// Is not asked.
    None,
}

/// Waits for the next prompt and answers it.
pub(super) async fn react(device: &Device, reaction: Reaction) {
    let Reaction::Answer(decision) = reaction else { return };
    let Ok(Some(prompt)) = tokio::time::timeout(PROMPT_WAIT, next_prompt(device)).await else {
        return;
    };
    tokio::time::sleep(prompt.answerable_at.since(SystemClock.now())).await;
    let view_digest = prompt.view.digest.to_string();
    let answer = PromptAnswer { decision, view_digest, has_shown_all: true };
    let answered = device.answer_prompt(prompt.prompt_id, answer, Interface::Terminal).await;
    if let Err(error) = answered {
        tracing::warn!(%error, "the scripted answer does not count");
    }
}

async fn next_prompt(device: &Device) -> Option<Prompt> {
    let mut events = device.events();
    loop {
        if let Some(prompt) = device.prompts().into_iter().next() {
            return Some(prompt);
        }
        events.recv().await.ok()?;
    }
}
