//! The facts of each call are numbered from 0 without gaps, and every store refuses facts that are not.

use std::collections::BTreeMap;

use assent_ids::InvocationId;

use crate::JournalError;

/// Checks the steps of new facts. `next_of` is the next step of a call in the journal. Returns the next step
/// of each call after the new facts.
pub(crate) fn check<E: From<JournalError>>(
    facts: impl Iterator<Item = (Option<InvocationId>, u32)>,
    mut next_of: impl FnMut(InvocationId) -> Result<u32, E>,
) -> Result<BTreeMap<InvocationId, u32>, E> {
    let mut steps = BTreeMap::new();
    for (invocation, found) in facts {
        let Some(invocation) = invocation else { continue };
        let expected = match steps.get(&invocation) {
            Some(next) => *next,
            None => next_of(invocation)?,
        };
        if found != expected {
            return Err(JournalError::OutOfStep { invocation, expected, found }.into());
        }
        steps.insert(invocation, expected.saturating_add(1));
    }
    Ok(steps)
}
