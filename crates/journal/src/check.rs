//! Checks whether a runtime that follows the rules can have written a journal.

mod call;

use std::collections::BTreeMap;

use assent_ids::InvocationId;

use self::call::Call;
use crate::{Entry, Fact, Projector, Seq};

/// The maximum number of problems that are listed.
const MAX_PROBLEMS: usize = 100;

/// Checks a whole journal: sequence numbers and steps have no gaps; every call begins with [`Fact::Planned`],
/// follows the state machine, runs only after a decision that allows it, and has exactly one result and one end,
/// with nothing after it; every record that is made from it follows the strict rules.
///
/// # Errors
///
/// All problems, in order.
pub fn check<'a>(entries: impl IntoIterator<Item = &'a Entry>) -> Result<(), Vec<String>> {
    let mut checker = Checker::default();
    for entry in entries {
        checker.check(entry);
    }
    checker.finish()
}

/// Checks a journal entry by entry.
#[derive(Debug, Default)]
pub struct Checker {
    last: Seq,
    calls: BTreeMap<InvocationId, Call>,
    projector: Projector,
    problems: Vec<String>,
}

impl Checker {
    /// Checks the next entry.
    pub fn check(&mut self, entry: &Entry) {
        let last = std::mem::replace(&mut self.last, entry.seq);
        if entry.seq != last.next() {
            self.problem(entry.seq, format_args!("it follows entry {last}"));
        }
        self.check_draft(entry);
        for record in self.projector.project(entry) {
            for problem in record.problems() {
                self.problem(entry.seq, format_args!("{}{problem}", record.kind()));
            }
        }
    }

    /// The problems so far.
    #[must_use]
    pub fn problems(&self) -> &[String] {
        &self.problems
    }

    /// Finishes the check.
    ///
    /// # Errors
    ///
    /// All problems, in order.
    pub fn finish(self) -> Result<(), Vec<String>> {
        if self.problems.is_empty() { Ok(()) } else { Err(self.problems) }
    }

    fn check_draft(&mut self, entry: &Entry) {
        match (entry.draft.invocation, &entry.draft.fact) {
            (None, Fact::Noted(_)) => {}
            (None, _) => self.problem(entry.seq, format_args!("it does not name its call")),
            (Some(call), _) => {
                for problem in self.calls.entry(call).or_default().check(&entry.draft) {
                    self.problem(entry.seq, format_args!("`{call}`: {problem}"));
                }
            }
        }
    }

    fn problem(&mut self, seq: Seq, problem: std::fmt::Arguments<'_>) {
        if self.problems.len() < MAX_PROBLEMS {
            self.problems.push(format!("entry {seq}: {problem}"));
        }
    }
}
