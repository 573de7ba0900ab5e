//! How calls run beside and after each other.

use std::num::NonZeroU32;

use assent_protocol::agent_tool::{
    ContextModifierPolicy, InterruptBehavior, OrderingPolicy, SiblingFailurePolicy, YieldPolicy,
};

/// The words of the standard's scheduler policy. What is not said is left to the runtime.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Scheduler {
    /// How many calls may run at once.
    pub max_parallel: Option<NonZeroU32>,
    /// In which order results come out.
    pub ordering_policy: Option<OrderingPolicy>,
    /// When results come out.
    pub yield_policy: Option<YieldPolicy>,
    /// What an interruption does.
    pub interrupt_behavior: Option<InterruptBehavior>,
    /// What a failed call does to the others.
    pub sibling_failure_policy: Option<SiblingFailurePolicy>,
    /// Whether calls may change the context.
    pub context_modifier_policy: Option<ContextModifierPolicy>,
}
