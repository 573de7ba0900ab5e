//! Every tool there is: what its producer says about it, the names that lead to it, and who runs it.
//!
//! A catalog is a plain value that its owner changes; what callers see of it is a
//! [`Surface`](crate::surface::Surface), an immutable snapshot that is read without a lock. Both share
//! one directory, which is copied only when the catalog changes while a snapshot still holds it.

mod classifier;
mod classifier_input;
mod confusable;
mod directory;
mod export;
mod internal_fields;
mod names;
mod needs;
mod provider;
mod register;
mod safety;
mod schema_texts;
mod search;
pub mod sensitive;
mod shell;
mod tool;

use std::sync::Arc;

use assent_ids::{ProviderId, ToolId};

pub use classifier::{Classification, Classifier, ClassifierError, Classifiers};
pub(crate) use directory::{Directory, Key};
pub(crate) use names::Choice;
pub use needs::Needs;
pub(crate) use provider::{ProviderState, Providers};
pub use register::{Lint, RegistrationError, RegistrationProblem};
pub use safety::{Safety, SafetyFacts};
pub use schema_texts::UnusableSchema;
pub use search::{MAX_MATCHES, SELECT};
pub use sensitive::{MASK, RedactionKey, SensitiveFields};
pub use tool::{DEFAULT_TIMEOUT, Schemas, Tool, ToolDefinition};

use self::confusable::Skeletons;
use crate::executor::Executor;

/// All tools, with their names and their texts for searching.
#[derive(Debug, Default)]
pub struct Catalog {
    directory: Arc<Directory>,
    texts: assent_search::Index,
    skeletons: Skeletons,
    providers: Arc<Providers>,
    generation: u64,
}

/// What became of a definition that was registered.
#[derive(Debug)]
pub struct Registered {
    /// The tool.
    pub tool: Arc<Tool>,
    /// The tool that had the id before, if its definition was another one.
    pub replaced: Option<Arc<Tool>>,
    /// False if exactly this definition was there already.
    pub is_new: bool,
    /// What could be better about the definition.
    pub lints: Vec<Lint>,
}

impl Catalog {
    /// A catalog without tools.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// Takes a tool in, or replaces the definition that its producer gave before.
    ///
    /// # Errors
    /// Everything that is wrong with the definition, all at once. The catalog then stays as it was.
    pub fn register(
        &mut self,
        definition: ToolDefinition,
        executor: Arc<dyn Executor>,
    ) -> Result<Registered, RegistrationError> {
        let (tool, lints) =
            register::admit(definition, executor, &self.directory, &self.skeletons)?;
        let tool = Arc::new(tool);
        let before = self.directory.by_id(&tool.id).cloned();
        let is_new = before.as_ref().is_none_or(|before| before.digest != tool.digest);
        let key = Arc::make_mut(&mut self.directory).put(Arc::clone(&tool));
        if let Some(before) = &before {
            self.skeletons.remove(before, &self.directory);
        }
        self.skeletons.add(&tool);
        search::put(&mut self.texts, key, &tool);
        self.generation += 1;
        if is_new && let Some(before) = &before {
            before.replaced();
        }
        Ok(Registered { tool, replaced: before.filter(|_| is_new), is_new, lints })
    }

    /// Takes a tool out. Surfaces that have it keep it until they are superseded.
    pub fn remove(&mut self, id: &ToolId) -> Option<Arc<Tool>> {
        self.directory.by_id(id)?;
        let (key, tool) = Arc::make_mut(&mut self.directory).take(id)?;
        self.skeletons.remove(&tool, &self.directory);
        self.texts.remove(key.0);
        self.generation += 1;
        tool.replaced();
        Some(tool)
    }

    /// Takes out every tool of a provider, and what is known about its connection.
    pub fn remove_provider(&mut self, provider: &ProviderId) -> Vec<Arc<Tool>> {
        self.set_provider(provider.clone(), None);
        let is_his = |tool: &&Arc<Tool>| tool.definition.provider.as_ref() == Some(provider);
        let ids: Vec<_> = self.tools().filter(is_his).map(|tool| Arc::clone(&tool.id)).collect();
        ids.iter().filter_map(|id| self.remove(id)).collect()
    }

    /// A provider is being connected: until it is ready, its tools cannot be loaded.
    pub fn provider_pending(&mut self, provider: ProviderId) {
        self.set_provider(provider, Some(ProviderState::Pending));
    }

    /// A provider is connected.
    pub fn provider_ready(&mut self, provider: &ProviderId) {
        self.set_provider(provider.clone(), None);
    }

    /// A provider cannot be reached. `reason` is shown to callers.
    pub fn provider_failed(&mut self, provider: ProviderId, reason: impl Into<Arc<str>>) {
        self.set_provider(provider, Some(ProviderState::Failed(reason.into())));
    }

    fn set_provider(&mut self, provider: ProviderId, state: Option<ProviderState>) {
        if self.providers.state(&provider) != state.as_ref() {
            Arc::make_mut(&mut self.providers).set(provider, state);
            self.generation += 1;
        }
    }

    /// The providers that are still being connected, in the order of their names.
    pub fn pending_providers(&self) -> impl Iterator<Item = &ProviderId> {
        self.providers.pending()
    }

    /// The tool with this id, whatever its lifecycle: ids of retired tools still lead to their history.
    #[must_use]
    pub fn get(&self, id: &ToolId) -> Option<&Arc<Tool>> {
        self.directory.by_id(id)
    }

    /// The tool that is called by this name, alias or `namespace/name`, if there is exactly one. What a
    /// caller may use is the business of its surface.
    #[must_use]
    pub fn find(&self, requested: &str) -> Option<&Arc<Tool>> {
        match self.directory.choose(requested, |_| true) {
            Choice::One(key) => self.directory.tool(key),
            Choice::Nobody | Choice::Several(_) => None,
        }
    }

    /// All tools, in the order in which they were first registered.
    pub fn tools(&self) -> impl Iterator<Item = &Arc<Tool>> {
        self.directory.entries().map(|(_, tool)| tool)
    }

    /// How many tools there are.
    #[must_use]
    pub fn len(&self) -> usize {
        self.directory.len()
    }

    /// Whether there are none.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Grows with every change, so that a surface knows whether it is still current.
    #[must_use]
    pub fn generation(&self) -> u64 {
        self.generation
    }

    pub(crate) fn directory(&self) -> &Arc<Directory> {
        &self.directory
    }

    pub(crate) fn providers(&self) -> &Arc<Providers> {
        &self.providers
    }
}
