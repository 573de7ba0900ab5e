//! Which calls are canceled when a call of the batch does not succeed.

use assent_protocol::agent_tool::{InvocationStatus, SiblingFailurePolicy};

/// How a call ended, as far as others are concerned.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Ended {
    /// It succeeded.
    Good,
    /// It failed, after it was started or because it could not be.
    Failed,
    /// It exceeded its timeout.
    TimedOut,
    /// It was refused: denied, blocked, or its input was wrong.
    Refused,
    /// It was canceled or discarded.
    Canceled,
}

impl Ended {
    /// The end that corresponds to a terminal status. A call that was not allowed to run did not fail.
    pub(crate) fn of(status: InvocationStatus, was_executed: bool) -> Self {
        match status {
            InvocationStatus::Succeeded => Self::Good,
            InvocationStatus::TimedOut if was_executed => Self::TimedOut,
            InvocationStatus::Failed => Self::Failed,
            InvocationStatus::Canceled => Self::Canceled,
            _ => Self::Refused,
        }
    }

    /// Returns `true` if the dependents of a call with this end are canceled under the policy.
    pub(crate) fn cancels_dependents(self, policy: SiblingFailurePolicy) -> bool {
        reach(policy, self) != Reach::None
    }
}

/// Which calls have ended and which are to be canceled, by rank.
#[derive(Debug)]
pub(super) struct Siblings {
    policy: SiblingFailurePolicy,
    /// The dependents of each call.
    dependents: Vec<Vec<usize>>,
    fates: Vec<Fate>,
    all_canceled: bool,
}

#[derive(Clone, Copy, Debug, Default)]
struct Fate {
    ended: bool,
    /// A failure has reached it, even if it had already ended.
    reached: bool,
}

/// Which calls the end of a call cancels.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Reach {
    None,
    Dependents,
    All,
}

impl Siblings {
    pub(super) fn new(policy: SiblingFailurePolicy, dependents: Vec<Vec<usize>>) -> Self {
        let fates = vec![Fate::default(); dependents.len()];
        Self { policy, dependents, fates, all_canceled: false }
    }

    /// Records the end of a call and returns the calls that are canceled because of it, each once; `None` if
    /// it had ended before.
    pub(super) fn end(&mut self, rank: usize, how: Ended) -> Option<Vec<usize>> {
        let fate = self.fates.get_mut(rank).filter(|fate| !fate.ended)?;
        fate.ended = true;
        Some(match reach(self.policy, how) {
            Reach::None => Vec::new(),
            Reach::Dependents => self.dependents_of(rank),
            Reach::All => self.all_unfinished(),
        })
    }

    /// The calls that depend directly on this one.
    pub(super) fn waiting_for(&self, rank: usize) -> &[usize] {
        self.dependents.get(rank).map_or(&[], Vec::as_slice)
    }

    /// The calls that depend on this one, directly or not, and have not ended. A call is visited once for all
    /// failures of a batch.
    fn dependents_of(&mut self, rank: usize) -> Vec<usize> {
        let mut casualties = Vec::new();
        let mut open = vec![rank];
        while let Some(rank) = open.pop() {
            for &dependent in self.dependents.get(rank).into_iter().flatten() {
                let Some(fate) = self.fates.get_mut(dependent).filter(|fate| !fate.reached) else {
                    continue;
                };
                fate.reached = true;
                open.push(dependent);
                if !fate.ended {
                    casualties.push(dependent);
                }
            }
        }
        casualties.sort_unstable();
        casualties
    }

    fn all_unfinished(&mut self) -> Vec<usize> {
        if std::mem::replace(&mut self.all_canceled, true) {
            return Vec::new();
        }
        let unfinished = self.fates.iter().enumerate().filter(|(_, fate)| !fate.ended);
        unfinished.map(|(rank, _)| rank).collect()
    }
}

/// A call that was refused or canceled is not a failure that affects its siblings, but its dependents lack its
/// outcome.
fn reach(policy: SiblingFailurePolicy, how: Ended) -> Reach {
    match (policy, how) {
        (_, Ended::Good) | (SiblingFailurePolicy::Ignore, _) => Reach::None,
        (SiblingFailurePolicy::CancelSiblings, Ended::Failed | Ended::TimedOut) => Reach::All,
        (SiblingFailurePolicy::CancelSiblings, Ended::Refused | Ended::Canceled) => Reach::None,
        (SiblingFailurePolicy::CancelDependent, _) => Reach::Dependents,
    }
}

#[cfg(test)]
mod tests;
