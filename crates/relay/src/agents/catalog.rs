//! The agents of the relay, to be searched: in the memory of every node, and never behind.
//!
//! Every change of an agent has a number, in the order in which changes become visible. A search
//! first takes over the changes since the last one, in the same view of the database in which the hits
//! are looked up: what one node has answered, the next one finds.

mod entry;
mod refresh;

use std::{
    collections::BTreeMap,
    sync::{Arc, PoisonError, RwLock, RwLockReadGuard, RwLockWriteGuard},
};

use assent_ids::{AgentId, ScopeId, UserId};
use assent_search::{Index, ToolText};

pub(crate) use self::entry::Entry;
use self::refresh::Changed;

/// Maximum number of hits of a search. For more, a client has to search more precisely.
pub(crate) const MAX_HITS: usize = 1000;

/// Every agent that was not deleted.
#[derive(Default)]
pub(crate) struct Catalog(RwLock<Content>);

#[derive(Default)]
struct Content {
    /// The last change that was taken over.
    seen: i64,
    agents: BTreeMap<AgentId, Arc<Entry>>,
    index: Index,
    /// Whose keys the index has.
    keys: BTreeMap<u32, AgentId>,
    next_key: u32,
}

/// What is asked for.
#[derive(Clone, Debug)]
pub(crate) struct Wanted {
    /// Only those that declare this.
    pub(crate) scope: Option<ScopeId>,
    /// Only those of this owner.
    pub(crate) owner: Option<UserId>,
}

impl Wanted {
    fn fits(&self, entry: &Entry) -> bool {
        self.scope.as_ref().is_none_or(|scope| entry.scopes.contains(scope))
            && self.owner.is_none_or(|owner| owner == entry.owner)
    }
}

/// Where a hit stands among the others of its search: higher is better. Equal ones are ordered by agent,
/// so that all nodes agree.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Rank(pub(crate) u32, pub(crate) AgentId);

impl Catalog {
    /// The best agents for `query` that come after `after`, best first.
    pub(crate) fn search(
        &self,
        query: &str,
        wanted: &Wanted,
        after: Option<Rank>,
    ) -> Vec<(Rank, Arc<Entry>)> {
        let content = self.read();
        let fits = |key: u32| content.by_key(key).is_some_and(|entry| wanted.fits(entry));
        let hits = content.index.search_among(query, MAX_HITS, fits);
        let mut found: Vec<_> = hits
            .iter()
            .filter_map(|hit| {
                let entry = content.by_key(hit.key)?;
                // The bits of numbers that are not negative are ordered as the numbers are.
                Some((Rank(hit.score.max(0.0).to_bits(), entry.agent_id), Arc::clone(entry)))
            })
            .filter(|(rank, _)| after.is_none_or(|after| *rank < after))
            .collect();
        found.sort_by(|(left, _), (right, _)| right.cmp(left));
        found
    }

    /// Agents older than `before`, the newest first.
    pub(crate) fn list(&self, wanted: &Wanted, before: Option<AgentId>) -> Vec<Arc<Entry>> {
        let content = self.read();
        let older = content.agents.iter().rev();
        older
            .skip_while(|(agent, _)| before.is_some_and(|before| **agent >= before))
            .map(|(_, entry)| entry)
            .filter(|entry| wanted.fits(entry))
            .take(MAX_HITS)
            .cloned()
            .collect()
    }

    fn seen(&self) -> i64 {
        self.read().seen
    }

    /// Takes over changes, in their order. Changes that another search has taken over are skipped.
    fn take_over(&self, changes: Vec<Changed>) {
        let mut content = self.write();
        for change in changes {
            if change.number > content.seen {
                content.seen = change.number;
                content.take_over(change);
            }
        }
    }

    fn read(&self) -> RwLockReadGuard<'_, Content> {
        self.0.read().unwrap_or_else(PoisonError::into_inner)
    }

    fn write(&self) -> RwLockWriteGuard<'_, Content> {
        self.0.write().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Content {
    fn by_key(&self, key: u32) -> Option<&Arc<Entry>> {
        self.agents.get(self.keys.get(&key)?)
    }

    fn take_over(&mut self, change: Changed) {
        let earlier = self.agents.remove(&change.agent);
        let Some(described) = change.described else {
            if let Some(entry) = earlier {
                self.index.remove(entry.key);
                self.keys.remove(&entry.key);
            }
            return;
        };
        let key = earlier.map_or_else(|| self.fresh_key(), |entry| entry.key);
        self.index.insert(
            key,
            &ToolText {
                name: &described.name,
                description: &described.description,
                hint: &described.hint,
                ..ToolText::default()
            },
        );
        self.keys.insert(key, change.agent);
        self.agents.insert(change.agent, Arc::new(described.entry(change.agent, key)));
    }

    fn fresh_key(&mut self) -> u32 {
        while self.keys.contains_key(&self.next_key) {
            self.next_key = self.next_key.wrapping_add(1);
        }
        let key = self.next_key;
        self.next_key = self.next_key.wrapping_add(1);
        key
    }
}
