//! A snapshot of the grants that are in force.

use std::{collections::BTreeMap, sync::Arc};

use crate::{Grant, GrantEffect, GrantKey, Question, Reason, prefix_index::PrefixIndex};

/// An immutable set of grants with their uses. Clones share the set; changes create a new one, so that a
/// decision is based on one state.
#[derive(Clone, Debug, Default)]
pub struct Grants {
    table: Arc<Table>,
    /// The grants by their index.
    used: Arc<[u32]>,
}

#[derive(Debug, Default)]
struct Table {
    /// The indexes, ordered by the ids of the grants.
    grants: Vec<Grant>,
    /// The indexes by the prefix of the tool's id.
    index: PrefixIndex,
}

impl Grants {
    /// Creates an empty set.
    #[must_use]
    pub fn none() -> Self {
        Self::default()
    }

    /// Creates a set of grants with their uses. Of two grants with the same id, the last one counts.
    pub fn new(grants: impl IntoIterator<Item = (Grant, u32)>) -> Self {
        let by_id: BTreeMap<GrantKey, (Grant, u32)> =
            grants.into_iter().map(|pair| (pair.0.id().clone(), pair)).collect();
        let (grants, used): (Vec<Grant>, Vec<u32>) = by_id.into_values().unzip();
        let index = PrefixIndex::new(grants.iter().map(Grant::tool_prefix).zip(0..));
        Self { table: Arc::new(Table { grants, index }), used: used.into() }
    }

    /// Adds a grant that was not used yet.
    #[must_use]
    pub fn with(&self, grant: Grant) -> Self {
        Self::new(self.each().chain([(grant, 0)]))
    }

    /// Removes a grant, and all that were derived from it.
    #[must_use]
    pub fn without(&self, id: &GrantKey) -> Self {
        let stays = |grant: &Grant| grant.id() != id && grant.ancestors().all(|one| one != id);
        Self::new(self.each().filter(|(grant, _)| stays(grant)))
    }

    /// Counts one use of the grant and of those it was derived from. Returns `None` if there is no such grant
    /// or one of them is used up: then the call must not run.
    #[must_use]
    pub fn spend(&self, id: &GrantKey) -> Option<Self> {
        let position = self.position(id)?;
        let mut used = self.used.to_vec();
        for position in self.chain(position) {
            if !self.has_uses(position) {
                return None;
            }
            let count = used.get_mut(position)?;
            *count = count.saturating_add(1);
        }
        Some(Self { table: Arc::clone(&self.table), used: used.into() })
    }

    /// Returns the grant with this id and its uses.
    #[must_use]
    pub fn get(&self, id: &GrantKey) -> Option<(&Grant, u32)> {
        let position = self.position(id)?;
        Some((self.table.grants.get(position)?, self.used.get(position).copied()?))
    }

    /// Iterates over the grants and their uses, ordered by id.
    pub fn iter(&self) -> impl Iterator<Item = (&Grant, u32)> {
        self.table.grants.iter().zip(self.used.iter().copied())
    }

    /// Returns the number of grants.
    #[must_use]
    pub fn len(&self) -> usize {
        self.table.grants.len()
    }

    /// Returns `true` if there are no grants.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.table.grants.is_empty()
    }

    /// Returns the denials that cover a call.
    pub(crate) fn denials<'g>(&'g self, question: &Question<'g>) -> impl Iterator<Item = Reason> {
        self.covering(question, GrantEffect::Deny).map(Grant::reason)
    }

    /// Returns the permission that covers a call. Grants without a limit of uses come first, then those that
    /// expire first.
    pub(crate) fn permission<'g>(&'g self, question: &Question<'g>) -> Option<&'g Grant> {
        let cost = |grant: &Grant| {
            let end = grant.not_after();
            (grant.uses().is_some(), end.is_none(), end, grant.id().clone())
        };
        let covering = self.covering(question, GrantEffect::Allow);
        covering.min_by(|a, b| cost(a).cmp(&cost(b)))
    }

    fn covering<'g>(
        &'g self,
        question: &Question<'g>,
        effect: GrantEffect,
    ) -> impl Iterator<Item = &'g Grant> {
        let question = *question;
        let candidates = self.table.index.candidates(question.tool_id);
        candidates.filter_map(move |index| {
            let position = index as usize;
            let grant = self.table.grants.get(position)?;
            let is_live = || self.chain(position).all(|position| self.has_uses(position));
            let covers = grant.spec().effect == effect && grant.covers(&question) && is_live();
            covers.then_some(grant)
        })
    }

    /// Returns a grant and those it was derived from, as far as they are in the set.
    fn chain(&self, position: usize) -> impl Iterator<Item = usize> {
        let grant = self.table.grants.get(position);
        let ancestors = grant.into_iter().flat_map(Grant::ancestors);
        std::iter::once(position).chain(ancestors.filter_map(|id| self.position(id)))
    }

    fn has_uses(&self, position: usize) -> bool {
        let limit = self.table.grants.get(position).and_then(Grant::uses);
        let used = self.used.get(position).copied().unwrap_or(u32::MAX);
        limit.is_none_or(|limit| used < limit)
    }

    fn position(&self, id: &GrantKey) -> Option<usize> {
        self.table.grants.binary_search_by(|grant| grant.id().cmp(id)).ok()
    }

    fn each(&self) -> impl Iterator<Item = (Grant, u32)> + '_ {
        self.iter().map(|(grant, used)| (grant.clone(), used))
    }
}
