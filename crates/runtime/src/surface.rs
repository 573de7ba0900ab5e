//! The tools that a caller may use: an immutable snapshot of the catalog for one context.
//!
//! A surface is never changed, only superseded. Tools that were loaded on request are kept apart from the
//! snapshot, so that loading one tool does not copy the others.

mod build;
mod context;
mod deferred;
mod record;
mod screen;
mod standing;

use std::{collections::BTreeSet, fmt, sync::Arc};

use assent_ids::{Minter, SurfaceId, ToolId, UnixMillis};
use assent_protocol::agent_tool::{DeferredToolRef, ExclusionReason, LoadingState};

pub use context::{Block, ModelCapabilities, Role, SurfaceContext, ToolChoice};
pub use record::MAX_LISTED;

use self::{build::Base, standing::Standing};
use crate::catalog::{Catalog, Choice, Key, Tool};

/// The maximum number of tools that can be loaded at once.
pub const MAX_LOADED_AT_ONCE: usize = 256;

/// The tools of one context, each with its standing. Cheap to clone.
#[derive(Clone)]
pub struct Surface {
    id: SurfaceId,
    created_at: UnixMillis,
    supersedes: Option<SurfaceId>,
    base: Arc<Base>,
    /// The tools that were loaded on request.
    requested: Arc<BTreeSet<Key>>,
}

/// The meaning of a requested name on a surface.
#[derive(Clone, Debug)]
pub enum Resolution {
    /// A tool whose schema the caller has.
    Loaded(Arc<Tool>),
    /// A tool that has to be loaded first.
    Deferred(Arc<Tool>),
    /// A tool that is excluded.
    Blocked {
        /// The tool.
        tool: Arc<Tool>,
        /// The reason, for programs.
        reason: ExclusionReason,
        /// The reason, for people.
        detail: Option<String>,
        /// The policies behind it.
        policy_refs: Vec<String>,
    },
    /// A tool that exists and is not offered to this caller.
    NotSurfaced(Arc<ToolId>),
    /// Several tools, with their unique names.
    Ambiguous(Vec<String>),
    /// No tool.
    Unknown,
}

/// The outcome of a request to load tools.
#[derive(Clone, Debug)]
pub struct Loading {
    /// The new surface, or the same as before if nothing was loaded.
    pub surface: Surface,
    /// The tools that were loaded by this request.
    pub loaded: Vec<Arc<Tool>>,
    /// The loading state of each requested tool, in the order of the names.
    pub refs: Vec<DeferredToolRef>,
    /// Names of no tool of the surface, or of several.
    pub missing: Vec<String>,
}

impl Surface {
    /// Makes the surface of a context. Tools that were loaded on request on `supersedes` stay loaded if they are
    /// unchanged.
    #[must_use]
    pub fn build(
        catalog: &Catalog,
        context: impl Into<Arc<SurfaceContext>>,
        minter: &Minter,
        supersedes: Option<&Surface>,
    ) -> Self {
        let context = context.into();
        let kept = supersedes.map(|before| before.kept(catalog)).unwrap_or_default();
        let (base, requested) = Base::build(catalog, context, kept);
        Self {
            id: minter.mint(),
            created_at: minter.now(),
            supersedes: supersedes.map(|before| before.id),
            base: Arc::new(base),
            requested: Arc::new(requested),
        }
    }

    /// The tools that were loaded on request and are unchanged, so that the caller knows their schemas.
    fn kept(&self, catalog: &Catalog) -> BTreeSet<Key> {
        let is_same = |key: &&Key| {
            let (then, now) = (self.tool(**key), catalog.directory().tool(**key));
            then.zip(now).is_some_and(|(then, now)| then.digest == now.digest)
        };
        self.requested.iter().filter(is_same).copied().collect()
    }

    /// The id of the surface.
    #[must_use]
    pub fn id(&self) -> SurfaceId {
        self.id
    }

    /// The time at which it was made.
    #[must_use]
    pub fn created_at(&self) -> UnixMillis {
        self.created_at
    }

    /// The surface it replaces.
    #[must_use]
    pub fn supersedes(&self) -> Option<SurfaceId> {
        self.supersedes
    }

    /// The context that it was made for.
    #[must_use]
    pub fn context(&self) -> &Arc<SurfaceContext> {
        &self.base.context
    }

    /// Returns `true` if the catalog and the context are unchanged. Otherwise it has to be superseded.
    #[must_use]
    pub fn is_current(&self, catalog: &Catalog, context: &SurfaceContext) -> bool {
        self.base.generation == catalog.generation() && *self.base.context == *context
    }

    /// Finds the tool with a name, an alias or `namespace/name` on this surface.
    #[must_use]
    pub fn resolve(&self, requested: &str) -> Resolution {
        match self.base.directory.choose(requested, |key| self.base.is_present(key)) {
            Choice::One(key) => self.resolved(key),
            Choice::Several(keys) => {
                let tools = keys.into_iter().filter_map(|key| self.tool(key));
                Resolution::Ambiguous(tools.map(|tool| tool.qualified_name()).collect())
            }
            Choice::None => self.absent(requested),
        }
    }

    fn resolved(&self, key: Key) -> Resolution {
        let (Some(tool), Some(standing)) = (self.tool(key), self.base.standing(key)) else {
            return Resolution::Unknown;
        };
        let tool = Arc::clone(tool);
        match standing {
            Standing::Loaded | Standing::Unlisted => Resolution::Loaded(tool),
            Standing::Deferred | Standing::Discoverable if self.requested.contains(&key) => {
                Resolution::Loaded(tool)
            }
            Standing::Deferred | Standing::Discoverable | Standing::Pending => {
                Resolution::Deferred(tool)
            }
            Standing::Barred(bar) if bar.is_hidden => Resolution::NotSurfaced(Arc::clone(&tool.id)),
            Standing::Barred(bar) => Resolution::Blocked {
                tool,
                reason: bar.listed_reason(),
                detail: Some(bar.words()),
                policy_refs: bar.policy_refs.clone(),
            },
        }
    }

    fn absent(&self, requested: &str) -> Resolution {
        let first = match self.base.directory.choose(requested, |_| true) {
            Choice::None => None,
            Choice::One(key) => Some(key),
            Choice::Several(keys) => keys.first().copied(),
        };
        match first.and_then(|key| self.tool(key)) {
            Some(tool) => Resolution::NotSurfaced(Arc::clone(&tool.id)),
            None => Resolution::Unknown,
        }
    }

    /// Loads tools by name. The result has a new surface if anything was loaded.
    #[must_use]
    pub fn load<'n>(&self, names: impl IntoIterator<Item = &'n str>, minter: &Minter) -> Loading {
        let mut requested = BTreeSet::clone(&self.requested);
        let (mut asked, mut loaded, mut missing) = (Vec::new(), Vec::new(), Vec::new());
        for name in names.into_iter().take(MAX_LOADED_AT_ONCE) {
            match self.resolve(name) {
                Resolution::Deferred(tool) => {
                    let key = self.base.directory.key(&tool.id);
                    let key = key.filter(|key| self.base.is_loadable(*key));
                    if key.is_some_and(|key| requested.insert(key)) {
                        loaded.push(Arc::clone(&tool));
                    }
                    asked.push(tool);
                }
                Resolution::Loaded(tool) | Resolution::Blocked { tool, .. } => asked.push(tool),
                Resolution::NotSurfaced(_) | Resolution::Ambiguous(_) | Resolution::Unknown => {
                    missing.push(name.to_owned());
                }
            }
        }
        let surface = if loaded.is_empty() { self.clone() } else { self.with(requested, minter) };
        let refs = asked.iter().filter_map(|tool| surface.deferred_ref(&tool.id)).collect();
        Loading { surface, loaded, refs, missing }
    }

    fn with(&self, requested: BTreeSet<Key>, minter: &Minter) -> Self {
        Self {
            id: minter.mint(),
            created_at: minter.now(),
            supersedes: Some(self.id),
            base: Arc::clone(&self.base),
            requested: Arc::new(requested),
        }
    }

    /// The tools whose schema the caller has: those it was offered, then those it requested.
    pub fn loaded(&self) -> impl Iterator<Item = &Arc<Tool>> {
        self.base.loaded.iter().chain(&*self.requested).filter_map(|key| self.tool(*key))
    }

    /// The number of tools that have to be found or loaded first.
    #[must_use]
    pub fn deferred_count(&self) -> usize {
        self.base.counts.deferred.saturating_sub(self.requested.len())
    }

    /// Returns `true` if there are tools to be found, so that the caller needs a way to search.
    #[must_use]
    pub fn offers_discovery(&self) -> bool {
        self.base.context.model.deferred && self.deferred_count() > 0
    }

    /// The tool to call by default.
    #[must_use]
    pub fn default_tool_choice(&self) -> &ToolChoice {
        &self.base.choice
    }

    /// The loading state of a tool; `None` if the surface does not have it.
    #[must_use]
    pub fn loading_state(&self, id: &ToolId) -> Option<LoadingState> {
        let key = self.base.directory.key(id).filter(|key| self.base.is_present(*key))?;
        let state = self.base.standing(key)?.loading_state();
        let is_requested = self.requested.contains(&key) && self.base.is_loadable(key);
        Some(if is_requested { LoadingState::Loaded } else { state })
    }

    /// Returns `true` if a search may find the tool.
    pub(crate) fn offers(&self, key: Key) -> bool {
        match self.base.standing(key) {
            Some(
                Standing::Loaded | Standing::Deferred | Standing::Discoverable | Standing::Pending,
            ) => true,
            Some(Standing::Unlisted | Standing::Barred(_)) | None => false,
        }
    }

    pub(crate) fn tool(&self, key: Key) -> Option<&Arc<Tool>> {
        self.base.directory.tool(key)
    }
}

impl fmt::Debug for Surface {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Surface({}, {} tools)", self.id, self.base.standings.len())
    }
}
