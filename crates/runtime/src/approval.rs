//! Asking a person, and holding the answer to exactly what was asked.

mod binding;
mod view;

use std::{borrow::Cow, future::Future, pin::Pin};

use assent_ids::{InvocationId, PromptId, UnixMillis};
use assent_journal::Binding;
use assent_json::Json;
use assent_protocol::agent_tool::{ErrorClass, SuggestedUpdate};

pub(crate) use binding::{Bound, about_to_run, mismatch};
pub use view::{View, ViewLine};

/// The future of an answer.
pub type Answering<'a> = Pin<Box<dyn Future<Output = Answer> + Send + 'a>>;

/// Decides what no rule decides: a person at a screen or a phone, or a policy service.
pub trait Approver: Send + Sync {
    /// Answers a question. After a restart the same question is asked again, under the same id. An answer after
    /// `prompt.not_after`, if there is one, has no effect.
    fn ask<'a>(&'a self, prompt: &'a Prompt) -> Answering<'a>;

    /// Returns `true` if the approver decides how long each question stays open. The runtime then waits until the
    /// approver answers, also after a restart, and `prompt.not_after` is `None`. A question that ends without an
    /// answer of a person is an [`Answer::Refuse`]. By default the runtime stops waiting after
    /// [`approval_timeout`](crate::RuntimeBuilder::approval_timeout).
    fn owns_deadline(&self) -> bool {
        false
    }
}

/// A question to a person about one call.
#[derive(Clone, Debug)]
pub struct Prompt {
    /// The id of the question.
    pub id: PromptId,
    /// The call that it is about.
    pub invocation: InvocationId,
    /// The exact call that an approval is valid for.
    pub binding: Binding,
    /// The arguments as they are shown to the person, with every hidden character made visible.
    pub view: View,
    /// The arguments themselves, for an approver that lets the person edit them.
    pub input: Json,
    /// Why the question is asked, one line per reason.
    pub reasons: Vec<String>,
    /// Messages of hooks for the person.
    pub messages: Vec<String>,
    /// Rules that would make the question unnecessary next time; they have no effect unless applied.
    pub suggested: Vec<SuggestedUpdate>,
    /// The time after which an answer has no effect; `None` if the approver decides that.
    pub not_after: Option<UnixMillis>,
}

/// The answer to a question.
#[derive(Clone, Debug, PartialEq)]
pub enum Answer {
    /// The call may run.
    Allow {
        /// The input to run it with, if the person changed it.
        edit: Option<Json>,
        /// A comment of the person.
        feedback: Option<String>,
        /// How long the answer lasts.
        remember: Remember,
    },
    /// The call must not run.
    Deny {
        /// A comment of the person.
        feedback: Option<String>,
        /// How long the answer lasts.
        remember: Remember,
    },
    /// The call must not run, for a reason other than a no of a person: the question was open for too long, there
    /// are too many questions, or a permission was taken back.
    Refuse {
        /// The class of the result's error.
        class: ErrorClass,
        /// The code of the result's error.
        code: Cow<'static, str>,
    },
    /// No approver is available; the call is denied.
    Unavailable,
}

impl Answer {
    /// Allows this call, exactly as it was shown.
    #[must_use]
    pub fn allow() -> Self {
        Self::Allow { edit: None, feedback: None, remember: Remember::Once }
    }

    /// Denies this call.
    #[must_use]
    pub fn deny() -> Self {
        Self::Deny { feedback: None, remember: Remember::Once }
    }
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

/// An approver for hosts without one: every call that needs an approval is denied.
#[derive(Clone, Copy, Debug, Default)]
pub struct NoApprover;

impl Approver for NoApprover {
    fn ask<'a>(&'a self, _prompt: &'a Prompt) -> Answering<'a> {
        Box::pin(std::future::ready(Answer::Unavailable))
    }
}

/// Answers what running tools ask for.
pub trait InputProvider: Send + Sync {
    /// Answers a question of a running call; `None` if it cannot be answered.
    fn answer<'a>(
        &'a self,
        invocation: InvocationId,
        tool: &'a str,
        prompt: &'a str,
    ) -> Pin<Box<dyn Future<Output = Option<Json>> + Send + 'a>>;
}

/// An input provider for hosts without one: no question is answered, and the call waits until its timeout.
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
