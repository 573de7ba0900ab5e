//! The state outside of the runtime, which survives a crash.

use std::{
    collections::BTreeMap,
    sync::{
        Arc, Mutex, MutexGuard, PoisonError,
        atomic::{AtomicU64, Ordering},
    },
    time::Duration,
};

use assent_blobs::MemoryBlobs;
use assent_cedar::{LoadError, ToolShape};
use assent_ids::{
    CallId, Clock, Entropy, InvocationId, Minter, NativeCallId, UnixMillis,
    deterministic::{ManualClock, SeededEntropy},
};
use assent_journal::MemoryJournal;
use assent_policy::Policy;
use assent_protocol::agent_tool::{ToolExternalMapping, ToolSearchResult};
use assent_runtime::{CallResult, ModelInput, Request};

use super::{Options, RunError, definition, person::Person, tool::Executions};
use crate::{Call, Scenario, Tool};

/// The most bytes of stored results.
const MOST_BLOB_BYTES: usize = 256 << 20;
/// The seed of every rehearsal.
const SEED: u64 = 0x00a5_5e27;

/// The state that the lifetimes of a run share.
pub(super) struct World<'s> {
    pub(super) scenario: &'s Scenario,
    pub(super) options: Options,
    pub(super) journal: Arc<MemoryJournal>,
    pub(super) blobs: Arc<MemoryBlobs>,
    pub(super) entropy: Arc<dyn Entropy>,
    pub(super) person: Arc<Person>,
    pub(super) executions: Arc<Executions>,
    pub(super) policy: Arc<Policy>,
    /// The ids of the calls.
    pub(super) invocations: BTreeMap<CallId, InvocationId>,
    /// The number of batches that were passed to the journal.
    pub(super) batch_count: Arc<AtomicU64>,
    happened: Mutex<Happened>,
}

/// The progress of the run.
#[derive(Debug, Default)]
pub(super) struct Happened {
    /// Results in the order in which they were released.
    pub(super) delivered: Vec<(InvocationId, CallResult)>,
    pub(super) searches: Vec<ToolSearchResult>,
    /// The number of actions that were run.
    pub(super) actions_done: usize,
    pub(super) has_searched: bool,
    pub(super) duration: Duration,
}

impl<'s> World<'s> {
    pub(super) fn new(
        scenario: &'s Scenario,
        options: Options,
        journal: Arc<MemoryJournal>,
    ) -> Result<Self, RunError> {
        let entropy: Arc<dyn Entropy> = Arc::new(SeededEntropy::new(SEED));
        let invocations = invocations(scenario, &entropy);
        let by_id = invocations.iter().map(|(call, id)| (*id, call.clone())).collect();
        Ok(Self {
            scenario,
            options,
            journal,
            blobs: Arc::new(MemoryBlobs::new(MOST_BLOB_BYTES)),
            entropy,
            person: Arc::new(Person::new(scenario, by_id)),
            executions: Arc::default(),
            policy: Arc::new(load_policy(scenario).map_err(RunError::Rules)?),
            invocations,
            batch_count: Arc::default(),
            happened: Mutex::default(),
        })
    }

    pub(super) fn batches_written(&self) -> u64 {
        self.batch_count.load(Ordering::SeqCst)
    }

    pub(super) fn happened(&self) -> MutexGuard<'_, Happened> {
        self.happened.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// The calls of the scenario, batch by batch.
    pub(super) fn batches(&self) -> Vec<Vec<&'s Call>> {
        let mut batches: BTreeMap<_, Vec<&Call>> = BTreeMap::new();
        for call in &self.scenario.calls {
            batches.entry(call.batch).or_default().push(call);
        }
        batches.into_values().collect()
    }

    pub(super) fn invocation(&self, call: &CallId) -> Option<InvocationId> {
        self.invocations.get(call).copied()
    }

    /// Creates the request of the model.
    pub(super) fn request(&self, call: &Call) -> Request {
        let mut request = Request::new(call.tool.as_str(), ModelInput::from_value(&call.input));
        request.invocation = self.invocation(&call.id);
        request.actor = call.actor.as_deref().map(Into::into);
        request.session = Some("rehearsal".into());
        request.depends_on =
            call.depends_on.iter().filter_map(|call| self.invocation(call)).collect();
        if let Some(native) = &call.native {
            request.mappings = vec![definition::mapping(native)];
            request.native_call_id = native_call_id(request.mappings.first());
        }
        request
    }
}

/// Returns the id of the call in its own protocol, which has one of several names.
fn native_call_id(mapping: Option<&ToolExternalMapping>) -> Option<NativeCallId> {
    const NAMES: [&str; 6] = [
        "native_call_id",
        "tool_call_id",
        "jsonrpc_request_id",
        "task_id",
        "command_id",
        "action_id",
    ];
    let mapping = mapping?;
    let value = NAMES.iter().find_map(|name| mapping.native(name))?;
    let text = value.as_str().map_or_else(|| value.to_string(), str::to_owned);
    text.parse().ok()
}

fn invocations(scenario: &Scenario, entropy: &Arc<dyn Entropy>) -> BTreeMap<CallId, InvocationId> {
    let clock: Arc<dyn Clock> =
        Arc::new(ManualClock::starting_at(UnixMillis::new(super::clock::BEGINNING)));
    let minter = Minter::new(clock, Arc::clone(entropy));
    scenario.calls.iter().map(|call| (call.id.clone(), minter.mint())).collect()
}

/// Loads the rules and Cedar policies of a scenario, for its tools.
pub(crate) fn load_policy(scenario: &Scenario) -> Result<Policy, LoadError> {
    let ids: Vec<_> = scenario.tools.iter().map(Tool::id).collect();
    let shapes = scenario.tools.iter().zip(&ids).map(|(tool, id)| ToolShape {
        tool_id: id,
        namespace: tool.namespace(),
        name: tool.name.as_str(),
        input_schema: tool.input_schema.as_ref(),
    });
    let policies = scenario.policies.as_deref().unwrap_or_default();
    assent_cedar::load_policy(&scenario.rules, policies, shapes)
}
