//! Stage 9: run it. Looked at once more before: is everything still as it was when it was allowed?

mod attempt;
mod retry;
mod verify;

use assent_journal::{Fact, JournalError};
use assent_protocol::agent_tool::{
    AbortReason, ArtifactRef, ErrorClass, InvocationStatus, TerminalStatus,
};

use super::{Calling, Context, Stage, Stop, Trail, schedule::Admitted};
use crate::{
    catalog::SafetyFacts,
    executor::{Failure, Output},
    results::PERMISSION_USED_UP,
};

/// A call that has run.
pub(crate) struct Executed {
    pub(crate) calling: Calling,
    pub(crate) outcome: Outcome,
    /// Whether it was the only call of its batch while it ran.
    pub(crate) ran_alone: bool,
}

/// What came of running a tool.
#[derive(Debug)]
pub(crate) enum Outcome {
    /// It gave this back.
    Returned(Output),
    /// It broke.
    Failed(Failure),
    /// It took longer than its timeout.
    TimedOut {
        /// What earlier attempts made.
        artifacts: Vec<ArtifactRef>,
    },
    /// It was stopped.
    Aborted {
        /// Why.
        reason: AbortReason,
        /// Whether the executor said that it stops.
        acknowledged: bool,
        /// What was made before.
        artifacts: Vec<ArtifactRef>,
    },
}

impl Outcome {
    fn artifacts(&mut self) -> &mut Vec<ArtifactRef> {
        match self {
            Self::Returned(output) => &mut output.artifacts,
            Self::Failed(failure) => &mut failure.artifacts,
            Self::TimedOut { artifacts } | Self::Aborted { artifacts, .. } => artifacts,
        }
    }

    /// Adds what earlier attempts made.
    fn after(mut self, earlier: Vec<ArtifactRef>) -> Self {
        self.artifacts().splice(0..0, earlier);
        self
    }
}

pub(crate) async fn run(
    ctx: &Context,
    call: Admitted,
    trail: &mut Trail,
) -> Result<Executed, Stop> {
    if let Some(reason) = call.calling.control.aborted() {
        return Err(trail.stopped(Stage::Execute, reason));
    }
    verify::unchanged(ctx, &call, trail)?;
    start(ctx, &call, trail).await?;
    let Admitted { calling, permit, safety, turn } = call;
    let outcome = attempts(ctx, &calling, &permit, &safety, trail).await;
    drop(turn);
    let ran_alone = calling.slot.runs_alone();
    Ok(Executed { calling, outcome, ran_alone })
}

/// Makes it durable that the call runs now, and uses up what it runs on. Only then does it run.
async fn start(ctx: &Context, call: &Admitted, trail: &mut Trail) -> Result<(), Stop> {
    let before = trail.status();
    trail.enter(InvocationStatus::Running);
    let state = trail.state_while_running(&call.calling.tool);
    match trail.commit(call.permit.claims(), Some(state)).await {
        Ok(()) => {
            if let Some(grant) = call.permit.grant() {
                ctx.count_use(grant);
            }
            Ok(())
        }
        Err(JournalError::Claimed { .. }) => {
            trail.take_back(before);
            Err(Stop::new(
                Stage::Execute,
                TerminalStatus::Blocked,
                ErrorClass::PermissionDenied,
                "the permission has been used up by another call: ask again",
            )
            .coded(PERMISSION_USED_UP))
        }
        Err(error) => {
            trail.take_back(before);
            Err(Stop::unrecorded(Stage::Execute, &error))
        }
    }
}

async fn attempts(
    ctx: &Context,
    calling: &Calling,
    permit: &super::permission::Permit,
    safety: &SafetyFacts,
    trail: &mut Trail,
) -> Outcome {
    trail.executed = true;
    let mut artifacts = Vec::new();
    loop {
        trail.attempts += 1;
        if trail.attempts > 1 {
            trail.record(Fact::Retried { attempt: trail.attempts });
            trail.flush();
        }
        let mut outcome = attempt::run(ctx, calling, permit, trail).await;
        let pause = retry::pause(&outcome, calling, safety, trail.attempts, trail.now());
        let Some(pause) = pause else { return outcome.after(artifacts) };
        artifacts.append(outcome.artifacts());
        let wanted = tokio::select! {
            biased;
            reason = Box::pin(calling.control.aborting()) => Some(reason),
            () = Box::pin(tokio::time::sleep(pause)) => None,
        };
        trail.update_time();
        if let Some(reason) = wanted {
            // Nothing runs now, so it is stopped whatever the tool supports.
            trail.cancel_requested(reason);
            trail.cancel_acknowledged();
            return Outcome::Aborted { reason, acknowledged: true, artifacts };
        }
    }
}
