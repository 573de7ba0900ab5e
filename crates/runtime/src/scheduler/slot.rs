//! A call's place: how it waits until it may run, and until its result may come out.

use std::{fmt, sync::Arc};

use assent_ids::SchedulerPolicyId;
use assent_protocol::agent_tool::{
    AbortReason, ContextModifierPolicy, InterruptBehavior, QueueState, ResourceLock,
    SiblingFailurePolicy,
};

use super::{
    Ended, Shared,
    alone::{self, CapacityGuard},
    batch::{Running, Seat},
    stage::Stage,
};
use crate::control::Control;

/// What a call needs to run, for its actual input.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Needs {
    /// Whether it may run beside other calls of its batch.
    pub(crate) concurrency_safe: bool,
    /// What it must not use at the same time as others. Of one key asked for twice the stricter mode
    /// counts.
    pub(crate) locks: Vec<ResourceLock>,
}

/// A call's place among the others. Every future of it may be dropped at any point.
///
/// Dropping the place counts as having ended, canceled, and as having delivered, so that nothing waits
/// for a call that is gone. Only a [`Turn`] that is still there keeps what it holds.
pub(crate) struct Slot {
    stage: Stage,
    standing: Standing,
    /// Calls of other batches that it depends on; hardly any call has any.
    awaited: Option<Box<Awaited>>,
}

/// Calls of other batches that have to end first.
struct Awaited {
    calls: Vec<Arc<Control>>,
    /// What their failure means.
    siblings: SiblingFailurePolicy,
}

enum Standing {
    Alone { shared: Arc<Shared>, control: Arc<Control> },
    Member(Seat),
}

/// The right to run, with all locks. Dropping it gives everything back and lets the next ones go.
///
/// It does not borrow from its place: work that goes on after its call was given up keeps its turn, and
/// with it everybody who must not run beside it away.
#[must_use]
pub(crate) struct Turn {
    _held: Holding,
}

enum Holding {
    Alone { _guard: CapacityGuard },
    Member { _running: Running },
}

impl Slot {
    pub(super) fn alone(shared: Arc<Shared>, control: Arc<Control>) -> Self {
        Self::new(Standing::Alone { shared, control })
    }

    pub(super) fn member(seat: Seat) -> Self {
        Self::new(Standing::Member(seat))
    }

    fn new(standing: Standing) -> Self {
        Self { stage: Stage::new(), standing, awaited: None }
    }

    /// Has the call wait for calls of other batches as well. None of them may be waiting for this one or
    /// for another one of its batch.
    #[must_use]
    pub(crate) fn after(
        mut self,
        calls: Vec<Arc<Control>>,
        siblings: SiblingFailurePolicy,
    ) -> Self {
        for call in &calls {
            call.followed_by(self.control(), siblings);
        }
        self.awaited = (!calls.is_empty()).then(|| Box::new(Awaited { calls, siblings }));
        self
    }

    fn control(&self) -> &Arc<Control> {
        match &self.standing {
            Standing::Alone { control, .. } => control,
            Standing::Member(seat) => seat.control(),
        }
    }

    /// Waits for the calls of other batches that have to end first.
    async fn after_others(&self) -> Result<(), AbortReason> {
        let Some(Awaited { calls, siblings }) = self.awaited.as_deref() else { return Ok(()) };
        let control = self.control();
        for call in calls {
            let how = tokio::select! {
                biased;
                reason = control.aborting() => return Err(reason),
                how = call.concluded() => how,
            };
            if how.cancels_dependents(*siblings) {
                control.abort(AbortReason::SiblingError);
            }
        }
        control.aborted().map_or(Ok(()), Err)
    }

    /// Waits until the call may run: for the calls before it as the policy says, for those it depends
    /// on, for its locks and for a slot.
    ///
    /// Enter one at a time. A call has one turn: entering while there is one waits for its end. Whoever
    /// tries a call again should keep the turn; entering again excludes the same calls, but may come
    /// after calls that the model wrote later.
    ///
    /// # Errors
    /// Why the call must stop, if it must, without a turn having been used.
    pub(crate) async fn enter(&self, needs: Needs) -> Result<Turn, AbortReason> {
        self.after_others().await?;
        let holding = match &self.standing {
            Standing::Alone { shared, control } => {
                let guard = alone::enter(shared, control, needs.locks).await?;
                Holding::Alone { _guard: guard }
            }
            Standing::Member(seat) => Holding::Member { _running: seat.enter(needs).await? },
        };
        self.stage.advance(QueueState::Executing);
        Ok(Turn { _held: holding })
    }

    /// Says how the call ended, as soon as that is known and before waiting to deliver: calls that
    /// depend on it go on, or are told to stop. Only the first end counts.
    pub(crate) fn ended(&self, how: Ended) {
        self.stage.advance(match how {
            Ended::Canceled => QueueState::Discarded,
            Ended::Good | Ended::Failed | Ended::TimedOut | Ended::Refused => QueueState::Completed,
        });
        if let Standing::Member(seat) = &self.standing {
            seat.end(how);
        }
        self.control().conclude(how);
    }

    /// Waits until the result may come out. The turn must not be held meanwhile, since calls before
    /// this one may need what it holds.
    pub(crate) async fn my_turn_to_deliver(&self) {
        if let Standing::Member(seat) = &self.standing {
            seat.my_turn_to_deliver().await;
        }
    }

    /// Why somebody wants the call stopped, if anybody does.
    pub(crate) fn aborted(&self) -> Option<AbortReason> {
        self.control().aborted()
    }

    /// Whether the result could come out now, so that it need not be kept.
    #[must_use]
    pub(crate) fn is_my_turn(&self) -> bool {
        match &self.standing {
            Standing::Alone { .. } => true,
            Standing::Member(seat) => seat.may_deliver(),
        }
    }

    /// Whether progress must be kept until the results before this one have come out.
    #[must_use]
    pub(crate) fn holds_progress(&self) -> bool {
        match &self.standing {
            Standing::Alone { .. } => false,
            Standing::Member(seat) => seat.policy().is_all_ordered() && !seat.may_deliver(),
        }
    }

    /// The result has come out.
    pub(crate) fn delivered(&self) {
        self.stage.advance(QueueState::Yielded);
        if let Standing::Member(seat) = &self.standing {
            seat.deliver();
        }
    }

    /// Whether the call ran and no other call of its batch ran meanwhile. Final once the turn is gone.
    #[must_use]
    pub(crate) fn runs_alone(&self) -> bool {
        match &self.standing {
            Standing::Alone { .. } => true,
            Standing::Member(seat) => seat.ran_alone(),
        }
    }

    /// Whether results come out in the model's order, so that delivering is a step of its own.
    #[must_use]
    pub(crate) fn is_ordered(&self) -> bool {
        match &self.standing {
            Standing::Alone { .. } => false,
            Standing::Member(seat) => seat.policy().is_ordered(),
        }
    }

    /// What the policy of the batch says about interruptions; none for a call without a batch.
    #[must_use]
    pub(crate) fn interrupt(&self) -> Option<InterruptBehavior> {
        match &self.standing {
            Standing::Alone { .. } => None,
            Standing::Member(seat) => Some(seat.policy().interrupt),
        }
    }

    /// Whether calls may change the context.
    #[must_use]
    pub(crate) fn context_modifiers(&self) -> ContextModifierPolicy {
        match &self.standing {
            // A call that nothing else belongs to is alone with the context.
            Standing::Alone { .. } => ContextModifierPolicy::AllowSerialOnly,
            Standing::Member(seat) => seat.policy().context_modifiers,
        }
    }

    /// The policy of the batch; none for a call without a batch.
    pub(crate) fn policy(&self) -> Option<&Arc<SchedulerPolicyId>> {
        match &self.standing {
            Standing::Alone { .. } => None,
            Standing::Member(seat) => Some(&seat.policy().id),
        }
    }

    /// Where the call is in the model's order of its batch, from 0.
    #[must_use]
    pub(crate) fn position(&self) -> usize {
        match &self.standing {
            Standing::Alone { .. } => 0,
            Standing::Member(seat) => seat.position(),
        }
    }

    /// Where the call is in the queue. A canceled call stays discarded, although its synthetic result
    /// comes out.
    #[must_use]
    pub(crate) fn queue_state(&self) -> QueueState {
        self.stage.get()
    }
}

impl Drop for Slot {
    fn drop(&mut self) {
        if let Standing::Member(seat) = &self.standing {
            seat.end(Ended::Canceled);
            seat.deliver();
        }
        self.control().conclude(Ended::Canceled);
    }
}

impl fmt::Debug for Slot {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Slot")
            .field("position", &self.position())
            .field("state", &self.queue_state())
            .finish_non_exhaustive()
    }
}

impl fmt::Debug for Turn {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Turn").finish_non_exhaustive()
    }
}
