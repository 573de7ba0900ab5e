//! Asking a person, and holding the answer to exactly what was asked.

mod binding;
mod view;

use std::{future::Future, pin::Pin};

use assent_ids::{InvocationId, PromptId, UnixMillis};
use assent_journal::Binding;
use assent_json::Json;
use assent_protocol::agent_tool::SuggestedUpdate;

pub(crate) use binding::{Bound, OVER, about_to_run, mismatch};
pub use view::{View, ViewLine};

/// What an approver gives back, when it does.
pub type Answering<'a> = Pin<Box<dyn Future<Output = Answer> + Send + 'a>>;

/// Whoever decides what no rule decides: a person at a screen, a phone, a policy service.
pub trait Approver: Send + Sync {
    /// Puts the question. The pipeline stops waiting at `prompt.not_after`; an answer after that has
    /// no effect. After a restart the same question is put again, under the same id.
    fn ask<'a>(&'a self, prompt: &'a Prompt) -> Answering<'a>;
}

/// A question to a person.
#[derive(Clone, Debug)]
pub struct Prompt {
    /// Which question.
    pub id: PromptId,
    /// About which call.
    pub invocation: InvocationId,
    /// What a yes is valid for.
    pub binding: Binding,
    /// What is shown: every part of the arguments, with nothing hidden in it.
    pub view: View,
    /// The arguments themselves, for an approver who offers to edit them.
    pub input: Json,
    /// Why somebody is asked, one line per reason.
    pub reasons: Vec<String>,
    /// What hooks want people to know.
    pub messages: Vec<String>,
    /// Rules that would spare the question next time; they have no effect until somebody applies them.
    pub suggested: Vec<SuggestedUpdate>,
    /// Until when an answer counts.
    pub not_after: UnixMillis,
}

/// What the person says.
#[derive(Clone, Debug, PartialEq)]
pub enum Answer {
    /// Yes.
    Allow {
        /// With this input instead.
        edit: Option<Json>,
        /// What they said besides.
        feedback: Option<String>,
        /// Whether the same question is answered the same way from now on.
        remember: Remember,
    },
    /// No.
    Deny {
        /// What they said besides.
        feedback: Option<String>,
        /// Whether the same question is answered the same way from now on.
        remember: Remember,
    },
    /// No approver is available; the call is denied.
    Unavailable,
}

/// How long an answer lasts.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Remember {
    /// For this call.
    #[default]
    Once,
    /// For calls of the same tool with the same arguments, until the session ends or the tool changes.
    Session,
}

/// For hosts where nobody can be asked: every question is a no.
#[derive(Clone, Copy, Debug, Default)]
pub struct NoApprover;

impl Approver for NoApprover {
    fn ask<'a>(&'a self, _prompt: &'a Prompt) -> Answering<'a> {
        Box::pin(std::future::ready(Answer::Unavailable))
    }
}

/// Answers what running tools ask for.
pub trait InputProvider: Send + Sync {
    /// The answer to a question of a running call; none if nobody answers.
    fn answer<'a>(
        &'a self,
        invocation: InvocationId,
        tool: &'a str,
        prompt: &'a str,
    ) -> Pin<Box<dyn Future<Output = Option<Json>> + Send + 'a>>;
}

/// For hosts where nobody answers: the call waits until its time is over.
#[derive(Clone, Copy, Debug, Default)]
pub struct NoInput;

impl InputProvider for NoInput {
    fn answer<'a>(
        &'a self,
        _invocation: InvocationId,
        _tool: &'a str,
        _prompt: &'a str,
    ) -> Pin<Box<dyn Future<Output = Option<Json>> + Send + 'a>> {
        Box::pin(std::future::ready(None))
    }
}
