//! Stage 9: run it, if everything is still as it was when it was allowed.

mod attempt;
mod retry;
mod verify;

use assent_journal::{Fact, JournalError};
use assent_protocol::agent_tool::{
    AbortReason, ArtifactRef, ErrorClass, InvocationStatus, TerminalStatus,
};

use self::verify::Verified;
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
    /// Whether no other call of its batch ran at the same time.
    pub(crate) ran_alone: bool,
}

/// The outcome of running a tool.
#[derive(Debug)]
pub(crate) enum Outcome {
    /// It returned an output.
    Returned(Output),
    /// It failed.
    Failed(Failure),
    /// It took longer than its timeout.
    TimedOut {
        /// The artifacts of earlier attempts.
        artifacts: Vec<ArtifactRef>,
    },
    /// It was stopped.
    Aborted {
        /// The reason for stopping it.
        reason: AbortReason,
        /// Whether the executor acknowledged it.
        acknowledged: bool,
        /// The artifacts that were made before.
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

    /// Adds the artifacts of earlier attempts.
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
    let verified = verify::unchanged(ctx, &call, trail)?;
    start(ctx, &call, trail).await?;
    let Admitted { calling, safety, turn, .. } = call;
    let outcome = attempts(ctx, &calling, &verified, &safety, trail).await;
    drop(turn);
    let ran_alone = calling.slot.runs_alone();
    Ok(Executed { calling, outcome, ran_alone })
}

/// Records durably that the call runs now, and makes its claims.
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
    verified: &Verified,
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
        let mut outcome = attempt::run(ctx, calling, verified, trail).await;
        let pause = retry::pause(&outcome, calling, safety, trail.attempts, trail.now());
        let Some(pause) = pause else { return outcome.after(artifacts) };
        artifacts.append(outcome.artifacts());
        let wanted = tokio::select! {
            biased;
            reason = calling.control.aborting() => Some(reason),
            () = tokio::time::sleep(pause) => None,
        };
        trail.update_time();
        if let Some(reason) = wanted {
            // Nothing runs now, so it can be stopped even if the tool does not support cancellation.
            trail.cancel_requested(reason);
            trail.cancel_acknowledged();
            return Outcome::Aborted { reason, acknowledged: true, artifacts };
        }
    }
}
