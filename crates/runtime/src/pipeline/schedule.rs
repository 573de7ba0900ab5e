//! Stage 8: when is its turn? Permission was settled before, so that a question to a person never
//! holds a place in which another call could run.

use std::pin::pin;

use assent_protocol::{
    agent_tool::{InvocationStatus, SchedulerFacts},
    wire::Loose,
};

use super::{
    Calling, Stage, Stop, Trail,
    permission::{Permit, Permitted},
};
use crate::{
    catalog::{SafetyFacts, Tool},
    poll,
    scheduler::{Needs, Turn},
};

/// A call whose turn it is.
pub(crate) struct Admitted {
    pub(crate) calling: Calling,
    pub(crate) permit: Permit,
    pub(crate) safety: SafetyFacts,
    /// The right to run now; giving it up lets the next one run.
    pub(crate) turn: Turn,
}

pub(crate) async fn run(call: Permitted, trail: &mut Trail) -> Result<Admitted, Stop> {
    let Permitted { calling, permit, safety } = call;
    trail.scheduler = Some(Box::new(facts(&calling.tool, &safety)));
    trail.enter(InvocationStatus::Queued);
    let needs = Needs {
        concurrency_safe: safety.concurrency_safe,
        locks: calling.tool.definition.locks.clone(),
    };
    let entered = {
        let mut entering = pin!(calling.place.enter(needs));
        match poll::at_once(entering.as_mut()).await {
            Some(entered) => entered,
            None => {
                // It has to wait: whoever watches should see that.
                trail.flush();
                entering.await
            }
        }
    };
    match entered {
        Ok(turn) => Ok(Admitted { calling, permit, safety, turn }),
        Err(reason) => Err(trail.stopped(Stage::Schedule, reason)),
    }
}

/// What the scheduler goes by, for the record.
fn facts(tool: &Tool, safety: &SafetyFacts) -> SchedulerFacts {
    let mut facts = SchedulerFacts::default();
    facts.is_concurrency_safe = Some(safety.concurrency_safe);
    facts.is_read_only = Some(safety.read_only);
    facts.is_destructive = Some(safety.destructive);
    facts.is_open_world = Some(safety.open_world);
    facts.requires_exclusive_context = Some(!safety.concurrency_safe);
    facts.interrupt_behavior = tool.interrupt.map(Into::into);
    let locks = &tool.definition.locks;
    if !locks.is_empty() {
        facts.resource_locks = Some(locks.iter().cloned().map(Loose::Typed).collect());
    }
    facts
}
