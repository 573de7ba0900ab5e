//! How the calls of a batch are scheduled: `tool_scheduler_policy`, checked.

use std::{num::NonZeroUsize, sync::Arc};

use assent_ids::SchedulerPolicyId;
use assent_protocol::{
    agent_tool::{
        ContextModifierPolicy, InterruptBehavior, OrderingPolicy, SiblingFailurePolicy,
        ToolSchedulerPolicy, YieldPolicy,
    },
    wire::Count,
};

/// The default number of calls of a batch that run at once.
const DEFAULT_PARALLEL: NonZeroUsize = NonZeroUsize::MIN.saturating_add(7);

/// How the calls of a batch are scheduled.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SchedulerPolicy {
    /// The id of the policy.
    pub id: Arc<SchedulerPolicyId>,
    /// The number of calls of the batch that may run at once; one if the ordering is `serial`.
    pub max_parallel: NonZeroUsize,
    /// The order in which results are released.
    pub ordering: OrderingPolicy,
    /// When results are released; see [`SchedulerPolicy::yielding_of`].
    pub yielding: YieldPolicy,
    /// What an interruption does to calls whose tools do not say.
    pub interrupt: InterruptBehavior,
    /// What a failed call does to the others.
    pub siblings: SiblingFailurePolicy,
    /// Whether calls may change the context.
    pub context_modifiers: ContextModifierPolicy,
}

/// Why a policy is invalid.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum PolicyProblem {
    /// Results cannot be released both in order and immediately.
    #[error(
        "the yield policy `{}` contradicts the ordering policy `{}`: choose `{}` to let results out \
         of order",
        YieldPolicy::UnorderedStreaming,
        OrderingPolicy::PreserveTerminalOrder,
        OrderingPolicy::AllowUnordered
    )]
    UnorderedStreaming,
}

impl SchedulerPolicy {
    /// The standard policy under another id.
    #[must_use]
    pub fn standard(id: Arc<SchedulerPolicyId>) -> Self {
        let ordering = OrderingPolicy::PreserveTerminalOrder;
        Self {
            id,
            max_parallel: DEFAULT_PARALLEL,
            ordering,
            yielding: Self::yielding_of(ordering),
            interrupt: InterruptBehavior::Block,
            siblings: SiblingFailurePolicy::CancelDependent,
            context_modifiers: ContextModifierPolicy::AllowSerialOnly,
        }
    }

    /// When results are released if only their order is stated.
    #[must_use]
    pub const fn yielding_of(ordering: OrderingPolicy) -> YieldPolicy {
        match ordering {
            OrderingPolicy::PreserveTerminalOrder => YieldPolicy::ProgressImmediateResultsOrdered,
            OrderingPolicy::AllowUnordered => YieldPolicy::UnorderedStreaming,
            OrderingPolicy::Serial => YieldPolicy::AllOrdered,
        }
    }

    /// Checks and normalizes the policy: a serial policy releases everything in order and runs one call at a
    /// time.
    ///
    /// # Errors
    /// If it contradicts itself.
    pub fn check(mut self) -> Result<Self, PolicyProblem> {
        match (self.ordering, self.yielding) {
            (OrderingPolicy::Serial, _) => {
                self.yielding = YieldPolicy::AllOrdered;
                self.max_parallel = NonZeroUsize::MIN;
                Ok(self)
            }
            (OrderingPolicy::PreserveTerminalOrder, YieldPolicy::UnorderedStreaming) => {
                Err(PolicyProblem::UnorderedStreaming)
            }
            (OrderingPolicy::PreserveTerminalOrder | OrderingPolicy::AllowUnordered, _) => Ok(self),
        }
    }

    /// Returns `true` if every call waits for the one before it.
    #[must_use]
    pub fn is_serial(&self) -> bool {
        self.ordering == OrderingPolicy::Serial
    }

    /// Returns `true` if results are released in the model's order.
    #[must_use]
    pub fn is_ordered(&self) -> bool {
        // Of a policy that was not checked, the stricter statement counts.
        self.ordering != OrderingPolicy::AllowUnordered
            || self.yielding != YieldPolicy::UnorderedStreaming
    }

    /// Returns `true` if progress is released in the model's order as well.
    #[must_use]
    pub fn is_all_ordered(&self) -> bool {
        self.is_serial() || self.yielding == YieldPolicy::AllOrdered
    }

    /// The policy of a record; `None` if the record is incomplete or contradicts itself.
    #[must_use]
    pub fn recorded(record: &ToolSchedulerPolicy) -> Option<Self> {
        let policy = Self {
            id: Arc::new(record.scheduler_policy_id.strict().ok()?),
            max_parallel: NonZeroUsize::new(usize::try_from(record.max_parallel?.0).ok()?)?,
            ordering: record.ordering_policy?,
            yielding: record.yield_policy?,
            interrupt: record.interrupt_behavior?,
            siblings: record.sibling_failure_policy?,
            context_modifiers: record.context_modifier_policy?,
        };
        policy.check().ok()
    }

    /// The policy as a record of the standard.
    #[must_use]
    pub fn record(&self) -> ToolSchedulerPolicy {
        let mut record = ToolSchedulerPolicy::new(&*self.id);
        record.max_parallel = u64::try_from(self.max_parallel.get()).ok().map(Count);
        record.ordering_policy = Some(self.ordering);
        record.yield_policy = Some(self.yielding);
        record.interrupt_behavior = Some(self.interrupt);
        record.sibling_failure_policy = Some(self.siblings);
        record.context_modifier_policy = Some(self.context_modifiers);
        record
    }
}

impl Default for SchedulerPolicy {
    fn default() -> Self {
        #[expect(clippy::expect_used, reason = "the text never changes, and a test reads it")]
        let id = "standard".parse().expect("the name of the standard policy is an id");
        Self::standard(Arc::new(id))
    }
}

#[cfg(test)]
mod tests;
