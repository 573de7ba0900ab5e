//! The scheduler policy.

use std::num::NonZeroU32;

use assent_protocol::agent_tool::{
    ContextModifierPolicy, InterruptBehavior, OrderingPolicy, SiblingFailurePolicy, YieldPolicy,
};

/// The scheduler policy of the standard. The runtime chooses what is not set.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Scheduler {
    /// The most calls that run at once.
    pub max_parallel: Option<NonZeroU32>,
    /// The order in which results are released.
    pub ordering_policy: Option<OrderingPolicy>,
    /// When results are released.
    pub yield_policy: Option<YieldPolicy>,
    /// What an interruption does.
    pub interrupt_behavior: Option<InterruptBehavior>,
    /// What a failed call does to the others.
    pub sibling_failure_policy: Option<SiblingFailurePolicy>,
    /// Whether calls may change the context.
    pub context_modifier_policy: Option<ContextModifierPolicy>,
}
