//! Stage 12: what is kept of the result? It is redacted first, then measured, then stored or shown. Hooks may
//! only make the strategy stricter.

use std::sync::Arc;

use assent_blobs::{Owner, Retention};
use assent_ids::{PersistenceId, ResultId};
use assent_journal::{Completed, Fact};
use assent_protocol::{
    agent_tool::{
        Abort, Cause, ErrorClass, HookEvent, InvocationStatus, PersistenceStrategy, TerminalStatus,
        ToolResult,
    },
    wire::Object,
};
use serde::{Serialize, de::DeserializeOwned};
use serde_json::Value;

use super::{
    Calling, Context, Trail, hook_stage,
    map_result::{Besides, Broke, Ending, Worked},
    parse,
    post_hooks::PostHooked,
    result, schedule,
};
use crate::{
    executor::Failure,
    hooks::{self, HookOutcome},
    results::{Choice, ErrorDraft, Filing, Redacted, ResultDraft, persist, reads_stored_result},
    scheduler::{ContextRuling, Reservation, context, rule},
    telemetry,
};

/// A call whose result is ready to be delivered.
pub(crate) struct Persisted {
    pub(crate) status: InvocationStatus,
    pub(crate) result: Arc<ToolResult>,
    /// The id of the result.
    pub(crate) id: ResultId,
    /// The memory of the result while it waits for the results before it.
    pub(crate) waiting: Option<Reservation>,
}

impl Persisted {
    /// The result that was recorded before a crash.
    pub(crate) fn known(completed: &Completed, trail: &mut Trail) -> Self {
        let result = Arc::clone(&completed.result);
        let id = result.result_id.strict().unwrap_or_else(|_| trail.derive_id());
        Self { status: completed.status, result, id, waiting: None }
    }
}

pub(crate) async fn run(ctx: &Context, done: PostHooked, trail: &mut Trail) -> Persisted {
    let PostHooked { calling, ending, ran_alone } = done;
    trail.note_late_cancel(calling.control.aborted());
    trail.hold_outcome(&ending, ran_alone);
    let asked = match *ending {
        Ending::Worked(_) => persistence_hooks(ctx, &calling, trail, &ending).await,
        Ending::Broke(_) => Vec::new(),
    };
    trail.note_late_cancel(calling.control.aborted());
    trail.release_outcome();
    match Arc::unwrap_or_clone(ending) {
        Ending::Worked(worked) => store(ctx, &calling, trail, worked, (ran_alone, asked)).await,
        Ending::Broke(broke) => broken(trail, broke),
    }
}

/// The end of a call whose tool has finished and was removed since. Its output is not shown, because only the
/// tool says which parts are sensitive.
pub(super) fn without_tool(trail: &mut Trail, ending: Ending) -> Persisted {
    match ending {
        Ending::Worked(worked) => {
            let message = "the tool had finished and was removed since: its output is not shown";
            trail.warnings.push(Failure::new(ErrorClass::ResultRedacted, message));
            let id: ResultId = trail.derive_id();
            let rest = worked.besides.map_or_else(Besides::default, |besides| *besides);
            let mut draft = result::draft(trail, id, TerminalStatus::Succeeded);
            draft.artifacts = scrubbed(trail, rest.artifacts);
            draft.resources = scrubbed(trail, rest.resources);
            finished(trail, draft, None)
        }
        Ending::Broke(broke) => broken(trail, broke),
    }
}

async fn store(
    ctx: &Context,
    calling: &Calling,
    trail: &mut Trail,
    worked: Worked,
    (ran_alone, asked): (bool, Vec<PersistenceStrategy>),
) -> Persisted {
    let result_id: ResultId = trail.derive_id();
    let filing = filing(trail, result_id);
    let schema = parse::compiled(&calling.tool).ok().and_then(|schemas| schemas.output.as_ref());
    let redacted = Redacted::new(worked.mapped, trail.scrubber(), schema);
    let reads_stored = trail.inputs.call.as_ref().is_some_and(reads_stored_result);
    let policy = &calling.tool.definition.persistence;
    let mut choice = Choice::new(policy, &redacted, reads_stored);
    for strategy in asked {
        choice = choice.tightened(strategy, "a hook asks for it");
    }
    let (choice, waiting) = room_to_wait(ctx, calling, choice);
    telemetry::measured(choice.size().bytes);
    let delivered = persist(redacted, choice, &*ctx.blobs, filing).await;
    if !delivered.redacted_fields.is_empty() {
        trail.record(Fact::Redacted { fields: delivered.redacted_fields.clone() });
    }
    trail.record(Fact::Persisted(Arc::clone(&delivered.record)));
    let rest = worked.besides.map_or_else(Besides::default, |besides| *besides);
    let of_parts = rest.partial_failures.iter().flat_map(|failure| &failure.artifacts).cloned();
    let artifacts = scrubbed(trail, rest.artifacts.into_iter().chain(of_parts).collect());
    trail.artifacts.clone_from(&artifacts);
    let mut draft = result::draft(trail, result_id, TerminalStatus::Succeeded);
    draft.delivered = Some(delivered);
    draft.artifacts = artifacts;
    draft.resources = scrubbed(trail, rest.resources);
    draft.native_output_ref = rest.native_output_ref.map(|place| trail.scrub(&place));
    draft.partial_failures = rest
        .partial_failures
        .into_iter()
        .map(|failure| ErrorDraft::from(trail.scrub_failure(failure)))
        .collect();
    let modifier = rest.context_modifier.map(|mut modifier| {
        if let Some(scrubber) = trail.scrubber() {
            scrubber.value(&mut modifier);
        }
        ruled(calling, trail, &modifier, ran_alone)
    });
    Persisted { waiting, ..finished(trail, draft, modifier) }
}

/// A result that has to wait for others waits in memory if there is room, and in the store otherwise.
fn room_to_wait(ctx: &Context, calling: &Calling, choice: Choice) -> (Choice, Option<Reservation>) {
    if calling.slot.is_my_turn() || !choice.passes_on_whole() {
        return (choice, None);
    }
    match ctx.waiting_results.reserve(choice.size().bytes) {
        Some(held) => (choice, Some(held)),
        None => {
            let reason = "too many results wait for those before them";
            (choice.tightened(PersistenceStrategy::PreviewAndPersist, reason), None)
        }
    }
}

/// References of the tool without sensitive values. Those that cannot be cleaned are left out.
fn scrubbed<T: Serialize + DeserializeOwned>(trail: &Trail, refs: Vec<T>) -> Vec<T> {
    match trail.scrubber() {
        Some(scrubber) => refs.into_iter().filter_map(|one| scrubber.record(one)).collect(),
        None => refs,
    }
}

/// The persistence strategies that hooks request.
async fn persistence_hooks(
    ctx: &Context,
    calling: &Calling,
    trail: &mut Trail,
    ending: &Arc<Ending>,
) -> Vec<PersistenceStrategy> {
    let mut asked = Vec::new();
    for hook in hook_stage::matching(ctx, calling, HookEvent::ResultPersistence) {
        let moment = hook_stage::moment_after(calling, trail, hook.event, ending);
        match hooks::run(trail, hook, &moment).await {
            HookOutcome::Effects(effects) => asked.extend(effects.persistence),
            HookOutcome::NoEffect | HookOutcome::Ignored => {}
            // A hook that was to protect a result failed, so the result is not passed on.
            HookOutcome::Failed(_) => asked.push(PersistenceStrategy::DropWithReason),
        }
    }
    asked
}

fn filing(trail: &mut Trail, result_id: ResultId) -> Filing {
    let decision_id: PersistenceId = trail.derive_id();
    let session = trail.planned.session.as_ref();
    let owner = session.and_then(|session| Owner::new(Arc::clone(session)).ok());
    Filing {
        decision_id,
        invocation_id: trail.invocation,
        result_id,
        at: trail.now(),
        owner,
        retention: Retention::Session,
    }
}

/// Decides about a change of the context that the tool requests.
fn ruled(calling: &Calling, trail: &mut Trail, modifier: &Value, ran_alone: bool) -> Value {
    let ruling = rule(schedule::context_modifiers(calling), ran_alone);
    if let ContextRuling::Reject(refusal) = ruling {
        let message = format!("the change of the context is not made: {refusal}");
        trail.warnings.push(Failure::new(ErrorClass::CapabilityGap, message));
    }
    ruling.note(modifier)
}

fn broken(trail: &mut Trail, broke: Broke) -> Persisted {
    let result_id: ResultId = trail.derive_id();
    let mut draft = result::draft(trail, result_id, broke.status);
    draft.cause = cause(broke.failure.class, broke.abort);
    let read_only = trail.scheduler.as_ref().is_some_and(|facts| facts.is_read_only == Some(true));
    let mut failure = trail.scrub_failure(broke.failure);
    draft.artifacts = scrubbed(trail, std::mem::take(&mut failure.artifacts));
    trail.artifacts.clone_from(&draft.artifacts);
    let mut error = ErrorDraft::from(failure);
    error.repeatable = read_only;
    error.needed_approval = trail.approved.is_some();
    draft.error = Some(error);
    finished(trail, draft, None)
}

fn cause(class: ErrorClass, abort: Option<Abort>) -> Cause {
    Cause { class: Some(class), abort, ..Cause::default() }
}

fn finished(trail: &mut Trail, draft: ResultDraft, modifier: Option<Value>) -> Persisted {
    let (status, id) = (draft.end.into(), draft.result_id);
    let mut draft = draft;
    draft.warnings =
        std::mem::take(&mut trail.warnings).into_iter().map(ErrorDraft::from).collect();
    let mut result = draft.assemble();
    if let Some(modifier) = modifier {
        result.extra.extend(Object::from([(context::FIELD.to_owned(), modifier)]));
    }
    result::annotate(trail, &mut result);
    Persisted { status, result: Arc::new(result), id, waiting: None }
}
