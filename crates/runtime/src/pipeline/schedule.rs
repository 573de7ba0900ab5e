//! Stage 8: when is its turn? The permission is settled before, so that a question to a person never takes up
//! capacity that another call could use.

use std::{future::ready, pin::pin, sync::Arc};

use assent_protocol::{
    agent_tool::{ContextModifierPolicy, InvocationStatus, SchedulerFacts},
    wire::Loose,
};

use super::{
    Calling, Stage, Stop, Trail,
    permission::{Permit, Permitted},
};
use crate::{
    catalog::SafetyFacts,
    scheduler::{Needs, Turn},
};

/// A call whose turn it is.
pub(crate) struct Admitted {
    pub(crate) calling: Calling,
    pub(crate) permit: Permit,
    pub(crate) safety: SafetyFacts,
    /// The right to run now; dropping it admits the next call.
    pub(crate) turn: Turn,
}

pub(crate) async fn run(call: Permitted, trail: &mut Trail) -> Result<Admitted, Stop> {
    let Permitted { calling, permit, safety } = call;
    trail.scheduler = Some(Arc::new(facts(&calling, &safety)));
    trail.enter(InvocationStatus::Queued);
    let needs = Needs {
        concurrency_safe: safety.concurrency_safe,
        locks: calling.tool.definition.locks.clone(),
    };
    let entered = {
        let mut entering = pin!(calling.slot.enter(needs));
        let immediate = tokio::select! {
            biased;
            entered = entering.as_mut() => Some(entered),
            () = ready(()) => None,
        };
        match immediate {
            Some(entered) => entered,
            None => {
                // Subscribers of the journal see that the call is queued.
                trail.flush();
                let entered = entering.await;
                trail.update_time();
                entered
            }
        }
    };
    match entered {
        Ok(turn) => Ok(Admitted { calling, permit, safety, turn }),
        Err(reason) => Err(trail.stopped(Stage::Schedule, reason)),
    }
}

/// The facts on which scheduling is based, for the record.
fn facts(calling: &Calling, safety: &SafetyFacts) -> SchedulerFacts {
    let tool = &calling.tool;
    let mut facts = SchedulerFacts::default();
    facts.is_concurrency_safe = Some(safety.concurrency_safe);
    facts.is_read_only = Some(safety.read_only);
    facts.is_destructive = Some(safety.destructive);
    facts.is_open_world = Some(safety.open_world);
    facts.requires_exclusive_context = Some(!safety.concurrency_safe);
    facts.interrupt_behavior = tool.interrupt.map(Into::into);
    facts.context_modifier_policy = Some(context_modifiers(calling).into());
    let locks = &tool.definition.locks;
    if !locks.is_empty() {
        facts.resource_locks = Some(locks.iter().cloned().map(Loose::Typed).collect());
    }
    facts
}

/// What happens to changes of the context that the call requests.
pub(super) fn context_modifiers(calling: &Calling) -> ContextModifierPolicy {
    let is_supported = calling.tool.definition.execution.supports_context_modifiers == Some(true);
    if is_supported { calling.slot.context_modifiers() } else { ContextModifierPolicy::Forbid }
}
