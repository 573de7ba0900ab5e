//! What the stages need of the runtime.

use std::{
    sync::{Arc, PoisonError, RwLock},
    time::Duration,
};

use assent_blobs::BlobStore;
use assent_ids::{Clock, UnixMillis};
use assent_journal::Journal;
use assent_policy::{GrantKey, Grants, Mode, Policy};

use crate::{
    approval::{Approver, InputProvider},
    catalog::{Catalog, Classifiers, RedactionKey, Tool},
    hooks::Hooks,
    scheduler::DeliveryBuffer,
};

/// The runtime's parts, as the stages see them.
pub(crate) struct Context {
    pub(crate) clock: Arc<dyn Clock>,
    pub(crate) journal: Arc<dyn Journal>,
    pub(crate) blobs: Arc<dyn BlobStore>,
    pub(crate) approver: Arc<dyn Approver>,
    pub(crate) inputs: Arc<dyn InputProvider>,
    pub(crate) hooks: Hooks,
    pub(crate) classifiers: Classifiers,
    pub(crate) catalog: RwLock<Catalog>,
    pub(crate) rules: RwLock<Arc<Rules>>,
    pub(crate) key: RedactionKey,
    /// Records show sensitive values: a rehearsal of one's own scenario.
    pub(crate) reveals: bool,
    pub(crate) approval_timeout: Duration,
    pub(crate) device: Option<Arc<str>>,
    /// The memory for results that wait for those before them.
    pub(crate) waiting_results: DeliveryBuffer,
    /// How long a tool may take to stop after it was told to.
    pub(crate) grace: Duration,
}

/// Everything that decides, as one immutable snapshot.
#[derive(Clone)]
pub(crate) struct Rules {
    pub(crate) policy: Arc<Policy>,
    pub(crate) grants: Grants,
    pub(crate) mode: Mode,
    /// Grows with every change, so that a waiting call notices that it was decided under other rules.
    pub(crate) generation: u64,
}

impl Context {
    pub(crate) fn now(&self) -> UnixMillis {
        self.clock.now()
    }

    pub(crate) fn rules(&self) -> Arc<Rules> {
        Arc::clone(&self.rules.read().unwrap_or_else(PoisonError::into_inner))
    }

    /// Counts a use of a grant. The journal has counted it before, so that it holds across crashes; this
    /// only spares later calls a permission that would turn out to be used up.
    pub(crate) fn count_use(&self, grant: &GrantKey) {
        let mut current = self.rules.write().unwrap_or_else(PoisonError::into_inner);
        if let Some(grants) = current.grants.spend(grant) {
            *current = Arc::new(Rules { grants, ..(**current).clone() });
        }
    }

    /// The tool that is called by this name, whatever surfaces say.
    pub(crate) fn find_tool(&self, requested: &str) -> Option<Arc<Tool>> {
        let catalog = self.catalog.read().unwrap_or_else(PoisonError::into_inner);
        catalog.find(requested).cloned()
    }

    /// Changes what decides, for every decision from now on.
    pub(crate) fn change_rules(&self, change: impl FnOnce(&mut Rules)) {
        let mut current = self.rules.write().unwrap_or_else(PoisonError::into_inner);
        let mut next = (**current).clone();
        change(&mut next);
        next.generation += 1;
        *current = Arc::new(next);
    }
}
