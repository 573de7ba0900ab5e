//! The builder of a runtime.

use std::{
    num::NonZeroUsize,
    path::Path,
    sync::{Arc, Mutex, RwLock},
    time::Duration,
};

use assent_blobs::{BlobStore, MemoryBlobs};
use assent_ids::{Clock, Entropy, EntropyError, Minter, SteadyClock, SystemEntropy};
use assent_journal::{
    Batch, Draft, Fact, Journal, JournalError, MemoryJournal, Noted, OpenError, SqliteJournal,
};
use assent_policy::{Grants, Mode, Policy};
use assent_protocol::agent_tool::SurfaceScope;

use super::{Inner, Runtime};
use crate::{
    approval::{Approver, InputProvider, NoApprover, NoInput},
    catalog::{Catalog, Classifiers, RedactionKey},
    hooks::Hooks,
    pipeline::{Context, Rules},
    scheduler::{DeliveryBuffer, Scheduler, SchedulerPolicy},
    surface::{Surface, SurfaceContext},
};

/// The default time for an answer of a person.
const APPROVAL_TIMEOUT: Duration = Duration::from_secs(30);
/// The default time in which a tool has to stop after it was asked to.
const GRACE: Duration = Duration::from_secs(5);
/// The capacity of the default store of large results, in bytes.
const DEFAULT_BLOB_BYTES: usize = 256 << 20;
/// The default memory of results that wait for the results before them, in bytes.
const DEFAULT_WAITING_BYTES: usize = 64 << 20;
/// The default number of calls that run at once.
const DEFAULT_PARALLEL: NonZeroUsize = NonZeroUsize::MIN.saturating_add(1023);

/// The parts of a runtime. The defaults are safe: no approver, no rules, a journal in memory.
pub struct RuntimeBuilder {
    clock: Arc<dyn Clock>,
    entropy: Option<Arc<dyn Entropy>>,
    journal: Arc<dyn Journal>,
    blobs: Arc<dyn BlobStore>,
    approver: Arc<dyn Approver>,
    inputs: Arc<dyn InputProvider>,
    hooks: Hooks,
    classifiers: Classifiers,
    catalog: Catalog,
    surface: SurfaceContext,
    policy: Arc<Policy>,
    grants: Grants,
    mode: Mode,
    scheduler_policy: Option<Arc<SchedulerPolicy>>,
    max_parallel: NonZeroUsize,
    waiting_results: usize,
    approval_timeout: Duration,
    grace: Duration,
    device: Option<Arc<str>>,
    key: Option<RedactionKey>,
    reveals: bool,
}

/// Why a runtime cannot be built.
#[derive(Debug, thiserror::Error)]
pub enum BuildError {
    /// There are no random bits to make ids from.
    #[error(transparent)]
    Entropy(#[from] EntropyError),
    /// The journal cannot provide its redaction key.
    #[error("the redaction key of the journal cannot be used: {0}")]
    Journal(#[from] JournalError),
}

impl Default for RuntimeBuilder {
    fn default() -> Self {
        Self {
            clock: Arc::new(SteadyClock::default()),
            entropy: None,
            journal: Arc::new(MemoryJournal::default()),
            blobs: Arc::new(MemoryBlobs::new(DEFAULT_BLOB_BYTES)),
            approver: Arc::new(NoApprover),
            inputs: Arc::new(NoInput),
            hooks: Hooks::default(),
            classifiers: Classifiers::default(),
            catalog: Catalog::new(),
            surface: SurfaceContext::equipped(SurfaceScope::Session),
            policy: Arc::new(Policy::default()),
            grants: Grants::none(),
            mode: Mode::Interactive,
            scheduler_policy: None,
            max_parallel: DEFAULT_PARALLEL,
            waiting_results: DEFAULT_WAITING_BYTES,
            approval_timeout: APPROVAL_TIMEOUT,
            grace: GRACE,
            device: None,
            key: None,
            reveals: false,
        }
    }
}

impl RuntimeBuilder {
    /// Sets the clock.
    #[must_use]
    pub fn clock(mut self, clock: Arc<dyn Clock>) -> Self {
        self.clock = clock;
        self
    }

    /// Sets the source of randomness.
    #[must_use]
    pub fn entropy(mut self, entropy: Arc<dyn Entropy>) -> Self {
        self.entropy = Some(entropy);
        self
    }

    /// Sets the journal that records every call.
    #[must_use]
    pub fn journal(mut self, journal: Arc<dyn Journal>) -> Self {
        self.journal = journal;
        self
    }

    /// Records every call in a SQLite file, which is created if it does not exist; see [`SqliteJournal::open`].
    /// `assent audit` can read the file while the runtime writes it.
    ///
    /// # Errors
    /// If the file cannot be opened, is not a journal, or is in use.
    pub fn journal_file(self, path: impl AsRef<Path>) -> Result<Self, OpenError> {
        Ok(self.journal(Arc::new(SqliteJournal::open(path.as_ref())?)))
    }

    /// Sets the store of large results.
    #[must_use]
    pub fn blobs(mut self, blobs: Arc<dyn BlobStore>) -> Self {
        self.blobs = blobs;
        self
    }

    /// Sets the approver, which is asked when no rule decides.
    #[must_use]
    pub fn approver(mut self, approver: Arc<dyn Approver>) -> Self {
        self.approver = approver;
        self
    }

    /// Sets the provider of input for running tools.
    #[must_use]
    pub fn inputs(mut self, inputs: Arc<dyn InputProvider>) -> Self {
        self.inputs = inputs;
        self
    }

    /// Sets the hooks.
    #[must_use]
    pub fn hooks(mut self, hooks: Hooks) -> Self {
        self.hooks = hooks;
        self
    }

    /// Sets the classifiers, which determine facts about inputs.
    #[must_use]
    pub fn classifiers(mut self, classifiers: Classifiers) -> Self {
        self.classifiers = classifiers;
        self
    }

    /// Sets the tools.
    #[must_use]
    pub fn catalog(mut self, catalog: Catalog) -> Self {
        self.catalog = catalog;
        self
    }

    /// Sets the context that determines which tools are offered.
    #[must_use]
    pub fn surface(mut self, context: SurfaceContext) -> Self {
        self.surface = context;
        self
    }

    /// Sets the rules and policies.
    #[must_use]
    pub fn policy(mut self, policy: impl Into<Arc<Policy>>) -> Self {
        self.policy = policy.into();
        self
    }

    /// Sets the grants.
    #[must_use]
    pub fn grants(mut self, grants: Grants) -> Self {
        self.grants = grants;
        self
    }

    /// Sets the mode: whether people can be asked, and whether anything may be changed.
    #[must_use]
    pub fn mode(mut self, mode: Mode) -> Self {
        self.mode = mode;
        self
    }

    /// Sets the default policy of batches.
    #[must_use]
    pub fn scheduler_policy(mut self, policy: Arc<SchedulerPolicy>) -> Self {
        self.scheduler_policy = Some(policy);
        self
    }

    /// Sets how many calls run at once, over all batches.
    #[must_use]
    pub fn max_parallel(mut self, most: NonZeroUsize) -> Self {
        self.max_parallel = most;
        self
    }

    /// Sets how many bytes of results may wait in memory for the results before them. Further results wait in
    /// the store.
    #[must_use]
    pub fn waiting_results(mut self, bytes: usize) -> Self {
        self.waiting_results = bytes;
        self
    }

    /// Sets how long a person may take to answer.
    #[must_use]
    pub fn approval_timeout(mut self, timeout: Duration) -> Self {
        self.approval_timeout = timeout;
        self
    }

    /// Sets how long a tool may take to stop after it was asked to.
    #[must_use]
    pub fn grace(mut self, grace: Duration) -> Self {
        self.grace = grace;
        self
    }

    /// Sets the device on which tools run; approvals are bound to it.
    #[must_use]
    pub fn device(mut self, device: impl Into<Arc<str>>) -> Self {
        self.device = Some(device.into());
        self
    }

    /// Sets the secret with which sensitive values are digested. It has to be the same at every start: only then
    /// can records of the same value be recognized, and a question about a call with sensitive arguments can
    /// still be answered after a restart. By default it is the one that the journal keeps, see
    /// [`Journal::redaction_key`].
    #[must_use]
    pub fn redaction_key(mut self, key: RedactionKey) -> Self {
        self.key = Some(key);
        self
    }

    /// Makes records show the values of sensitive fields. For rehearsals of one's own scenarios only.
    #[must_use]
    pub fn reveal_sensitive_values(mut self) -> Self {
        self.reveals = true;
        self
    }

    /// Builds the runtime.
    ///
    /// # Errors
    /// If the machine has no random bits, or the journal cannot provide its redaction key.
    pub fn build(self) -> Result<Runtime, BuildError> {
        let entropy = match self.entropy {
            Some(entropy) => entropy,
            None => Arc::new(SystemEntropy::new()?),
        };
        let minter = Arc::new(Minter::new(Arc::clone(&self.clock), Arc::clone(&entropy)));
        let surface = Surface::build(&self.catalog, self.surface.clone(), &minter, None);
        let batch_policy = self.scheduler_policy.unwrap_or_default();
        let fresh = random_bytes(&*entropy);
        let key = match self.key {
            Some(key) => key,
            None => RedactionKey::new(self.journal.redaction_key(fresh)?),
        };
        let ctx = Arc::new(Context {
            clock: self.clock,
            journal: self.journal,
            blobs: self.blobs,
            approver: self.approver,
            inputs: self.inputs,
            hooks: self.hooks,
            classifiers: self.classifiers,
            catalog: RwLock::new(self.catalog),
            rules: RwLock::new(Arc::new(Rules {
                policy: self.policy,
                grants: self.grants,
                mode: self.mode,
                generation: 0,
            })),
            key,
            reveals: self.reveals,
            approval_timeout: self.approval_timeout,
            device: self.device,
            waiting_results: DeliveryBuffer::new(self.waiting_results),
            grace: self.grace,
        });
        let inner = Inner {
            scheduler: Scheduler::new(self.max_parallel),
            surface: RwLock::new(Arc::new(surface)),
            surface_context: RwLock::new(self.surface),
            changing: Mutex::new(()),
            active: Arc::default(),
            batch_policy,
            minter,
            ctx,
        };
        inner.introduce();
        Ok(Runtime { inner: Arc::new(inner) })
    }
}

/// The number of records about tools in one batch.
const NOTES_PER_BATCH: usize = 64;

fn random_bytes(entropy: &dyn Entropy) -> [u8; 32] {
    let mut bytes = [0; 32];
    entropy.fill(&mut bytes);
    bytes
}

impl Inner {
    /// Records the tools, the hooks, the default scheduler policy and the first surface.
    fn introduce(&self) {
        self.note(self.catalog().tools().flat_map(|tool| tool.records()));
        let hooks = self.ctx.hooks.records().map(Noted::Hook);
        let scheduling = Noted::SchedulerPolicy(self.batch_policy.record());
        let surface = Noted::Surface(self.surface().record());
        self.note(hooks.chain([scheduling, surface]));
    }

    /// Records facts that belong to no call, without waiting until they are durable. They are made in small
    /// batches, because the records of a large catalog take many times its memory.
    pub(super) fn note(&self, noted: impl IntoIterator<Item = Noted>) {
        let at = self.ctx.now();
        let draft = |noted| Draft { at, invocation: None, step: 0, fact: Fact::Noted(noted) };
        let mut drafts = noted.into_iter().map(Box::new).map(draft).peekable();
        while drafts.peek().is_some() {
            let drafts: Vec<_> = drafts.by_ref().take(NOTES_PER_BATCH).collect();
            drop(self.ctx.journal.append(Batch { drafts, ..Batch::default() }));
        }
    }
}
