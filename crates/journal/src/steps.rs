//! The facts of each call are numbered from 0 without gaps: every store refuses what is not.

use assent_ids::InvocationId;

use crate::JournalError;

/// The step that comes next, for each call of a batch. There is rarely more than one call, so the first
/// one needs no memory of its own.
#[derive(Default)]
pub(crate) struct NextSteps {
    first: Option<(InvocationId, u32)>,
    others: Vec<(InvocationId, u32)>,
}

impl NextSteps {
    /// Each call with the step that comes next.
    pub(crate) fn each(&self) -> impl Iterator<Item = (InvocationId, u32)> {
        self.first.iter().chain(&self.others).copied()
    }

    fn get_mut(&mut self, call: InvocationId) -> Option<&mut u32> {
        let is_it = |(known, _): &&mut (InvocationId, u32)| *known == call;
        // Facts of one call mostly follow each other.
        let last = self.others.iter_mut().rfind(is_it);
        last.or_else(|| self.first.as_mut().filter(is_it)).map(|(_, next)| next)
    }

    fn add(&mut self, call: InvocationId, next: u32) -> &mut u32 {
        let added = match self.first {
            None => self.first.insert((call, next)),
            Some(_) => self.others.push_mut((call, next)),
        };
        &mut added.1
    }
}

/// Checks the steps of new facts, given what comes next for a call so far, and returns what comes next
/// after them.
pub(crate) fn advance<E: From<JournalError>>(
    facts: impl Iterator<Item = (Option<InvocationId>, u32)>,
    mut next_of: impl FnMut(InvocationId) -> Result<u32, E>,
) -> Result<NextSteps, E> {
    let mut steps = NextSteps::default();
    for (invocation, found) in facts {
        let Some(invocation) = invocation else { continue };
        let next = match steps.get_mut(invocation) {
            Some(next) => next,
            None => steps.add(invocation, next_of(invocation)?),
        };
        let expected = *next;
        if found != expected {
            return Err(JournalError::OutOfStep { invocation, expected, found }.into());
        }
        *next = expected.saturating_add(1);
    }
    Ok(steps)
}
