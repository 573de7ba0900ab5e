//! Which past decisions a new policy would turn round.

use crate::{Decision, Grants, Policy, Question, Reason};

/// A decision that two policies make differently.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Flip {
    /// Which of the questions, from 0.
    pub index: usize,
    /// What the old policy decides.
    pub before: Decision,
    /// Why.
    pub before_reason: Option<Reason>,
    /// What the new policy decides.
    pub after: Decision,
    /// Why.
    pub after_reason: Option<Reason>,
}

/// Puts each question, with the grants that were in force, to both policies.
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
