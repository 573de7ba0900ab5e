//! What a batch says about calls, found out before anybody has to wait for it.

use assent_ids::InvocationId;

use crate::{Chapter, Draft, Drafts, Fact};

/// The calls of a batch, each with its steps. There is rarely more than one, so the first needs no memory of
/// its own.
#[derive(Debug, Default, PartialEq, Eq)]
pub(super) struct Coming {
    first: Option<Span>,
    others: Vec<Span>,
}

/// The steps of one call in a batch, without gaps.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Span {
    pub(super) call: InvocationId,
    /// The first step.
    pub(super) from: u32,
    /// The step after the last one.
    pub(super) next: u32,
    /// Whether the call ends with it.
    pub(super) ends: bool,
}

impl Coming {
    /// What `drafts` say. None if the steps of a call do not follow each other.
    pub(super) fn of(drafts: &Drafts) -> Option<Self> {
        match drafts {
            Drafts::OfCall(chapter) => Some(Self::of_call(chapter)),
            Drafts::Mixed(drafts) => Self::of_each(drafts),
        }
    }

    fn of_call(chapter: &Chapter) -> Self {
        let ends = chapter.facts.iter().rev().any(|one| matches!(one.fact, Fact::Ended(_)));
        let (call, from, next) = (chapter.call, chapter.first_step, chapter.next_step());
        let span = Span { call, from, next, ends };
        Self { first: (!chapter.facts.is_empty()).then_some(span), others: Vec::new() }
    }

    fn of_each(drafts: &[Draft]) -> Option<Self> {
        let mut coming = Self::default();
        for draft in drafts {
            let Some(call) = draft.invocation else { continue };
            let ends = matches!(draft.fact, Fact::Ended(_));
            match coming.find(call) {
                Some(span) if span.next != draft.step => return None,
                Some(span) => {
                    span.next = span.next.saturating_add(1);
                    span.ends |= ends;
                }
                None => {
                    let next = draft.step.saturating_add(1);
                    coming.add(Span { call, from: draft.step, next, ends });
                }
            }
        }
        Some(coming)
    }

    /// How many calls there are.
    pub(super) fn len(&self) -> usize {
        usize::from(self.first.is_some()) + self.others.len()
    }

    /// Each call, in the order of their first facts.
    pub(super) fn each(&self) -> impl Iterator<Item = &Span> {
        self.first.iter().chain(&self.others)
    }

    fn find(&mut self, call: InvocationId) -> Option<&mut Span> {
        let is_it = |span: &&mut Span| span.call == call;
        // Facts of one call mostly follow each other.
        let last = self.others.iter_mut().rfind(is_it);
        last.or_else(|| self.first.as_mut().filter(is_it))
    }

    fn add(&mut self, span: Span) {
        match self.first {
            None => self.first = Some(span),
            Some(_) => self.others.push(span),
        }
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::Coming;
    use crate::{Chapter, Draft, Drafts, Happened, conformance::sample, steps};

    fn of_two_calls() -> Vec<Draft> {
        let (one, other) = (sample::allowed_call(1), sample::denied_call(2));
        let mut mixed = Vec::new();
        let (mut one, mut other) = (one.into_iter(), other.into_iter());
        loop {
            let before = mixed.len();
            mixed.extend(one.next());
            mixed.extend(other.next());
            if mixed.len() == before {
                return mixed;
            }
        }
    }

    #[test]
    fn the_calls_of_a_batch_are_told_in_their_order_with_their_ends() {
        let drafts = of_two_calls();
        let coming = Coming::of_each(&drafts).unwrap();
        assert_eq!(coming.len(), 2);
        for span in coming.each() {
            let of_call = drafts.iter().filter(|draft| draft.invocation == Some(span.call));
            assert_eq!((span.from, span.next as usize), (0, of_call.count()));
            assert!(span.ends);
        }
        let unfinished = Coming::of_each(&drafts[..4]).unwrap();
        assert!(unfinished.each().all(|span| !span.ends));
    }

    #[test]
    fn a_chapter_is_taken_as_its_drafts_are() {
        let drafts = sample::allowed_call(1);
        for to in 0..=drafts.len() {
            let happened = |draft: &Draft| Happened { at: draft.at, fact: draft.fact.clone() };
            let facts = drafts[..to].iter().map(happened).collect();
            let chapter = Chapter { call: sample::call(1), first_step: 0, facts };
            assert_eq!(Some(Coming::of_call(&chapter)), Coming::of_each(&drafts[..to]));
        }
    }

    proptest! {
        #[test]
        fn it_accepts_what_the_rule_of_steps_accepts(
            taken in prop::collection::vec(any::<bool>(), 20),
            known in 0..3_u32,
        ) {
            let all = of_two_calls().into_iter().zip(taken.into_iter().chain([true].repeat(99)));
            let drafts: Vec<Draft> = all.filter_map(|(draft, is_in)| is_in.then_some(draft)).collect();
            let drafts = Drafts::from(drafts);
            let by_rule = steps::advance(drafts.steps(), |_| Ok::<_, crate::JournalError>(known));
            let coming = Coming::of(&drafts);
            let fits = coming.as_ref().is_some_and(|coming| coming.each().all(|span| span.from == known));
            prop_assert_eq!(by_rule.is_ok(), fits);
            if let (Ok(by_rule), Some(coming)) = (by_rule, coming) {
                let next: Vec<_> = coming.each().map(|span| (span.call, span.next)).collect();
                prop_assert_eq!(by_rule.each().collect::<Vec<_>>(), next);
            }
        }
    }
}
