//! Stage 12: what is kept of the result? Redacted first, then measured, then stored or shown. Hooks
//! may only make it stricter.

use std::sync::Arc;

use assent_blobs::{Owner, Retention};
use assent_ids::{PersistenceId, ResultId};
use assent_journal::{Completed, Fact};
use assent_protocol::{
    agent_tool::{
        Abort, Cause, ContextModifierPolicy, ErrorClass, HookEvent, InvocationStatus,
        PersistenceStrategy, TerminalStatus, ToolResult,
    },
    wire::Object,
};
use serde::{Serialize, de::DeserializeOwned};
use serde_json::{Value, json};

use super::{
    Calling, Context, Trail,
    map_result::{Broke, Ending, Worked, as_json},
    parse,
    post_hooks::PostHooked,
    pre_hooks, result,
};
use crate::{
    hooks::{self, Ran},
    results::{
        Choice, ErrorDraft, Filing, PersistedResult, Redacted, ResultDraft, persist,
        reads_stored_result,
    },
    scheduler::{ContextRuling, rule},
};

/// A call whose result is ready to be handed over.
pub(crate) struct Persisted {
    pub(crate) status: InvocationStatus,
    pub(crate) result: Arc<ToolResult>,
}

impl Persisted {
    /// What was known before a crash.
    pub(crate) fn known(completed: &Completed) -> Self {
        Self { status: completed.status, result: Arc::clone(&completed.result) }
    }
}

pub(crate) async fn run(ctx: &Context, done: PostHooked, trail: &mut Trail) -> Persisted {
    let PostHooked { calling, ending, ran_alone } = done;
    match ending {
        Ending::Worked(worked) => store(ctx, &calling, trail, worked, ran_alone).await,
        Ending::Broke(broke) => broken(trail, broke),
    }
}

async fn store(
    ctx: &Context,
    calling: &Calling,
    trail: &mut Trail,
    worked: Worked,
    ran_alone: bool,
) -> Persisted {
    let asked = persistence_hooks(ctx, calling, trail, &worked).await;
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
    let delivered = persist(redacted, choice, &*ctx.blobs, filing).await;
    tell(trail, &delivered);
    let artifacts = scrubbed(trail, worked.artifacts);
    trail.artifacts.clone_from(&artifacts);
    let mut draft = result::draft(trail, result_id, TerminalStatus::Succeeded);
    draft.delivered = Some(delivered);
    draft.artifacts = artifacts;
    draft.resources = scrubbed(trail, worked.resources);
    draft.native_output_ref = worked.native_output_ref.map(|place| trail.scrub(&place));
    draft.partial_failures = worked
        .partial_failures
        .into_iter()
        .map(|failure| ErrorDraft::from(trail.scrub_failure(failure)))
        .collect();
    let modifier = worked.context_modifier.map(|mut modifier| {
        if let Some(scrubber) = trail.scrubber() {
            scrubber.value(&mut modifier);
        }
        ruled(calling, trail, &modifier, ran_alone)
    });
    finished(trail, draft, modifier)
}

/// What the tool refers to, without sensitive values. What cannot be cleaned is left out.
fn scrubbed<T: Serialize + DeserializeOwned>(trail: &Trail, refs: Vec<T>) -> Vec<T> {
    match trail.scrubber() {
        Some(scrubber) => refs.into_iter().filter_map(|one| scrubber.record(one)).collect(),
        None => refs,
    }
}

/// What hooks ask to be done with the bytes.
async fn persistence_hooks(
    ctx: &Context,
    calling: &Calling,
    trail: &mut Trail,
    worked: &Worked,
) -> Vec<PersistenceStrategy> {
    let mut asked = Vec::new();
    for hook in pre_hooks::matching(ctx, calling, HookEvent::ResultPersistence) {
        let input = trail.inputs.call.clone().unwrap_or_else(|| trail.inputs.model.clone());
        let mut moment = pre_hooks::moment(calling, trail, hook.event, &input);
        moment.output = as_json(&worked.mapped);
        match hooks::run(ctx, trail, &hook, &moment).await {
            Ran::Said(effects) => asked.extend(effects.persistence),
            Ran::Silent => {}
            // A hook that was to protect a result and broke: the result is not passed on.
            Ran::Broke(_) => asked.push(PersistenceStrategy::DropWithReason),
        }
    }
    asked
}

fn filing(trail: &mut Trail, result_id: ResultId) -> Filing {
    let decision_id: PersistenceId = trail.derive_id();
    let owner = trail.session.as_ref().and_then(|session| Owner::new(Arc::clone(session)).ok());
    Filing {
        decision_id,
        invocation_id: trail.invocation,
        result_id,
        at: trail.now(),
        owner: owner.unwrap_or_else(|| Owner::of(trail.invocation)),
        retention: Retention::Session,
    }
}

fn tell(trail: &mut Trail, delivered: &PersistedResult) {
    if !delivered.redacted_fields.is_empty() {
        trail.record(Fact::Redacted { fields: delivered.redacted_fields.clone() });
    }
    trail.record(Fact::Persisted(Box::new(delivered.record.clone())));
}

/// What becomes of a change of the context that the tool asks for.
fn ruled(calling: &Calling, trail: &mut Trail, modifier: &Value, ran_alone: bool) -> Value {
    let supported = calling.tool.definition.execution.supports_context_modifiers == Some(true);
    let by_tool = (!supported).then_some(ContextModifierPolicy::Forbid);
    match rule(calling.place.context_modifiers(), by_tool, ran_alone) {
        ContextRuling::Apply => json!({"modifier": modifier, "ruling": "apply"}),
        ContextRuling::Defer => json!({"modifier": modifier, "ruling": "defer"}),
        ContextRuling::Reject(refusal) => {
            let message = format!("the change of the context is not made: {refusal}");
            trail.warnings.push(crate::executor::Failure::new(ErrorClass::CapabilityGap, message));
            json!({"ruling": "reject", "reason": refusal.to_string()})
        }
    }
}

fn broken(trail: &mut Trail, broke: Broke) -> Persisted {
    let result_id: ResultId = trail.derive_id();
    let mut draft = result::draft(trail, result_id, broke.status);
    draft.cause = cause(broke.failure.class, broke.abort);
    let read_only = trail.scheduler.as_ref().is_some_and(|facts| facts.is_read_only == Some(true));
    let mut error = ErrorDraft::from(trail.scrub_failure(broke.failure));
    error.repeatable = read_only;
    error.needed_approval = trail.approved.is_some();
    draft.error = Some(error);
    finished(trail, draft, None)
}

fn cause(class: ErrorClass, abort: Option<Abort>) -> Cause {
    Cause { class: Some(class), abort, ..Cause::default() }
}

fn finished(trail: &mut Trail, draft: ResultDraft, modifier: Option<Value>) -> Persisted {
    let status = draft.end.into();
    let mut draft = draft;
    draft.warnings =
        std::mem::take(&mut trail.warnings).into_iter().map(ErrorDraft::from).collect();
    let mut result = draft.assemble();
    if let Some(modifier) = modifier {
        result.extra.extend(Object::from([("context_modifier".to_owned(), modifier)]));
    }
    result::annotate(trail, &mut result);
    Persisted { status, result: Arc::new(result) }
}
