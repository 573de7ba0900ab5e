//! What a rehearsal file says.

mod action;
mod approval;
mod call;
mod expectation;
mod hook;
mod input_answer;
mod pattern;
mod recipient;
mod rule;
mod scheduler;
mod script;
mod search;
mod surface;
mod tool;

use assent_policy::Glob;
use assent_protocol::wire::Millis;

pub use action::{Action, Deed};
pub use approval::{Answer, Approval, Remember};
pub use call::Call;
pub use expectation::{CallExpectation, Expectation};
pub use hook::{Effect, Hook, OnFailure};
pub use input_answer::InputAnswer;
pub use pattern::Pattern;
pub use recipient::Recipient;
pub use rule::{Condition, Rule, RuleExample, Test, Verdict};
pub use scheduler::Scheduler;
pub use script::{Artifact, End, Failure, Progress, Script, Step};
pub use search::Search;
pub use surface::{Blocked, Surface};
pub(crate) use tool::DEFAULT_NAMESPACE;
pub use tool::{MutationPolicy, PendingProvider, Persistence, Refusal, Safety, Tool};

use crate::vocabulary::vocabulary;

/// So long a person may think if the file says nothing else.
pub const DEFAULT_APPROVAL_TIMEOUT: Millis = Millis(30_000);

/// A written scenario.
#[derive(Clone, Debug, PartialEq)]
pub struct Scenario {
    /// Whose time it is.
    pub clock: ClockKind,
    /// What may happen without a person.
    pub mode: Mode,
    /// The catalog.
    pub tools: Vec<Tool>,
    /// What of the catalog is on offer.
    pub surface: Surface,
    /// Permission rules.
    pub rules: Vec<Rule>,
    /// Cedar policies beside the rules, as text.
    pub policies: Option<String>,
    /// Hooks, in the order in which they run.
    pub hooks: Vec<Hook>,
    /// What the person answers when asked for permission.
    pub approvals: Vec<Approval>,
    /// What the person answers when a tool needs input.
    pub inputs: Vec<InputAnswer>,
    /// How long the person may think.
    pub approval_timeout: Millis,
    /// How calls run beside and after each other.
    pub scheduler: Scheduler,
    /// What is searched before the calls.
    pub searches: Vec<Search>,
    /// What the model calls.
    pub calls: Vec<Call>,
    /// What happens from outside while calls run.
    pub actions: Vec<Action>,
    /// What must be true in the end.
    pub expectations: Vec<Expectation>,
}

impl Scenario {
    /// The tool that the file means by `written`: a name or `namespace/name` before an alias, as the
    /// runtime has it; `None` if there is none or more than one.
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

    /// The tools that a glob means. One without wildcards means the one tool that has the name.
    pub(crate) fn tools_of(&self, glob: &str) -> Vec<&Tool> {
        let Ok(compiled) = Glob::parse(glob) else { return Vec::new() };
        match self.tool(glob) {
            Some(tool) => vec![tool],
            None => self.tools.iter().filter(|tool| tool.is_matched_by(&compiled)).collect(),
        }
    }
}

vocabulary! {
    /// Whose time it is.
    pub ClockKind {
        /// Simulated: waiting takes no time, and two runs give the same journal.
        Virtual = "virtual",
        /// The machine's.
        Real = "real",
    }
}

vocabulary! {
    /// What may happen without a person, and what at all.
    pub Mode {
        /// A person can be asked.
        Interactive = "interactive",
        /// Nobody can be asked: what would ask is denied.
        Headless = "headless",
        /// Only tools that change nothing.
        ReadOnly = "read_only",
        /// Nothing executes.
        Plan = "plan",
    }
}
