//! Whether a journal can have come from a runtime that keeps the rules.

mod call;

use std::collections::BTreeMap;

use assent_ids::InvocationId;

use self::call::Call;
use crate::{Entry, Fact, Projector, Seq};

/// Problems that are listed at most: a journal that is wrong throughout needs no longer list.
const MAX_PROBLEMS: usize = 100;

/// Checks a whole journal: places and steps without gaps; every call begins with [`Fact::Planned`],
/// goes only where it may, runs only after a decision that allows it, has exactly one result and one
/// end, and nothing after that; every record that follows from it keeps our own rules.
///
/// # Errors
///
/// All that is wrong, in order.
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

    /// What was wrong so far.
    #[must_use]
    pub fn problems(&self) -> &[String] {
        &self.problems
    }

    /// What was wrong.
    ///
    /// # Errors
    ///
    /// All that was, in order.
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
