//! The facts of each call are numbered from 0 without gaps: every store refuses what is not.

use assent_ids::InvocationId;

use crate::{Draft, JournalError};

/// The step that comes next, for each call of a batch. There is rarely more than one call.
pub(crate) type NextSteps = Vec<(InvocationId, u32)>;

/// The calls and steps of some drafts.
pub(crate) fn of(drafts: &[Draft]) -> impl Iterator<Item = (Option<InvocationId>, u32)> {
    drafts.iter().map(|draft| (draft.invocation, draft.step))
}

/// Checks the steps of new facts, given what comes next for a call so far, and returns what comes next
/// after them.
pub(crate) fn advance<E: From<JournalError>>(
    facts: impl Iterator<Item = (Option<InvocationId>, u32)>,
    mut next_of: impl FnMut(InvocationId) -> Result<u32, E>,
) -> Result<NextSteps, E> {
    let mut steps = NextSteps::new();
    for (invocation, found) in facts {
        let Some(invocation) = invocation else { continue };
        let next = match steps.iter_mut().rev().find(|(call, _)| *call == invocation) {
            Some((_, next)) => next,
            None => &mut steps.push_mut((invocation, next_of(invocation)?)).1,
        };
        let expected = *next;
        if found != expected {
            return Err(JournalError::OutOfStep { invocation, expected, found }.into());
        }
        *next = expected.saturating_add(1);
    }
    Ok(steps)
}
