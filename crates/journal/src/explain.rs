//! Why a call was allowed or refused, from the journal alone.

mod text;

use std::sync::Arc;

use assent_ids::{
    HookId, HookRunId, InvocationId, Lax, NativeCallId, ResultId, ToolId, UnixMillis,
};
use assent_json::{Digest, Json};
use assent_protocol::{
    agent_tool::{
        Behavior, ErrorClass, HookEvent, InvocationStatus, PersistenceStrategy, ResultStatus,
        ToolExternalMapping, ToolResult, ToolResultPersistence,
    },
    wire::Open,
};

use serde::Serialize;

use crate::{Asked, Decided, Ended, Entry, Fact, HookFailed, HookRan, Mutated, Planned, serde_as};

/// The history of one call. It is displayed as text of several lines, without values of inputs or results. In JSON,
/// times are milliseconds since 1970.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Explanation {
    /// The call.
    pub invocation: InvocationId,
    /// When it was requested.
    pub asked_at: UnixMillis,
    /// The name that the caller used.
    pub requested: Arc<str>,
    /// The tool, if there is one of that name.
    pub tool: Option<Arc<ToolId>>,
    /// The digest of the tool's definition when it was selected.
    #[serde(with = "serde_as::optional_text")]
    pub definition: Option<Digest>,
    /// The actor that requested it.
    pub actor: Option<Arc<str>>,
    /// The id of the call in the protocol it came through.
    pub native_call_id: Option<NativeCallId>,
    /// Native ids, unchanged.
    pub mappings: Vec<ToolExternalMapping>,
    /// Its four inputs.
    pub inputs: InputDigests,
    /// The changes of its input, in order.
    pub mutations: Vec<Mutated>,
    /// The runs of hooks, in order.
    pub hooks: Vec<HookVoice>,
    /// The questions to people.
    pub questions: Vec<Asked>,
    /// The decisions, in order, each with its time.
    pub decisions: Vec<(UnixMillis, Decided)>,
    /// Its status.
    pub status: InvocationStatus,
    /// When it entered that status.
    pub since: UnixMillis,
    /// What its result is based on, if there is one.
    pub result: Option<TrustBasis>,
    /// How the result was stored.
    pub stored: Vec<Stored>,
    /// The parts of the result that were removed, as JSON Pointers.
    pub redacted: Vec<String>,
}

/// The digests of a call's inputs. A missing one was not reached, or the call has not ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub struct InputDigests {
    /// What the model wrote.
    #[serde(with = "serde_as::text")]
    pub model: Digest,
    /// What hooks and people saw.
    #[serde(with = "serde_as::optional_text")]
    pub observable: Option<Digest>,
    /// What was judged.
    #[serde(with = "serde_as::optional_text")]
    pub permission: Option<Digest>,
    /// What the executor was given.
    #[serde(with = "serde_as::optional_text")]
    pub call: Option<Digest>,
}

/// The effects of a hook.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct HookVoice {
    /// The run.
    pub run: HookRunId,
    /// The hook.
    pub hook: Lax<HookId>,
    /// The event.
    pub event: HookEvent,
    /// The decision that it argued for.
    pub verdict: Option<Behavior>,
    /// Its reason, or why it failed.
    pub reason: Option<String>,
    /// Whether it requested a stop.
    pub stopped: bool,
    /// Whether it failed.
    pub failed: bool,
    /// Whether it changed the input.
    pub changed_input: bool,
    /// Whether it changed the output.
    pub changed_output: bool,
}

/// What a result is based on.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct TrustBasis {
    /// The result.
    pub id: Lax<ResultId>,
    /// The status of the result.
    pub status: Open<ResultStatus>,
    /// The class of its error.
    pub error_class: Option<Open<ErrorClass>>,
    /// Whether the tool was started; unknown before the end.
    pub executed: Option<bool>,
    /// Whether the runtime wrote it instead of the tool.
    pub synthetic: bool,
    /// Whether the side effects of the tool are unknown.
    pub side_effects_unknown: bool,
    /// The runs of hooks that changed it.
    pub mapped_by: Vec<String>,
}

/// How a result was stored.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Stored {
    /// The strategy.
    pub strategy: PersistenceStrategy,
    /// Where it is.
    pub uri: Option<String>,
    /// The digest of its bytes.
    pub digest: Option<String>,
}

/// Explains a call from all its entries, oldest first; `None` if they do not begin with the first fact of a call.
#[must_use]
pub fn explain<'a>(entries: impl IntoIterator<Item = &'a Entry>) -> Option<Explanation> {
    let mut entries = entries.into_iter();
    let first = &entries.next()?.draft;
    let Fact::Planned(planned) = &first.fact else { return None };
    let mut explanation = Explanation::begin(first.invocation?, first.at, planned);
    for entry in entries {
        explanation.learn(&entry.draft.fact, entry.draft.at);
    }
    Some(explanation)
}

impl Explanation {
    /// Returns `true` if the last decision allows the call.
    #[must_use]
    pub fn is_allowed(&self) -> bool {
        self.decisions.last().is_some_and(|(_, decided)| decided.behavior == Behavior::Allow)
    }

    fn begin(invocation: InvocationId, at: UnixMillis, planned: &Planned) -> Self {
        let model = planned.model_input.digest();
        Self {
            invocation,
            asked_at: at,
            requested: Arc::clone(&planned.requested),
            tool: None,
            definition: None,
            actor: planned.actor.clone(),
            native_call_id: planned.native_call_id.clone(),
            mappings: planned.mappings.clone(),
            inputs: InputDigests { model, observable: None, permission: None, call: None },
            mutations: Vec::new(),
            hooks: Vec::new(),
            questions: Vec::new(),
            decisions: Vec::new(),
            status: InvocationStatus::Planned,
            since: at,
            result: None,
            stored: Vec::new(),
            redacted: Vec::new(),
        }
    }

    fn learn(&mut self, fact: &Fact, at: UnixMillis) {
        match fact {
            Fact::Selected(selected) => {
                self.tool = Some(Arc::clone(&selected.tool));
                self.definition = Some(selected.definition);
                self.go(InvocationStatus::Selected, at);
            }
            Fact::Moved(status) => self.go(*status, at),
            Fact::Mutated(mutated) => self.mutations.push((**mutated).clone()),
            Fact::HookRan(hook) => self.hooks.push(HookVoice::ran(hook)),
            Fact::HookFailed(hook) => self.hooks.push(HookVoice::failed(hook)),
            Fact::Asked(asked) => self.questions.push((**asked).clone()),
            Fact::Decided(decided) => self.decisions.push((at, (**decided).clone())),
            Fact::Persisted(stored) => self.stored.push(Stored::new(stored)),
            Fact::Redacted { fields } => self.redacted.extend(fields.iter().cloned()),
            Fact::Resulted(result) => self.result = Some(TrustBasis::new(result)),
            Fact::Ended(ended) => self.end(ended),
            _ => {}
        }
    }

    fn go(&mut self, status: InvocationStatus, at: UnixMillis) {
        self.status = status;
        self.since = at;
    }

    fn end(&mut self, ended: &Ended) {
        let digest = |input: &Option<Json>| input.as_ref().map(Json::digest);
        self.mappings.clone_from(&ended.mappings);
        self.inputs = InputDigests {
            model: ended.inputs.model.digest(),
            observable: digest(&ended.inputs.observable),
            permission: digest(&ended.inputs.permission),
            call: digest(&ended.inputs.call),
        };
        if let Some(result) = &mut self.result {
            result.executed = Some(ended.executed);
        }
    }
}

impl HookVoice {
    fn ran(hook: &HookRan) -> Self {
        let said = hook.said.as_deref();
        let verdict = said.and_then(|said| said.permission_result.as_ref()?.typed());
        let stop = said.and_then(|said| said.stop.as_ref());
        let demand = stop.and_then(|stop| stop.get("reason")?.as_str()).map(str::to_owned);
        Self {
            run: hook.run,
            hook: (&hook.hook).into(),
            event: hook.event,
            verdict: verdict.map(|verdict| verdict.behavior),
            reason: verdict.and_then(|verdict| verdict.reason.clone()).or(demand),
            stopped: stop.is_some(),
            failed: false,
            changed_input: said.is_some_and(|said| said.updated_input.is_some()),
            changed_output: said.is_some_and(|said| said.updated_output.is_some()),
        }
    }

    fn failed(hook: &HookFailed) -> Self {
        Self {
            run: hook.run,
            hook: (&hook.hook).into(),
            event: hook.event,
            verdict: None,
            reason: Some(hook.message.clone()),
            stopped: hook.closed,
            failed: true,
            changed_input: false,
            changed_output: false,
        }
    }
}

impl TrustBasis {
    fn new(result: &ToolResult) -> Self {
        let error = result.error.as_ref().and_then(|error| error.typed());
        let synthetic = result.synthetic.as_ref().and_then(|synthetic| synthetic.typed());
        let hooks = result.output_hook_refs.as_ref().and_then(|hooks| hooks.typed());
        Self {
            id: result.result_id.clone(),
            status: result.status.clone(),
            error_class: error.map(|error| error.error_class.clone()),
            executed: None,
            synthetic: synthetic.copied().unwrap_or_default(),
            side_effects_unknown: error.and_then(|error| error.side_effects_unknown) == Some(true),
            mapped_by: hooks.cloned().unwrap_or_default(),
        }
    }
}

impl Stored {
    fn new(stored: &ToolResultPersistence) -> Self {
        let place = stored.persisted_ref.as_ref().and_then(|place| place.typed());
        Self {
            strategy: stored.strategy,
            uri: place.map(|place| place.uri.clone()),
            digest: place.and_then(|place| place.digest.clone()),
        }
    }
}
