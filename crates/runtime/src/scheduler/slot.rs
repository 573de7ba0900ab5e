//! The slot of a call: how it waits until it may run, and until its result may be released.

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

/// What a call needs to run, given its actual input.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Needs {
    /// Whether it may run concurrently with other calls of its batch.
    pub(crate) concurrency_safe: bool,
    /// The resources that it locks. If a key occurs twice, the stricter mode counts.
    pub(crate) locks: Vec<ResourceLock>,
}

/// The position of a call among the others. Its futures may be dropped at any point.
///
/// Dropping the slot ends the call as canceled and releases its result, so that no other call waits for it.
/// Only a [`Turn`] that still exists keeps its capacity and locks.
pub(crate) struct Slot {
    stage: Stage,
    standing: Standing,
    /// The dependencies in other batches.
    awaited: Option<Box<Awaited>>,
}

/// Calls of other batches that have to end first.
struct Awaited {
    calls: Vec<Arc<Control>>,
    /// What their failure does to this call.
    siblings: SiblingFailurePolicy,
}

enum Standing {
    Alone { shared: Arc<Shared>, control: Arc<Control> },
    Member(Seat),
}

/// The right to run, with all locks. Dropping it releases them and admits the next calls.
///
/// It does not borrow from its slot: work that continues after its call was given up keeps its turn, and with
/// it excludes the calls that must not run concurrently.
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

    /// Makes the call wait for calls of other batches as well. None of them may wait for a call of this
    /// batch.
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

    /// Waits until the call may run: for the calls before it as the policy says, for its dependencies, for
    /// its locks and for capacity.
    ///
    /// A call has one turn at a time: entering while there is one waits for its end. An attempt that is
    /// repeated should keep the turn; entering again excludes the same calls, but may come after calls that
    /// the model wrote later.
    ///
    /// # Errors
    /// Why the call must stop, if it must. No turn was used then.
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

    /// Sets how the call ended, before the result is delivered: calls that depend on it continue, or are
    /// canceled. Only the first end counts.
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

    /// Waits until the result may be released. The turn must not be held meanwhile, because calls before
    /// this one may need its locks.
    pub(crate) async fn my_turn_to_deliver(&self) {
        if let Standing::Member(seat) = &self.standing {
            seat.my_turn_to_deliver().await;
        }
    }

    /// Why the call should stop; `None` if it should not.
    pub(crate) fn aborted(&self) -> Option<AbortReason> {
        self.control().aborted()
    }

    /// Returns `true` if the result may be released now.
    #[must_use]
    pub(crate) fn is_my_turn(&self) -> bool {
        match &self.standing {
            Standing::Alone { .. } => true,
            Standing::Member(seat) => seat.may_deliver(),
        }
    }

    /// Returns `true` if progress must wait until the results before this one are released.
    #[must_use]
    pub(crate) fn holds_progress(&self) -> bool {
        match &self.standing {
            Standing::Alone { .. } => false,
            Standing::Member(seat) => seat.policy().is_all_ordered() && !seat.may_deliver(),
        }
    }

    /// Notes that the result was released.
    pub(crate) fn delivered(&self) {
        self.stage.advance(QueueState::Yielded);
        if let Standing::Member(seat) = &self.standing {
            seat.deliver();
        }
    }

    /// Returns `true` if no other call of the batch ran at the same time. Final once the turn is dropped.
    #[must_use]
    pub(crate) fn runs_alone(&self) -> bool {
        match &self.standing {
            Standing::Alone { .. } => true,
            Standing::Member(seat) => seat.ran_alone(),
        }
    }

    /// Returns `true` if results are released in the model's order, so that delivery is a step of its own.
    #[must_use]
    pub(crate) fn is_ordered(&self) -> bool {
        match &self.standing {
            Standing::Alone { .. } => false,
            Standing::Member(seat) => seat.policy().is_ordered(),
        }
    }

    /// What an interruption does under the policy of the batch; `None` for a call without a batch.
    #[must_use]
    pub(crate) fn interrupt(&self) -> Option<InterruptBehavior> {
        match &self.standing {
            Standing::Alone { .. } => None,
            Standing::Member(seat) => Some(seat.policy().interrupt),
        }
    }

    /// Whether the call may change the context.
    #[must_use]
    pub(crate) fn context_modifiers(&self) -> ContextModifierPolicy {
        match &self.standing {
            // No other call can change the context at the same time.
            Standing::Alone { .. } => ContextModifierPolicy::AllowSerialOnly,
            Standing::Member(seat) => seat.policy().context_modifiers,
        }
    }

    /// The id of the batch's policy; `None` for a call without a batch.
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
