//! Facts on their way into the journal.

use assent_ids::{InvocationId, UnixMillis};

use crate::{Draft, Fact};

/// The facts of a batch, in order.
#[derive(Clone, Debug)]
pub enum Drafts {
    /// Those of one call, which follow each other: what a call writes on its way.
    OfCall(Chapter),
    /// Whatever they are about.
    Mixed(Vec<Draft>),
}

/// Facts of one call that follow each other. What they have in common is said once.
#[derive(Clone, Debug)]
pub struct Chapter {
    /// The call.
    pub call: InvocationId,
    /// The place of the first one among the facts of that call.
    pub first_step: u32,
    /// What happened, and when.
    pub facts: Vec<Happened>,
}

/// A fact with its time.
#[derive(Clone, Debug, PartialEq)]
pub struct Happened {
    /// When it happened.
    pub at: UnixMillis,
    /// What happened.
    pub fact: Fact,
}

impl Drafts {
    /// How many there are.
    #[must_use]
    pub fn len(&self) -> usize {
        match self {
            Self::OfCall(chapter) => chapter.facts.len(),
            Self::Mixed(drafts) => drafts.len(),
        }
    }

    /// Whether there are none.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// The call and the step of each fact.
    pub(crate) fn steps(&self) -> impl Iterator<Item = (Option<InvocationId>, u32)> {
        let (chapter, mixed) = match self {
            Self::OfCall(chapter) => (Some(chapter.steps()), None),
            Self::Mixed(drafts) => (None, Some(drafts)),
        };
        let mixed = mixed.into_iter().flatten().map(|draft| (draft.invocation, draft.step));
        chapter.into_iter().flatten().map(|(call, step)| (Some(call), step)).chain(mixed)
    }

    /// Each by itself.
    #[must_use]
    pub fn into_vec(self) -> Vec<Draft> {
        match self {
            Self::OfCall(chapter) => {
                let steps: Vec<_> = chapter.steps().collect();
                let draft = |(Happened { at, fact }, (call, step))| Draft {
                    at,
                    invocation: Some(call),
                    step,
                    fact,
                };
                chapter.facts.into_iter().zip(steps).map(draft).collect()
            }
            Self::Mixed(drafts) => drafts,
        }
    }
}

impl Chapter {
    /// The call and the step of each fact.
    pub(crate) fn steps(&self) -> impl Iterator<Item = (InvocationId, u32)> + use<> {
        let (call, first) = (self.call, self.first_step);
        let count = u32::try_from(self.facts.len()).unwrap_or(u32::MAX);
        (0..count).map(move |at| (call, first.saturating_add(at)))
    }

    /// The step that comes after the last one.
    pub(crate) fn next_step(&self) -> u32 {
        let count = u32::try_from(self.facts.len()).unwrap_or(u32::MAX);
        self.first_step.saturating_add(count)
    }
}

impl Default for Drafts {
    fn default() -> Self {
        Self::Mixed(Vec::new())
    }
}

impl From<Vec<Draft>> for Drafts {
    fn from(drafts: Vec<Draft>) -> Self {
        Self::Mixed(drafts)
    }
}

impl From<Chapter> for Drafts {
    fn from(chapter: Chapter) -> Self {
        Self::OfCall(chapter)
    }
}

#[cfg(test)]
mod tests {
    use super::{Chapter, Drafts, Happened};
    use crate::{Draft, conformance::sample};

    /// The facts of a call, from the fourth on, as the call writes them.
    fn chapter(drafts: &[Draft]) -> Drafts {
        let happened = |draft: &Draft| Happened { at: draft.at, fact: draft.fact.clone() };
        let facts = drafts.iter().skip(3).map(happened).collect();
        Chapter { call: sample::call(1), first_step: 3, facts }.into()
    }

    #[test]
    fn a_chapter_says_the_same_as_its_drafts_one_by_one() {
        let all = sample::allowed_call(1);
        let (chapter, drafts) = (chapter(&all), Drafts::from(all[3..].to_vec()));
        assert_eq!(chapter.len(), drafts.len());
        assert!(chapter.steps().eq(drafts.steps()));
        assert_eq!(chapter.clone().into_vec(), drafts.into_vec());
        assert!(!chapter.is_empty() && Drafts::default().is_empty());
    }
}
