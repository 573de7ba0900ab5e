//! The scripted person: answers questions about permission and questions of tools, once each.

use std::{
    collections::{BTreeMap, BTreeSet},
    future::pending,
    pin::Pin,
    sync::{Arc, Mutex, MutexGuard, PoisonError},
    time::Duration,
};

use assent_ids::{CallId, InvocationId, PromptId};
use assent_json::Json;
use assent_policy::Glob;
use assent_runtime::{Answer, Answering, Approver, InputProvider, Prompt, Remember};
use serde_json::Value;

use super::clock::RehearsalClock;
use crate::{
    Answer as Scripted, Approval, InputAnswer, Recipient, Remember as ScriptedRemember, Scenario,
};

/// What the person has said so far. A person survives the crash of a runtime.
#[derive(Debug)]
pub(super) struct Person {
    approvals: Vec<Approval>,
    inputs: Vec<InputAnswer>,
    calls: BTreeMap<InvocationId, CallId>,
    said: Mutex<Said>,
}

#[derive(Debug, Default)]
struct Said {
    used_approvals: BTreeSet<usize>,
    used_inputs: BTreeSet<usize>,
    /// What the person makes up their mind to, and when they say it, by question: a question that is
    /// put a second time after a crash gets the same answer.
    made_up: BTreeMap<PromptId, (usize, Duration)>,
}

impl Person {
    pub(super) fn new(scenario: &Scenario, calls: BTreeMap<InvocationId, CallId>) -> Self {
        Self {
            approvals: scenario.approvals.clone(),
            inputs: scenario.inputs.clone(),
            calls,
            said: Mutex::default(),
        }
    }

    fn lock(&self) -> MutexGuard<'_, Said> {
        self.said.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn is_for(&self, recipient: &Recipient, invocation: InvocationId, tool: &str) -> bool {
        let call =
            recipient.call.as_ref().is_none_or(|call| self.calls.get(&invocation) == Some(call));
        let named = recipient.tool.as_deref().is_none_or(|glob| {
            let bare = tool.rsplit('/').next().unwrap_or(tool);
            Glob::parse(glob).is_ok_and(|glob| glob.matches(tool) || glob.matches(bare))
        });
        call && named
    }

    /// The first unused answer that fits, and when it comes.
    fn decide(&self, prompt: &Prompt, now: Duration) -> Option<(Approval, Duration)> {
        let mut said = self.lock();
        if let Some((index, due)) = said.made_up.get(&prompt.id) {
            return Some((self.approvals.get(*index)?.clone(), *due));
        }
        let tool = prompt.binding.tool.as_str();
        let fits = |(index, approval): &(usize, &Approval)| {
            !said.used_approvals.contains(index)
                && self.is_for(&approval.recipient, prompt.invocation, tool)
        };
        let (index, approval) = self.approvals.iter().enumerate().find(fits)?;
        let due = now + Duration::from_millis(approval.after.0);
        said.used_approvals.insert(index);
        said.made_up.insert(prompt.id, (index, due));
        Some((approval.clone(), due))
    }

    fn answer(&self, invocation: InvocationId, tool: &str) -> Option<InputAnswer> {
        let mut said = self.lock();
        let fits = |(index, answer): &(usize, &InputAnswer)| {
            !said.used_inputs.contains(index) && self.is_for(&answer.recipient, invocation, tool)
        };
        let (index, answer) = self.inputs.iter().enumerate().find(fits)?;
        said.used_inputs.insert(index);
        Some(answer.clone())
    }
}

/// The person at the time of one life.
#[derive(Debug)]
pub(super) struct PersonNow {
    pub(super) person: Arc<Person>,
    pub(super) clock: Arc<RehearsalClock>,
}

impl Approver for PersonNow {
    fn ask<'a>(&'a self, prompt: &'a Prompt) -> Answering<'a> {
        Box::pin(async move {
            let Some((approval, due)) = self.person.decide(prompt, self.clock.elapsed()) else {
                return pending().await;
            };
            tokio::time::sleep_until(self.clock.moment(due)).await;
            let remember = match approval.remember {
                ScriptedRemember::Once => Remember::Once,
                ScriptedRemember::Session => Remember::Session,
            };
            let feedback = approval.feedback;
            match approval.answer {
                Scripted::Allow => Answer::Allow { edit: None, feedback, remember },
                Scripted::Deny => Answer::Deny { feedback, remember },
                Scripted::Edit(input) => {
                    match Json::from_value(&Value::Object(input.into_iter().collect())) {
                        Ok(edit) => Answer::Allow { edit: Some(edit), feedback, remember },
                        Err(_) => Answer::Nobody,
                    }
                }
                Scripted::Ignore => pending().await,
            }
        })
    }
}

impl InputProvider for PersonNow {
    fn answer<'a>(
        &'a self,
        invocation: InvocationId,
        tool: &'a str,
        _prompt: &'a str,
    ) -> Pin<Box<dyn Future<Output = Option<Json>> + Send + 'a>> {
        Box::pin(async move {
            let answer = self.person.answer(invocation, tool)?;
            tokio::time::sleep(Duration::from_millis(answer.after.0)).await;
            Json::from_value(&answer.answer).ok()
        })
    }
}
