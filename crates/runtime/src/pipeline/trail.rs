//! Everything that has happened to one call, in order. Stages record it here, and it becomes visible to
//! others only through the journal.

mod cancellation;
mod derived;
mod hooks;
mod inputs;
mod journal_writer;
mod recorded;
mod restore;
mod secrets;
mod writing;

use std::sync::Arc;

use assent_ids::{DecisionId, GeneratedId, InvocationId, SchedulerPolicyId, ToolId, UnixMillis};
use assent_journal::{Asked, Binding, Decided, Fact, Mutated, Planned, Selected};
use assent_json::{Digest, Json};
use assent_protocol::agent_tool::{AbortReason, ArtifactRef, InvocationStatus, SchedulerFacts};

use self::{
    cancellation::Cancellation, hooks::HookTrail, inputs::InputTrail, journal_writer::JournalWriter,
};
use super::{Context, Stage, Stop};
use crate::{
    catalog::Tool,
    executor::{Failure, Progress},
    telemetry,
};

pub(crate) use self::{derived::derived, inputs::FourInputs};

/// The history of a call so far.
pub(crate) struct Trail {
    pub(crate) invocation: InvocationId,
    pub(crate) planned: Arc<Planned>,
    pub(crate) tool: Option<Arc<Tool>>,
    /// The digest of the tool's definition when it was selected.
    pub(crate) definition: Option<Digest>,
    pub(crate) inputs: InputTrail,
    pub(crate) hooks: HookTrail,
    pub(crate) cancellation: Cancellation,
    writer: JournalWriter,
    pub(crate) decisions: Vec<DecisionId>,
    /// The policies that took part in a decision, each once.
    pub(crate) policies: Vec<String>,
    /// The question that a person was asked.
    pub(crate) asked: Option<Arc<Asked>>,
    /// What a person approved.
    pub(crate) approved: Option<Arc<Binding>>,
    /// When that approval expires.
    pub(crate) approved_until: Option<UnixMillis>,
    pub(crate) scheduler: Option<Arc<SchedulerFacts>>,
    pub(crate) scheduler_policy: Option<Arc<SchedulerPolicyId>>,
    pub(crate) attempts: u32,
    pub(crate) executed: bool,
    progress: u64,
    /// The last progress report that was not recorded because there were too many.
    skipped_progress: Option<Progress>,
    pub(crate) artifacts: Vec<ArtifactRef>,
    pub(crate) warnings: Vec<Failure>,
    status: InvocationStatus,
    pub(crate) transitions: Vec<(InvocationStatus, u64)>,
    /// The number of ids derived so far.
    derived: u32,
    /// A crash interrupted the call, and some of its states were recorded before.
    is_resumed: bool,
    /// The time of the facts that are recorded now.
    now: UnixMillis,
    ctx: Arc<Context>,
}

impl Trail {
    /// Begins the trail of a new call.
    pub(crate) fn begin(
        ctx: &Arc<Context>,
        invocation: InvocationId,
        planned: Arc<Planned>,
    ) -> Self {
        let now = ctx.now();
        Self {
            invocation,
            inputs: InputTrail::new(planned.model_input.clone()),
            planned,
            tool: None,
            definition: None,
            hooks: HookTrail::default(),
            cancellation: Cancellation::default(),
            writer: JournalWriter::new(Arc::clone(&ctx.journal), invocation),
            decisions: Vec::new(),
            policies: Vec::new(),
            asked: None,
            approved: None,
            approved_until: None,
            scheduler: None,
            scheduler_policy: None,
            attempts: 0,
            executed: false,
            progress: 0,
            skipped_progress: None,
            artifacts: Vec::new(),
            warnings: Vec::new(),
            status: InvocationStatus::Planned,
            transitions: vec![(InvocationStatus::Planned, now.get())],
            derived: 0,
            is_resumed: false,
            now,
            ctx: Arc::clone(ctx),
        }
    }

    /// The time of the facts that are recorded now.
    pub(crate) fn now(&self) -> UnixMillis {
        self.now
    }

    /// Reads the clock. Required after every wait for something outside of the pipeline.
    pub(crate) fn update_time(&mut self) {
        self.now = self.ctx.now();
    }

    pub(crate) fn status(&self) -> InvocationStatus {
        self.status
    }

    /// Returns `true` if `tool` has the definition that was selected.
    pub(crate) fn is_about(&self, tool: &Tool) -> bool {
        self.definition == Some(tool.digest)
    }

    /// The id of the tool, or a placeholder for a tool that does not exist.
    pub(crate) fn tool_id(&self) -> Arc<ToolId> {
        match &self.tool {
            Some(tool) => Arc::clone(&tool.id),
            None => Arc::new(ToolId::unresolved(&self.planned.requested)),
        }
    }

    /// The name of the tool that is shown to people.
    pub(crate) fn title(&self) -> &str {
        self.tool.as_ref().map_or(&*self.planned.requested, |tool| tool.title())
    }

    /// Records the first fact, with the values that are sensitive for `tool` replaced. It is recorded only
    /// when the tool is known, because the tool says which values are sensitive.
    pub(crate) fn plan(&mut self, tool: Option<&Arc<Tool>>) {
        if self.writer.has_begun() {
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

    /// Records that the tool was found.
    pub(crate) fn select(&mut self, tool: &Tool) {
        if self.status != InvocationStatus::Planned {
            return;
        }
        self.move_to(InvocationStatus::Selected);
        self.definition = Some(tool.digest);
        let selected = Selected { tool: Arc::clone(&tool.id), definition: tool.digest };
        self.record(Fact::Selected(Arc::new(selected)));
    }

    /// Moves the call to a status and records it. A call that a crash interrupted in that status stays
    /// there. A transition that the state machine does not have is ignored.
    pub(crate) fn enter(&mut self, status: InvocationStatus) {
        let can_repeat = status == InvocationStatus::PartialResult;
        if (self.status == status && !can_repeat) || !self.status.can_become(status) {
            debug_assert!(
                self.status == status || self.is_resumed,
                "{} cannot become {status}",
                self.status
            );
            return;
        }
        self.move_to(status);
        self.record(Fact::Moved(status));
    }

    fn move_to(&mut self, status: InvocationStatus) {
        self.status = status;
        self.transitions.push((status, self.now.get()));
    }

    /// Derives an id that belongs to this call. It is the same on every run with the same invocation id, and
    /// as hard to guess as that id.
    pub(crate) fn derive_id<Id: GeneratedId>(&mut self) -> Id {
        self.derived += 1;
        derived(self.invocation, self.now, self.derived)
    }

    /// The number of the next progress report.
    pub(crate) fn next_progress(&mut self) -> u64 {
        self.progress += 1;
        self.progress
    }

    /// The number of progress reports that are recorded.
    pub(crate) fn progress_count(&self) -> u64 {
        self.progress
    }

    /// Keeps a progress report that is recorded only if it is the last one.
    pub(crate) fn skip_progress(&mut self, progress: Progress) {
        self.skipped_progress = Some(progress);
    }

    pub(crate) fn take_skipped_progress(&mut self) -> Option<Progress> {
        self.skipped_progress.take()
    }

    /// Ends a call that was stopped before its tool began to run.
    pub(crate) fn stopped(&mut self, stage: Stage, reason: AbortReason) -> Stop {
        self.cancel_requested(reason);
        Stop::never_started(stage, reason)
    }

    /// Records a decision about the call.
    pub(crate) fn decide(&mut self, decided: Decided) {
        telemetry::decided(decided.reason);
        self.decisions.push(decided.id);
        self.name_policies(&decided.policies);
        self.record(Fact::Decided(Arc::new(decided)));
    }

    /// Adds policies to those that took part, each once.
    pub(crate) fn name_policies(&mut self, policies: &[String]) {
        for policy in policies {
            if !self.policies.contains(policy) {
                self.policies.push(policy.clone());
            }
        }
    }

    /// Records a change of the input.
    pub(crate) fn mutate(&mut self, mutation: Mutated) {
        self.inputs.add_mutation(&mutation);
        self.record(Fact::Mutated(Box::new(mutation)));
    }

    /// Returns `true` if `input` follows from what the model wrote by the recorded changes alone.
    pub(crate) fn explains(&self, input: &Json) -> bool {
        if self.inputs.mutations.is_empty() && input.is_same(&self.inputs.model) {
            return true;
        }
        let digest = self.shown(&self.inputs.model).digest();
        self.inputs.digest_after_changes(digest) == Some(self.shown(input).digest())
    }
}
