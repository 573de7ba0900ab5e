//! Everything that has happened to one call, in order. Stages write here; nothing is told to anybody
//! before it is in the journal.

mod abandoned;
mod derived;
mod recorded;
mod restore;
mod secrets;
mod writing;

use std::sync::Arc;

use assent_ids::{
    DecisionId, GeneratedId, HookId, HookRunId, InvocationId, MutationId, SchedulerPolicyId,
    ToolId, UnixMillis,
};
use assent_journal::{Asked, Binding, Decided, Draft, Fact, Mutated, Planned, Selected};
use assent_json::{Digest, Json};
use assent_policy::Opinion;
use assent_protocol::agent_tool::{
    AbortReason, ArtifactRef, InvocationStatus, MutationNote, SchedulerFacts,
};

use super::{Context, Stage, Stop, map_result::Ending};
use crate::{catalog::Tool, executor::Failure, hooks::Registration, results::Scrubber, telemetry};

pub(crate) use derived::derived;

/// The path of a call so far.
pub(crate) struct Trail {
    pub(crate) invocation: InvocationId,
    pub(crate) planned: Arc<Planned>,
    pub(crate) tool: Option<Arc<Tool>>,
    /// What the tool was when it was chosen.
    pub(crate) definition: Option<Digest>,
    pub(crate) inputs: FourInputs,
    pub(crate) decisions: Vec<DecisionId>,
    pub(crate) policies: Vec<String>,
    pub(crate) hooks: Vec<HookRunId>,
    pub(crate) mutations: Vec<MutationNote>,
    pub(crate) mutation_ids: Vec<MutationId>,
    pub(crate) artifacts: Vec<ArtifactRef>,
    pub(crate) warnings: Vec<Failure>,
    /// What hooks want the model to know besides the result.
    pub(crate) context: Vec<String>,
    /// What hooks want people to know.
    pub(crate) messages: Vec<String>,
    /// What hooks think of the call.
    pub(crate) opinions: Vec<Opinion>,
    /// The question that a person was asked.
    pub(crate) asked: Option<Arc<Asked>>,
    /// What a person agreed to.
    pub(crate) approved: Option<Arc<Binding>>,
    pub(crate) scheduler: Option<Arc<SchedulerFacts>>,
    pub(crate) scheduler_policy: Option<Arc<SchedulerPolicyId>>,
    /// What a hook said to keep the agent from going on.
    pub(crate) stop: Option<String>,
    /// The runs of hooks that changed the output.
    pub(crate) output_hooks: Vec<HookRunId>,
    pub(crate) attempts: u32,
    pub(crate) executed: bool,
    status: InvocationStatus,
    pub(crate) transitions: Vec<(InvocationStatus, u64)>,
    /// What has happened and is not written yet.
    unwritten: Vec<Draft>,
    step: u32,
    derived: u32,
    /// Every hook that could have changed the call, one line each.
    hook_chain: Vec<HookId>,
    /// A crash interrupted the call, and some of its states were recorded before.
    is_resumed: bool,
    /// The inputs are as the journal shows them: the real ones are gone.
    is_recorded: bool,
    cancel: Option<AbortReason>,
    /// What became of the wish to stop the call is recorded.
    is_cancel_settled: bool,
    progress: u64,
    /// The changes of the input, by the digests that the journal shows.
    changes: Vec<(Digest, Digest)>,
    /// The journal did not take what it was given.
    is_cut_off: bool,
    /// The journal holds what is needed to go on.
    is_held: bool,
    scrubber: Option<Scrubber>,
    /// What came of it, while hooks look at that.
    outcome: Option<(Arc<Ending>, bool)>,
    /// The journal holds that.
    is_outcome_held: bool,
    /// Nothing more is to be told about the call.
    is_finished: bool,
    /// When what happens now happens.
    now: UnixMillis,
    ctx: Arc<Context>,
}

/// The real inputs of a call; only replaced copies of them reach the journal.
#[derive(Clone, Debug)]
pub(crate) struct FourInputs {
    pub(crate) model: Json,
    pub(crate) observable: Option<Json>,
    pub(crate) permission: Option<Json>,
    pub(crate) call: Option<Json>,
}

impl FourInputs {
    /// What the executor was given, or else what the model wrote.
    pub(crate) fn executed(&self) -> &Json {
        self.call.as_ref().unwrap_or(&self.model)
    }
}

impl Trail {
    /// The trail of a call that was just asked for.
    pub(crate) fn begin(
        ctx: &Arc<Context>,
        invocation: InvocationId,
        planned: Arc<Planned>,
    ) -> Self {
        let now = ctx.now();
        let model = planned.model_input.clone();
        Self {
            invocation,
            planned,
            tool: None,
            definition: None,
            inputs: FourInputs { model, observable: None, permission: None, call: None },
            decisions: Vec::new(),
            policies: Vec::new(),
            hooks: Vec::new(),
            mutations: Vec::new(),
            mutation_ids: Vec::new(),
            artifacts: Vec::new(),
            warnings: Vec::new(),
            context: Vec::new(),
            messages: Vec::new(),
            opinions: Vec::new(),
            asked: None,
            approved: None,
            scheduler: None,
            scheduler_policy: None,
            stop: None,
            output_hooks: Vec::new(),
            attempts: 0,
            executed: false,
            status: InvocationStatus::Planned,
            transitions: vec![(InvocationStatus::Planned, now.get())],
            now,
            // The first fact is written when the tool is known: only then is it known what to hide.
            unwritten: Vec::new(),
            step: 0,
            derived: 0,
            hook_chain: Vec::new(),
            is_resumed: false,
            is_recorded: false,
            cancel: None,
            is_cancel_settled: false,
            progress: 0,
            changes: Vec::new(),
            is_cut_off: false,
            is_held: false,
            scrubber: None,
            outcome: None,
            is_outcome_held: false,
            is_finished: false,
            ctx: Arc::clone(ctx),
        }
    }

    /// The time of what happens now.
    pub(crate) fn now(&self) -> UnixMillis {
        self.now
    }

    /// Looks at the clock. To be done whenever something outside was waited for: in between, no time
    /// passes that anybody could notice.
    pub(crate) fn look_at_clock(&mut self) {
        self.now = self.ctx.now();
    }

    pub(crate) fn status(&self) -> InvocationStatus {
        self.status
    }

    /// Whether this is the tool that was chosen, unchanged.
    pub(crate) fn is_about(&self, tool: &Tool) -> bool {
        self.definition == Some(tool.digest)
    }

    /// The tool, or the stand-in for one that does not exist.
    pub(crate) fn tool_id(&self) -> Arc<ToolId> {
        match &self.tool {
            Some(tool) => Arc::clone(&tool.id),
            None => Arc::new(ToolId::unresolved(&self.planned.requested)),
        }
    }

    /// Writes the first fact, with what is sensitive to `tool` replaced.
    pub(crate) fn plan(&mut self, tool: Option<&Arc<Tool>>) {
        if self.step > 0 {
            return;
        }
        if let Some(tool) = tool {
            self.tool = Some(Arc::clone(tool));
            let model = self.inputs.model.clone();
            self.hide_values_of(&model);
        }
        let shown = self.shown(&self.inputs.model);
        let mut planned = Arc::clone(&self.planned);
        if !shown.is_same(&planned.model_input) {
            Arc::make_mut(&mut planned).model_input = shown;
        }
        self.record(Fact::Planned(planned));
    }

    /// The tool was found.
    pub(crate) fn select(&mut self, tool: &Arc<Tool>) {
        if self.status != InvocationStatus::Planned {
            return;
        }
        self.status = InvocationStatus::Selected;
        self.transitions.push((InvocationStatus::Selected, self.now().get()));
        self.definition = Some(tool.digest);
        let selected = Selected { tool: Arc::clone(&tool.id), definition: tool.digest };
        self.record(Fact::Selected(Arc::new(selected)));
    }

    /// Brings the call into a state. A call that is already there stays: that happens when a crash
    /// interrupted it in that state. A step that the state machine does not have is not taken.
    pub(crate) fn enter(&mut self, status: InvocationStatus) {
        let again = status == InvocationStatus::PartialResult;
        if (self.status == status && !again) || !self.status.can_become(status) {
            debug_assert!(
                self.status == status || self.is_resumed,
                "{} cannot become {status}",
                self.status
            );
            return;
        }
        self.status = status;
        self.transitions.push((status, self.now().get()));
        self.record(Fact::Moved(status));
    }

    /// An id that belongs to this call: the same on every run with the same ids of calls, and as
    /// unguessable as the id of the call.
    pub(crate) fn derive_id<Id: GeneratedId>(&mut self) -> Id {
        self.derived += 1;
        derived(self.invocation, self.now(), self.derived)
    }

    /// Records the first request to stop the call, with the current time.
    pub(crate) fn cancel_requested(&mut self, reason: AbortReason) {
        if self.cancel.is_none() {
            self.look_at_clock();
            self.cancel = Some(reason);
            self.record(Fact::CancelRequested { reason });
        }
    }

    /// Notes that the call goes on although somebody wanted it stopped.
    pub(crate) fn cancel_failed(&mut self, why: &str) {
        if self.cancel.is_some() && !std::mem::replace(&mut self.is_cancel_settled, true) {
            self.record(Fact::CancelFailed { message: why.to_owned() });
        }
    }

    /// Notes that somebody wanted the call stopped when its tool had finished already.
    pub(crate) fn note_late_cancel(&mut self, wanted: Option<AbortReason>) {
        if let Some(reason) = wanted.filter(|_| self.cancel.is_none()) {
            self.cancel_requested(reason);
            self.cancel_failed("it had finished before it could be stopped");
        }
    }

    /// Notes that the executor stops.
    pub(crate) fn cancel_acknowledged(&mut self) {
        if !std::mem::replace(&mut self.is_cancel_settled, true) {
            self.record(Fact::CancelAcknowledged);
        }
    }

    /// Why somebody wants the call stopped.
    pub(crate) fn cancel_reason(&self) -> Option<AbortReason> {
        self.cancel
    }

    /// The number of the next progress report.
    pub(crate) fn next_progress(&mut self) -> u64 {
        self.progress += 1;
        self.progress
    }

    /// Whether this input follows from what the model wrote by the recorded changes alone.
    pub(crate) fn explains(&self, input: &Json) -> bool {
        if self.changes.is_empty() && input.is_same(&self.inputs.model) {
            return true;
        }
        let mut digest = self.shown(&self.inputs.model).digest();
        for (from, to) in &self.changes {
            if *from != digest {
                return false;
            }
            digest = *to;
        }
        digest == self.shown(input).digest()
    }

    /// The end of a call that was stopped before it began to run.
    pub(crate) fn stopped(&mut self, stage: Stage, reason: AbortReason) -> Stop {
        self.cancel_requested(reason);
        Stop::never_started(stage, reason)
    }

    /// A hook that could have changed the call has run.
    pub(crate) fn extend_hook_chain(&mut self, hook: &Registration) {
        self.hook_chain.push(hook.id.clone());
    }

    /// The hooks that could have changed the call, in order.
    pub(crate) fn hook_chain(&self) -> Digest {
        let lines: Vec<&str> = self.hook_chain.iter().map(HookId::as_str).collect();
        Digest::of(lines.join("\n").as_bytes())
    }

    /// Notes a decision about the call.
    pub(crate) fn decide(&mut self, decided: Decided) {
        telemetry::decided(decided.reason);
        self.decisions.push(decided.id);
        self.name_policies(&decided.policies);
        self.record(Fact::Decided(Arc::new(decided)));
    }

    /// Notes the policies that spoke, each once.
    pub(crate) fn name_policies(&mut self, policies: &[String]) {
        for policy in policies {
            if !self.policies.contains(policy) {
                self.policies.push(policy.clone());
            }
        }
    }

    /// Notes a change of the input.
    pub(crate) fn mutate(&mut self, mutation: Mutated) {
        self.note_mutation(&mutation);
        self.record(Fact::Mutated(Box::new(mutation)));
    }

    fn note_mutation(&mut self, mutation: &Mutated) {
        let mut note = MutationNote::new(mutation.id, mutation.source);
        note.source_ref.clone_from(&mutation.source_ref);
        note.changed_fields = Some(mutation.changed.clone());
        self.mutations.push(note);
        self.mutation_ids.push(mutation.id);
        self.changes.push((mutation.from, mutation.to));
    }

    /// The tool, as people call it.
    pub(crate) fn title(&self) -> &str {
        self.tool.as_ref().map_or(&*self.planned.requested, |tool| tool.title())
    }
}
