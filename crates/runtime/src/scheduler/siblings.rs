//! Who is canceled when a call of the batch does not succeed.

use assent_protocol::agent_tool::{InvocationStatus, SiblingFailurePolicy};

/// How a call ended, as far as others are concerned.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Ended {
    /// It did what it should.
    Good,
    /// It was started, or could not be, and failed.
    Failed,
    /// It took too long.
    TimedOut,
    /// It was not let: denied, blocked, or its input was wrong.
    Refused,
    /// It was stopped, or thrown away.
    Canceled,
}

impl Ended {
    /// What others make of a call in this last state. A call that was not let run is not one that failed.
    pub(crate) fn of(status: InvocationStatus, was_executed: bool) -> Self {
        match status {
            InvocationStatus::Succeeded => Self::Good,
            InvocationStatus::TimedOut if was_executed => Self::TimedOut,
            InvocationStatus::Failed => Self::Failed,
            InvocationStatus::Canceled => Self::Canceled,
            _ => Self::Refused,
        }
    }

    /// Whether a call that depends on one with this end is canceled because of it.
    pub(crate) fn cancels_dependents(self, policy: SiblingFailurePolicy) -> bool {
        reach(policy, self) != Reach::None
    }
}

/// Who has ended and who is to be canceled, by rank.
#[derive(Debug)]
pub(super) struct Siblings {
    policy: SiblingFailurePolicy,
    /// Who waits for whom.
    dependents: Vec<Vec<usize>>,
    fates: Vec<Fate>,
    all_canceled: bool,
}

#[derive(Clone, Copy, Debug, Default)]
struct Fate {
    ended: bool,
    /// It was reached by a failure, whether or not it could still be canceled.
    reached: bool,
}

/// How far the end of a call reaches.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Reach {
    None,
    Dependents,
    Everybody,
}

impl Siblings {
    pub(super) fn new(policy: SiblingFailurePolicy, dependents: Vec<Vec<usize>>) -> Self {
        let fates = vec![Fate::default(); dependents.len()];
        Self { policy, dependents, fates, all_canceled: false }
    }

    /// Records the end of a call and says who is to be canceled because of it, each call once. None
    /// if it had ended before.
    pub(super) fn end(&mut self, rank: usize, how: Ended) -> Option<Vec<usize>> {
        let fate = self.fates.get_mut(rank).filter(|fate| !fate.ended)?;
        fate.ended = true;
        Some(match reach(self.policy, how) {
            Reach::None => Vec::new(),
            Reach::Dependents => self.dependents_of(rank),
            Reach::Everybody => self.everybody(),
        })
    }

    /// Those that wait for this call.
    pub(super) fn waiting_for(&self, rank: usize) -> &[usize] {
        self.dependents.get(rank).map_or(&[], Vec::as_slice)
    }

    /// All that depend on the call, directly or not, and have not ended. What was reached before is
    /// not walked again, so that all failures of a batch together cost one walk.
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

    fn everybody(&mut self) -> Vec<usize> {
        if std::mem::replace(&mut self.all_canceled, true) {
            return Vec::new();
        }
        let unfinished = self.fates.iter().enumerate().filter(|(_, fate)| !fate.ended);
        unfinished.map(|(rank, _)| rank).collect()
    }
}

/// A call that was refused or stopped is no failure that others have to answer for, but whoever
/// depends on it lacks what it should have done.
fn reach(policy: SiblingFailurePolicy, how: Ended) -> Reach {
    match (policy, how) {
        (_, Ended::Good) | (SiblingFailurePolicy::Ignore, _) => Reach::None,
        (SiblingFailurePolicy::CancelSiblings, Ended::Failed | Ended::TimedOut) => Reach::Everybody,
        (SiblingFailurePolicy::CancelSiblings, Ended::Refused | Ended::Canceled) => Reach::None,
        (SiblingFailurePolicy::CancelDependent, _) => Reach::Dependents,
    }
}

#[cfg(test)]
mod tests;
