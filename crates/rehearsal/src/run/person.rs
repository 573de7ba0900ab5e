//! The scripted person, who answers permission requests and questions of tools, once each.

use std::{
    collections::{BTreeMap, BTreeSet},
    future::pending,
    pin::Pin,
    sync::{Arc, Mutex, MutexGuard, PoisonError},
    time::Duration,
};

use assent_ids::{CallId, InvocationId, PromptId};
use assent_json::Json;
use assent_runtime::{Answer, Answering, Approver, InputProvider, Prompt, Remember};
use serde_json::Value;

use super::clock::RehearsalClock;
use crate::{
    Answer as Scripted, Approval, InputAnswer, Recipient, Remember as ScriptedRemember, Scenario,
    Tool,
};

/// The answers so far. They survive a crash of the runtime.
#[derive(Debug)]
pub(super) struct Person {
    approvals: Vec<(Approval, Addressees)>,
    inputs: Vec<(InputAnswer, Addressees)>,
    calls: BTreeMap<InvocationId, CallId>,
    /// The ids of the tools of the calls, if the file determines them.
    tools: BTreeMap<InvocationId, String>,
    said: Mutex<Said>,
}

/// The ids of the tools of an answer; `None` for all tools.
type Addressees = Option<BTreeSet<String>>;

#[derive(Debug, Default)]
struct Said {
    used_approvals: BTreeSet<usize>,
    used_inputs: BTreeSet<usize>,
    /// The answers and their times by question: a question that is repeated after a crash gets the same answer.
    made_up: BTreeMap<PromptId, (usize, Duration)>,
}

impl Person {
    pub(super) fn new(scenario: &Scenario, calls: BTreeMap<InvocationId, CallId>) -> Self {
        let addressees = |recipient: &Recipient| {
            let tools = scenario.tools_of(recipient.tool.as_deref()?);
            Some(tools.into_iter().map(Tool::id).collect())
        };
        let tools = calls.iter().filter_map(|(invocation, id)| {
            let call = scenario.calls.iter().find(|call| call.id == *id)?;
            Some((*invocation, scenario.tool(&call.tool)?.id()))
        });
        let tools = tools.collect();
        let approvals = scenario.approvals.iter();
        let inputs = scenario.inputs.iter();
        Self {
            approvals: approvals.map(|one| (one.clone(), addressees(&one.recipient))).collect(),
            inputs: inputs.map(|one| (one.clone(), addressees(&one.recipient))).collect(),
            calls,
            tools,
            said: Mutex::default(),
        }
    }

    fn lock(&self) -> MutexGuard<'_, Said> {
        self.said.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn is_for(
        &self,
        recipient: &Recipient,
        addressees: &Addressees,
        invocation: InvocationId,
        is_meant: impl Fn(&str) -> bool,
    ) -> bool {
        let call =
            recipient.call.as_ref().is_none_or(|call| self.calls.get(&invocation) == Some(call));
        call && addressees.as_ref().is_none_or(|tools| tools.iter().any(|tool| is_meant(tool)))
    }

    /// Returns the first unused answer that fits, and its time.
    fn decide(&self, prompt: &Prompt, now: Duration) -> Option<(Approval, Duration)> {
        let mut said = self.lock();
        if let Some((index, due)) = said.made_up.get(&prompt.id) {
            return Some((self.approvals.get(*index)?.0.clone(), *due));
        }
        let is_meant = |tool: &str| tool == prompt.binding.tool.as_str();
        let fits = |(index, (approval, tools)): &(usize, &(Approval, Addressees))| {
            !said.used_approvals.contains(index)
                && self.is_for(&approval.recipient, tools, prompt.invocation, is_meant)
        };
        let (index, (approval, _)) = self.approvals.iter().enumerate().find(fits)?;
        let due = now + Duration::from_millis(approval.after.0);
        said.used_approvals.insert(index);
        said.made_up.insert(prompt.id, (index, due));
        Some((approval.clone(), due))
    }

    /// A tool that needs input has only its bare name; its call determines the tool.
    fn answer(&self, invocation: InvocationId, name: &str) -> Option<InputAnswer> {
        let mut said = self.lock();
        let known = self.tools.get(&invocation);
        let is_meant = |tool: &str| match known {
            Some(known) => tool == known,
            None => tool.strip_suffix(name).is_some_and(|rest| rest.ends_with('/')),
        };
        let fits = |(index, (answer, tools)): &(usize, &(InputAnswer, Addressees))| {
            !said.used_inputs.contains(index)
                && self.is_for(&answer.recipient, tools, invocation, is_meant)
        };
        let (index, (answer, _)) = self.inputs.iter().enumerate().find(fits)?;
        said.used_inputs.insert(index);
        Some(answer.clone())
    }
}

/// The person during one lifetime of the runtime.
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
                        Err(_) => Answer::Unavailable,
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
