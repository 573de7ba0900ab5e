//! The parts of the runtime that the stages use.

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

/// The parts of the runtime that the stages use.
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
    /// Records show sensitive values; for rehearsals only.
    pub(crate) reveals: bool,
    pub(crate) approval_timeout: Duration,
    pub(crate) device: Option<Arc<str>>,
    /// The memory of results that wait for those before them.
    pub(crate) waiting_results: DeliveryBuffer,
    /// How long a tool may take to stop after it was asked to.
    pub(crate) grace: Duration,
}

/// Rules, grants and mode as one immutable snapshot.
#[derive(Clone)]
pub(crate) struct Rules {
    pub(crate) policy: Arc<Policy>,
    pub(crate) grants: Grants,
    pub(crate) mode: Mode,
    /// Increases with every change, so that a call that waited is judged again.
    pub(crate) generation: u64,
}

impl Context {
    pub(crate) fn now(&self) -> UnixMillis {
        self.clock.now()
    }

    pub(crate) fn rules(&self) -> Arc<Rules> {
        Arc::clone(&self.rules.read().unwrap_or_else(PoisonError::into_inner))
    }

    /// Counts a use of a grant. The journal has counted it durably; this count only prevents later calls from
    /// being allowed by a grant that is used up.
    pub(crate) fn count_use(&self, grant: &GrantKey) {
        let mut current = self.rules.write().unwrap_or_else(PoisonError::into_inner);
        if let Some(grants) = current.grants.spend(grant) {
            *current = Arc::new(Rules { grants, ..(**current).clone() });
        }
    }

    /// The tool with this name, whether it is offered or not.
    pub(crate) fn find_tool(&self, requested: &str) -> Option<Arc<Tool>> {
        let catalog = self.catalog.read().unwrap_or_else(PoisonError::into_inner);
        catalog.find(requested).cloned()
    }

    /// Changes the rules for every later decision.
    pub(crate) fn change_rules(&self, change: impl FnOnce(&mut Rules)) {
        let mut current = self.rules.write().unwrap_or_else(PoisonError::into_inner);
        let mut next = (**current).clone();
        change(&mut next);
        next.generation += 1;
        *current = Arc::new(next);
    }
}
