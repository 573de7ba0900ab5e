//! The content of a rehearsal file.

mod action;
mod approval;
mod call;
mod expectation;
mod hook;
mod input_answer;
mod pattern;
mod recipient;
mod scheduler;
mod script;
mod search;
mod surface;
mod tool;

use assent_policy::{Glob, RuleSpec};
use assent_protocol::wire::Millis;

pub use action::{Action, Deed};
pub use approval::{Answer, Approval, Remember};
pub use call::Call;
pub use expectation::{CallExpectation, Expectation};
pub use hook::{Effect, Hook, OnFailure};
pub use input_answer::InputAnswer;
pub use pattern::Pattern;
pub use recipient::Recipient;
pub use scheduler::Scheduler;
pub use script::{Artifact, End, Failure, Progress, Script, Step};
pub use search::Search;
pub use surface::{Blocked, Surface};
pub(crate) use tool::DEFAULT_NAMESPACE;
pub use tool::{MutationPolicy, PendingProvider, Persistence, Refusal, Safety, Tool};

use crate::vocabulary::vocabulary;

/// The default time in which the person must answer.
pub const DEFAULT_APPROVAL_TIMEOUT: Millis = Millis(30_000);

/// A written scenario.
#[derive(Clone, Debug, PartialEq)]
pub struct Scenario {
    /// The clock.
    pub clock: ClockKind,
    /// The permission mode.
    pub mode: Mode,
    /// The tools of the catalog.
    pub tools: Vec<Tool>,
    /// Which tools are offered to the model.
    pub surface: Surface,
    /// Permission rules.
    pub rules: Vec<RuleSpec>,
    /// Cedar policies in addition to the rules, as text.
    pub policies: Option<String>,
    /// Hooks, in the order in which they run.
    pub hooks: Vec<Hook>,
    /// The answers of the person to permission requests.
    pub approvals: Vec<Approval>,
    /// The answers of the person to tools that need input.
    pub inputs: Vec<InputAnswer>,
    /// The time in which the person must answer.
    pub approval_timeout: Millis,
    /// The scheduler policy.
    pub scheduler: Scheduler,
    /// Searches before the calls.
    pub searches: Vec<Search>,
    /// The calls of the model.
    pub calls: Vec<Call>,
    /// External events while calls run.
    pub actions: Vec<Action>,
    /// The expectations.
    pub expectations: Vec<Expectation>,
}

impl Scenario {
    /// Returns the tool called `written`: a name or `namespace/name` before an alias, as in the runtime;
    /// `None` if there is no such tool or more than one.
    #[must_use]
    pub fn tool(&self, written: &str) -> Option<&Tool> {
        let only = |answers: fn(&Tool, &str) -> bool| {
            let mut found = self.tools.iter().filter(|tool| answers(tool, written));
            found.next().filter(|_| found.next().is_none())
        };
        match self.tools.iter().any(|tool| tool.is_named(written)) {
            true => only(Tool::is_named),
            false => only(Tool::has_alias),
        }
    }

    /// Returns the tools that a glob matches. Without wildcards, the one tool with this name.
    pub(crate) fn tools_of(&self, glob: &str) -> Vec<&Tool> {
        let Ok(compiled) = Glob::parse(glob) else { return Vec::new() };
        match self.tool(glob) {
            Some(tool) => vec![tool],
            None => self.tools.iter().filter(|tool| tool.is_matched_by(&compiled)).collect(),
        }
    }
}

vocabulary! {
    /// The kind of clock.
    pub ClockKind {
        /// Simulated: waiting takes no time, and two runs produce the same journal.
        Virtual = "virtual",
        /// The clock of the machine.
        Real = "real",
    }
}

vocabulary! {
    /// The permission mode.
    pub Mode {
        /// A person can be asked.
        Interactive = "interactive",
        /// No person can be asked: calls that would be asked about are denied.
        Headless = "headless",
        /// Only calls that change nothing may run.
        ReadOnly = "read_only",
        /// No call runs.
        Plan = "plan",
    }
}
