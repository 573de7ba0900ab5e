//! Asks the person about calls, on behalf of the runtime.

use std::time::Duration;

use assent_ids::{Clock as _, SystemClock, UnixMillis};
use assent_mailbox::MailboxError;
use assent_protocol::agent_tool::ErrorClass;
use assent_runtime::{Answer, Answering, Approver, Remember};
use tokio::sync::watch;

use crate::{
    prompt_record::{PromptEnd, PromptRecord, Resolution},
    prompt_works::{OpenPrompt, Opened, SharePromptEnd},
    prompts::{AskingCall, EqualCalls, PromptState, Prompts},
};

/// A yes counts for so long. If the device was off meanwhile, the call is not run.
const YES_LIFETIME: Duration = Duration::from_mins(10);

/// What a call that asks has to do.
enum Step {
    /// It has its answer.
    Ended(PromptEnd),
    /// It waits for its own prompt.
    Wait(watch::Receiver<PromptState>),
    /// It waits for the prompt about an equal call.
    WaitForEqual(watch::Receiver<PromptState>),
    /// Too many prompts are open.
    NoRoom,
}

impl Prompts {
    async fn ask_person(&self, asked: &assent_runtime::Prompt) -> Answer {
        let Some(call) = self.call(asked.invocation) else { return Answer::Unavailable };
        match self.find_answer(asked, &call).await {
            Ok(Some(end)) => answer_of(end),
            Ok(None) => refuse(ErrorClass::RateLimited, "rate_limited"),
            Err(error) => {
                tracing::error!(%error, "a prompt cannot be stored");
                Answer::Unavailable
            }
        }
    }

    /// The end of the prompt; `None` if there is no room for it.
    async fn find_answer(
        &self,
        asked: &assent_runtime::Prompt,
        call: &AskingCall,
    ) -> Result<Option<PromptEnd>, MailboxError> {
        if *call.withdrawn.borrow() {
            return Ok(Some(PromptEnd::unanswered(Resolution::Withdrawn, SystemClock.now())));
        }
        loop {
            match self.next_step(asked, call).await? {
                Step::Ended(end) => return Ok(Some(end)),
                Step::NoRoom => return Ok(None),
                Step::Wait(state) => return Ok(Some(self.wait(asked, call, state).await)),
                Step::WaitForEqual(state) => {
                    if let Some(end) = wait_for_equal(call, state).await {
                        self.share(asked, call, end).await?;
                        return Ok(Some(end));
                    }
                }
            }
        }
    }

    /// Opens the prompt, unless it need not be asked now.
    async fn next_step(
        &self,
        asked: &assent_runtime::Prompt,
        call: &AskingCall,
    ) -> Result<Step, MailboxError> {
        let subject = &call.subject;
        let agent_id = subject.agent.agent_id;
        let equal = EqualCalls {
            agent_id,
            tool: subject.tool.name.clone(),
            arguments: asked.binding.arguments,
        };
        let _changing = self.changing.lock().await;
        if let Some(state) = self.equal(&equal) {
            return Ok(Step::WaitForEqual(state));
        }
        let open = OpenPrompt {
            mailbox: self.mailbox.clone(),
            id: asked.id,
            new: self.new_record(asked, call),
            silence: subject.silence.as_ref().map(|(key, _)| key.clone()),
            timings: self.timings,
            is_unattended: self.is_unattended,
            has_room: self.has_room(agent_id),
        };
        Ok(match self.database.write(open).await? {
            Opened::Ended(end) => Step::Ended(end),
            Opened::NoRoom => Step::NoRoom,
            Opened::Open(record) => Step::Wait(self.insert(asked, subject, equal, &record)),
        })
    }

    fn new_record(&self, asked: &assent_runtime::Prompt, call: &AskingCall) -> PromptRecord {
        let (subject, now) = (&call.subject, SystemClock.now());
        PromptRecord {
            invocation_id: asked.invocation,
            agent_id: subject.agent.agent_id,
            tool: subject.tool.name.clone(),
            view_digest: asked.view.digest.to_string(),
            opened_at: now,
            not_after: now.after(self.period(subject.scope.sensitivity)),
            is_shown: false,
            is_held: false,
            end: None,
        }
    }

    /// Waits until the own prompt ends, and ends it when its time is over or the agent withdraws the call.
    async fn wait(
        &self,
        asked: &assent_runtime::Prompt,
        call: &AskingCall,
        mut state: watch::Receiver<PromptState>,
    ) -> PromptEnd {
        let mut withdrawn = call.withdrawn.subscribe();
        loop {
            let PromptState { not_after, end } = *state.borrow_and_update();
            if let Some(end) = end {
                return end;
            }
            tokio::select! {
                _ = state.changed() => {}
                () = until_withdrawn(&mut withdrawn) => {
                    self.close(asked.id, Resolution::Withdrawn).await;
                }
                () = sleep_until(not_after) => self.close(asked.id, Resolution::TimedOut).await,
            }
        }
    }

    /// Stores that a call was refused together with an equal one.
    async fn share(
        &self,
        asked: &assent_runtime::Prompt,
        call: &AskingCall,
        end: PromptEnd,
    ) -> Result<(), MailboxError> {
        let record = PromptRecord { end: Some(end), ..self.new_record(asked, call) };
        let share = SharePromptEnd { mailbox: self.mailbox.clone(), id: asked.id, record };
        self.database.write(share).await
    }
}

/// Waits for the prompt about an equal call. Returns how this call ends with it; `None` if it has to ask itself.
async fn wait_for_equal(
    call: &AskingCall,
    mut state: watch::Receiver<PromptState>,
) -> Option<PromptEnd> {
    let mut withdrawn = call.withdrawn.subscribe();
    tokio::select! {
        ended = until_ended(&mut state) => ended.filter(PromptEnd::is_shared),
        () = until_withdrawn(&mut withdrawn) => {
            Some(PromptEnd::unanswered(Resolution::Withdrawn, SystemClock.now()))
        }
    }
}

/// Waits for the end of a prompt; `None` if the prompt is gone.
async fn until_ended(state: &mut watch::Receiver<PromptState>) -> Option<PromptEnd> {
    state.wait_for(|state| state.end.is_some()).await.ok()?.end
}

async fn until_withdrawn(withdrawn: &mut watch::Receiver<bool>) {
    // The call keeps the sender.
    let _ = withdrawn.wait_for(|is_withdrawn| *is_withdrawn).await;
}

async fn sleep_until(time: UnixMillis) {
    tokio::time::sleep(time.since(SystemClock.now())).await;
}

fn answer_of(end: PromptEnd) -> Answer {
    let is_old = SystemClock.now().since(end.at) > YES_LIFETIME;
    match end.resolution {
        Resolution::Silent if is_old => refuse(ErrorClass::ApprovalRejected, "expired"),
        Resolution::Decided(decision) if decision.allows() => {
            if is_old {
                return refuse(ErrorClass::ApprovalRejected, "expired");
            }
            Answer::allow()
        }
        Resolution::Decided(_) => Answer::deny(),
        Resolution::Silent => {
            let feedback = Some("allowed for a while, without a prompt".to_owned());
            Answer::Allow { edit: None, feedback, remember: Remember::Once }
        }
        Resolution::TimedOut => refuse(ErrorClass::ApprovalRejected, "user_timeout"),
        Resolution::Withdrawn => refuse(ErrorClass::Canceled, "canceled"),
    }
}

fn refuse(class: ErrorClass, code: &'static str) -> Answer {
    Answer::Refuse { class, code: code.into() }
}

impl Approver for Prompts {
    fn ask<'a>(&'a self, asked: &'a assent_runtime::Prompt) -> Answering<'a> {
        Box::pin(self.ask_person(asked))
    }

    fn owns_deadline(&self) -> bool {
        true
    }
}

#[cfg(test)]
mod tests {
    use assent_ids::UnixMillis;
    use assent_runtime::Answer;

    use super::*;
    use crate::{DecidedBy, Decision};

    #[test]
    fn a_yes_counts_for_ten_minutes_and_a_no_for_ever() {
        let ago = |age: Duration| {
            let millis = u64::try_from(age.as_millis()).unwrap();
            UnixMillis::new(SystemClock.now().get() - millis)
        };
        let answer =
            |decision, age| answer_of(PromptEnd::decided(decision, DecidedBy::Console, ago(age)));
        let (young, old) = (Duration::from_secs(590), Duration::from_secs(601));
        assert_eq!(answer(Decision::AllowOnce, young), Answer::allow());
        let expired = refuse(ErrorClass::ApprovalRejected, "expired");
        assert_eq!(answer(Decision::AllowOnce, old), expired);
        assert_eq!(answer(Decision::Deny, old), Answer::deny());
    }
}
