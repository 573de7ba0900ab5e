//! Finds past decisions that would change under a new policy.

use crate::{Decision, Grants, Policy, Question, Reason};

/// A decision that two policies make differently.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Flip {
    /// The index of the question, from 0.
    pub index: usize,
    /// The decision of the old policy.
    pub before: Decision,
    /// The reason for the old decision.
    pub before_reason: Option<Reason>,
    /// The decision of the new policy.
    pub after: Decision,
    /// The reason for the new decision.
    pub after_reason: Option<Reason>,
}

/// Decides each question, with the grants that were in force, under both policies.
pub fn replay<'q>(
    old: &Policy,
    new: &Policy,
    questions: impl IntoIterator<Item = (Question<'q>, &'q Grants)>,
) -> Vec<Flip> {
    let flip = |(index, (question, grants)): (usize, (Question<'q>, &Grants))| {
        let before = old.decide(&question, grants);
        let after = new.decide(&question, grants);
        (before.decision != after.decision).then(|| Flip {
            index,
            before: before.decision,
            before_reason: before.decisive().cloned(),
            after: after.decision,
            after_reason: after.decisive().cloned(),
        })
    };
    questions.into_iter().enumerate().filter_map(flip).collect()
}
