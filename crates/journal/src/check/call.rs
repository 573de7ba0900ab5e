//! The rules for one call.

use assent_protocol::agent_tool::{Behavior, InvocationStatus};

use crate::{Draft, Ended, Fact};

/// The state of a call during the check.
#[derive(Debug, Default)]
pub(super) struct Call {
    next_step: u32,
    /// Every status that it had.
    path: Vec<InvocationStatus>,
    last_decision: Option<Behavior>,
    results: u32,
    ended: bool,
}

/// Collects problems.
#[derive(Default)]
struct Problems(Vec<String>);

impl Problems {
    fn demand(&mut self, holds: bool, otherwise: &str) {
        if !holds {
            self.0.push(otherwise.to_owned());
        }
    }
}

impl Call {
    /// Checks the next fact and returns its problems.
    pub(super) fn check(&mut self, draft: &Draft) -> Vec<String> {
        let mut problems = Problems::default();
        problems.demand(draft.step == self.next_step, "its facts are not numbered without gaps");
        self.next_step = draft.step.saturating_add(1);
        problems.demand(!self.ended, "something comes after its end");
        if !matches!(draft.fact, Fact::Noted(_)) {
            let begins = matches!(draft.fact, Fact::Planned(_));
            let is_first = self.path.is_empty();
            problems.demand(begins || !is_first, "it does not begin with `planned`");
            problems.demand(is_first || !begins, "it is `planned` twice");
        }
        self.take(draft, &mut problems);
        problems.0
    }

    fn take(&mut self, draft: &Draft, problems: &mut Problems) {
        match &draft.fact {
            Fact::Planned(_) => self.path.push(InvocationStatus::Planned),
            Fact::Selected(_) => self.go(InvocationStatus::Selected, problems),
            Fact::Moved(status) => self.go(*status, problems),
            Fact::Decided(decided) => self.last_decision = Some(decided.behavior),
            Fact::Resulted(_) => {
                self.results = self.results.saturating_add(1);
                problems.demand(self.results == 1, "it has two results");
            }
            Fact::Ended(ended) => self.end(ended, problems),
            _ => {}
        }
    }

    fn go(&mut self, to: InvocationStatus, problems: &mut Problems) {
        if let Some(from) = self.path.last() {
            problems.demand(from.can_become(to), &format!("it goes from `{from}` to `{to}`"));
        }
        if matches!(to, InvocationStatus::Queued | InvocationStatus::Running) {
            let allowed = self.last_decision == Some(Behavior::Allow);
            problems.demand(allowed, "it starts without a decision that allows it");
        }
        let has_result = self.results > 0;
        problems.demand(has_result || !to.is_terminal(), "it ends before its result");
        self.path.push(to);
    }

    fn end(&mut self, ended: &Ended, problems: &mut Problems) {
        self.ended = true;
        let over = self.path.last().is_some_and(|status| status.is_terminal());
        let ran = self.path.contains(&InvocationStatus::Running);
        let recorded = ended.transitions.iter().map(|(status, _)| status);
        problems.demand(over, "it ends in a state that is no end");
        problems.demand(self.results > 0, "it ends without a result");
        problems.demand(recorded.eq(&self.path), "its end records another path");
        problems.demand(ran || !ended.executed, "it was executed and never ran");
    }
}
