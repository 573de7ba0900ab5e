//! The tools with their ids and names, as catalog and surfaces share them.

use std::{collections::BTreeMap, sync::Arc};

use assent_ids::{CallableName, Namespace, ToolId};

use super::{
    Tool,
    names::{Choice, NameEntry, Names, Rank},
};

/// The number of a tool, in the order of registration. It is never reused.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Key(pub(crate) u32);

/// All tools by number, id and name. Cloning it copies references, not tools.
#[derive(Clone, Debug, Default)]
pub(crate) struct Directory {
    tools: BTreeMap<Key, Arc<Tool>>,
    keys: BTreeMap<Arc<ToolId>, Key>,
    names: Names,
    next: u32,
}

impl Directory {
    pub(crate) fn tool(&self, key: Key) -> Option<&Arc<Tool>> {
        self.tools.get(&key)
    }

    pub(crate) fn by_id(&self, id: &ToolId) -> Option<&Arc<Tool>> {
        self.tool(self.key(id)?)
    }

    pub(crate) fn key(&self, id: &ToolId) -> Option<Key> {
        self.keys.get(id).copied()
    }

    pub(crate) fn entries(&self) -> impl ExactSizeIterator<Item = (Key, &Arc<Tool>)> {
        self.tools.iter().map(|(key, tool)| (*key, tool))
    }

    /// The tools that are not in an earlier directory, or were replaced since.
    pub(crate) fn news<'a>(&'a self, before: &'a Self) -> impl Iterator<Item = &'a Arc<Tool>> {
        let is_old = |key, tool| before.tool(key).is_some_and(|other| Arc::ptr_eq(other, tool));
        self.entries().filter(move |(key, tool)| !is_old(*key, tool)).map(|(_, tool)| tool)
    }

    pub(crate) fn len(&self) -> usize {
        self.tools.len()
    }

    /// The tool with this name among the wanted ones.
    pub(crate) fn choose(&self, requested: &str, is_wanted: impl Fn(Key) -> bool) -> Choice {
        self.names.choose(requested, is_wanted)
    }

    /// Every tool with this id or name.
    pub(crate) fn all_named(&self, text: &str) -> Vec<Key> {
        let by_id = text.parse::<ToolId>().ok().and_then(|id| self.key(&id));
        by_id.into_iter().chain(self.names.all_with(text)).collect()
    }

    /// The tool, other than `id`, that has the name in the namespace.
    pub(super) fn other_owner(
        &self,
        id: &ToolId,
        namespace: &Namespace,
        name: &CallableName,
    ) -> Option<&Arc<Tool>> {
        let entry = self.names.owner(namespace.as_str(), name.as_str())?;
        self.tool(entry.key).filter(|owner| *owner.id != *id)
    }

    /// Returns `true` if a tool has this name, alone or with its namespace.
    pub(super) fn is_called(&self, text: &str) -> bool {
        self.names.all_with(text).next().is_some()
    }

    /// The same for tools other than `id`.
    pub(super) fn is_called_besides(&self, id: &ToolId, text: &str) -> bool {
        let own = self.key(id);
        self.names.all_with(text).any(|key| Some(key) != own)
    }

    /// Returns `true` if there is no number for another tool.
    pub(super) fn is_full(&self) -> bool {
        self.next == u32::MAX
    }

    /// Replaces the tool with the same id, or adds the tool at the end.
    ///
    /// INVARIANT: registration has checked that no other tool has its names and that there is room.
    pub(super) fn put(&mut self, tool: Arc<Tool>) -> Key {
        let key = match self.take(&tool.id) {
            Some((key, _)) => key,
            None => {
                let key = Key(self.next);
                self.next = self.next.saturating_add(1);
                key
            }
        };
        for alias in &tool.aliases {
            self.names.add(&tool.namespace, alias, NameEntry { key, rank: Rank::Alias });
        }
        self.names.add(&tool.namespace, &tool.name, NameEntry { key, rank: Rank::Primary });
        self.keys.insert(Arc::clone(&tool.id), key);
        self.tools.insert(key, tool);
        key
    }

    pub(super) fn take(&mut self, id: &ToolId) -> Option<(Key, Arc<Tool>)> {
        let key = self.keys.remove(id)?;
        let tool = self.tools.remove(&key)?;
        for name in tool.aliases.iter().chain([&tool.name]) {
            self.names.remove(&tool.namespace, name);
        }
        Some((key, tool))
    }
}
