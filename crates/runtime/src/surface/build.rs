//! The standing of every tool of the catalog in one context.

use std::{
    collections::{BTreeMap, BTreeSet},
    sync::Arc,
};

use super::{
    context::{Block, SurfaceContext, ToolChoice},
    screen::{Screened, screen},
    standing::Standing,
};
use crate::catalog::{Catalog, Choice, Directory, Key, Providers};

/// The part that surfaces share which differ only in the tools loaded on request.
#[derive(Debug)]
pub(super) struct Base {
    pub(super) directory: Arc<Directory>,
    pub(super) providers: Arc<Providers>,
    pub(super) context: Arc<SurfaceContext>,
    pub(super) generation: u64,
    /// In the order of the keys.
    pub(super) standings: Vec<(Key, Standing)>,
    /// The tools that are offered without a request.
    pub(super) loaded: Vec<Key>,
    pub(super) counts: Counts,
    /// The default choice of the context, if the tool can be called.
    pub(super) choice: ToolChoice,
    /// Names that the host excludes and that no tool has.
    pub(super) unmatched_blocks: Vec<String>,
}

/// The number of tools per standing.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Counts {
    /// Those that have to be loaded or found, or wait for their provider.
    pub(super) deferred: usize,
    pub(super) blocked: usize,
    pub(super) excluded: usize,
    pub(super) unlisted: usize,
}

impl Base {
    /// The standings, and which of the `kept` tools are still loaded on request.
    pub(super) fn build(
        catalog: &Catalog,
        context: Arc<SurfaceContext>,
        kept: BTreeSet<Key>,
    ) -> (Self, BTreeSet<Key>) {
        let directory = Arc::clone(catalog.directory());
        let (blocks, unmatched_blocks) = blocks(&directory, &context.blocked);
        let mut standings = Vec::with_capacity(directory.len());
        let mut loadable = Vec::new();
        for (key, tool) in directory.entries() {
            let block = blocks.get(&key).copied();
            standings.push((
                key,
                match screen(tool, &context, catalog.providers(), block) {
                    Screened::Settled(standing) => standing,
                    Screened::Loadable { first } => {
                        loadable.push((!first, key));
                        Standing::Discoverable
                    }
                },
            ));
        }
        drop(blocks);
        let mut base = Self {
            directory,
            providers: Arc::clone(catalog.providers()),
            generation: catalog.generation(),
            standings,
            loaded: Vec::new(),
            counts: Counts::default(),
            choice: ToolChoice::Auto,
            unmatched_blocks,
            context,
        };
        let mut requested: BTreeSet<_> =
            kept.into_iter().filter(|key| base.is_loadable(*key)).collect();
        base.choose_default(&mut requested);
        base.fill(loadable, &requested);
        base.count();
        (base, requested)
    }

    /// Takes over the default choice. A tool that is chosen is loaded; one that cannot be called is not
    /// chosen, and the record says so.
    fn choose_default(&mut self, requested: &mut BTreeSet<Key>) {
        let ToolChoice::Tool(name) = &self.context.default_tool_choice else {
            self.choice = self.context.default_tool_choice.clone();
            return;
        };
        if let Choice::One(key) = self.directory.choose(name, |key| self.is_present(key)) {
            let is_callable = self.is_loadable(key);
            if is_callable {
                requested.insert(key);
            }
            if is_callable || matches!(self.standing(key), Some(Standing::Unlisted)) {
                self.choice = self.context.default_tool_choice.clone();
            }
        }
    }

    /// Loads as many tools as there is room for: first those that ask for it, then in the order of
    /// registration. What was asked for takes room as well.
    fn fill(&mut self, mut loadable: Vec<(bool, Key)>, requested: &BTreeSet<Key>) {
        let room = self.context.budget.unwrap_or(usize::MAX).saturating_sub(requested.len());
        loadable.sort_unstable();
        let unasked =
            loadable.into_iter().map(|(_, key)| key).filter(|key| !requested.contains(key));
        let mut loaded: Vec<Key> = unasked.take(room).collect();
        loaded.sort_unstable();
        for key in &loaded {
            if let Ok(at) = self.place(*key)
                && let Some((_, standing)) = self.standings.get_mut(at)
            {
                *standing = Standing::Loaded;
            }
        }
        self.loaded = loaded;
    }

    fn count(&mut self) {
        let counts = &mut self.counts;
        for (_, standing) in &self.standings {
            match standing {
                Standing::Loaded => {}
                Standing::Unlisted => counts.unlisted += 1,
                Standing::Deferred | Standing::Discoverable | Standing::Pending => {
                    counts.deferred += 1;
                }
                Standing::Barred(bar) if bar.is_hidden => counts.excluded += 1,
                Standing::Barred(_) => counts.blocked += 1,
            }
        }
    }

    pub(super) fn standing(&self, key: Key) -> Option<&Standing> {
        self.standings.get(self.place(key).ok()?).map(|(_, standing)| standing)
    }

    fn place(&self, key: Key) -> Result<usize, usize> {
        self.standings.binary_search_by_key(&key, |(key, _)| *key)
    }

    /// Returns `true` if callers may know of the tool.
    pub(super) fn is_present(&self, key: Key) -> bool {
        match self.standing(key) {
            Some(Standing::Barred(bar)) => !bar.is_hidden,
            Some(_) => true,
            None => false,
        }
    }

    /// Returns `true` if the tool is loaded when it is requested.
    pub(super) fn is_loadable(&self, key: Key) -> bool {
        matches!(self.standing(key), Some(Standing::Deferred | Standing::Discoverable))
    }
}

/// The block of each tool that the host excludes, and the names that no tool has.
fn blocks<'b>(
    directory: &Directory,
    blocked: &'b [Block],
) -> (BTreeMap<Key, &'b Block>, Vec<String>) {
    let (mut blocks, mut unmatched) = (BTreeMap::new(), Vec::new());
    for block in blocked {
        let keys = directory.all_named(&block.tool);
        if keys.is_empty() {
            unmatched.push(block.tool.clone());
        }
        for key in keys {
            blocks.entry(key).or_insert(block);
        }
    }
    (blocks, unmatched)
}
