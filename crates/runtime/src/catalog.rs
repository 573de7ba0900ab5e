//! The registered tools: their definitions, names and executors.
//!
//! A catalog is a plain value that its owner changes. Callers see a
//! [`Surface`](crate::surface::Surface), an immutable snapshot that is read without a lock. Both share one
//! directory, which is copied only when the catalog changes while a snapshot still holds it.

mod classifier;
mod classifier_input;
mod confusable;
mod directory;
mod export;
mod internal_fields;
mod names;
mod native;
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

/// The outcome of registering a definition.
#[derive(Debug)]
pub struct Registered {
    /// The tool.
    pub tool: Arc<Tool>,
    /// The tool that had the id before, if its definition was different.
    pub replaced: Option<Arc<Tool>>,
    /// `false` if exactly this definition was registered before.
    pub is_new: bool,
    /// Recommendations for the definition.
    pub lints: Vec<Lint>,
}

impl Catalog {
    /// A catalog without tools.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// Registers a tool, or replaces the definition that its producer registered before.
    ///
    /// # Errors
    /// All problems of the definition. The catalog is unchanged then.
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

    /// Removes a tool. Surfaces keep it until they are superseded.
    pub fn remove(&mut self, id: &ToolId) -> Option<Arc<Tool>> {
        self.directory.by_id(id)?;
        let (key, tool) = Arc::make_mut(&mut self.directory).take(id)?;
        self.skeletons.remove(&tool, &self.directory);
        self.texts.remove(key.0);
        self.generation += 1;
        tool.replaced();
        Some(tool)
    }

    /// Removes every tool of a provider, and the state of its connection.
    pub fn remove_provider(&mut self, provider: &ProviderId) -> Vec<Arc<Tool>> {
        self.set_provider(provider.clone(), None);
        let is_his = |tool: &&Arc<Tool>| tool.definition.provider.as_ref() == Some(provider);
        let ids: Vec<_> = self.tools().filter(is_his).map(|tool| Arc::clone(&tool.id)).collect();
        ids.iter().filter_map(|id| self.remove(id)).collect()
    }

    /// Notes that a provider is being connected: until it is ready, its tools cannot be loaded.
    pub fn provider_pending(&mut self, provider: ProviderId) {
        self.set_provider(provider, Some(ProviderState::Pending));
    }

    /// Notes that a provider is connected.
    pub fn provider_ready(&mut self, provider: &ProviderId) {
        self.set_provider(provider.clone(), None);
    }

    /// Notes that a provider cannot be reached. `reason` is shown to callers.
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

    /// The tool with this id, including retired tools.
    #[must_use]
    pub fn get(&self, id: &ToolId) -> Option<&Arc<Tool>> {
        self.directory.by_id(id)
    }

    /// The tool with this name, alias or `namespace/name`, if there is exactly one. Whether a caller may use it
    /// depends on its surface.
    #[must_use]
    pub fn find(&self, requested: &str) -> Option<&Arc<Tool>> {
        match self.directory.choose(requested, |_| true) {
            Choice::One(key) => self.directory.tool(key),
            Choice::None | Choice::Several(_) => None,
        }
    }

    /// All tools, in the order in which they were first registered.
    pub fn tools(&self) -> impl Iterator<Item = &Arc<Tool>> {
        self.directory.entries().map(|(_, tool)| tool)
    }

    /// The number of tools.
    #[must_use]
    pub fn len(&self) -> usize {
        self.directory.len()
    }

    /// Returns `true` if there are no tools.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Increases with every change, so that a surface knows whether it is current.
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
