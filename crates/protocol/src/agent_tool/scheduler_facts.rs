//! What the scheduler knows of one call: the `scheduler` object of an invocation, which is an extension.
//!
//! <https://github.com/limecloud/agenttool/blob/1394c4f/docs/en/contracts/concurrency-and-scheduling.md>

use serde::{Deserialize, Serialize};
use serde_json::Value;

use super::{ContextModifierPolicy, InterruptBehavior, ResourceLock};
use crate::wire::{Loose, Object, Open, present, words};

/// The facts of one call, for its actual input.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[non_exhaustive]
pub struct SchedulerFacts {
    /// Whether it may run concurrently with other calls.
    #[serde(default, deserialize_with = "present", skip_serializing_if = "Option::is_none")]
    pub is_concurrency_safe: Option<bool>,
    /// Whether it changes nothing.
    #[serde(default, deserialize_with = "present", skip_serializing_if = "Option::is_none")]
    pub is_read_only: Option<bool>,
    /// Whether it may destroy data.
    #[serde(default, deserialize_with = "present", skip_serializing_if = "Option::is_none")]
    pub is_destructive: Option<bool>,
    /// Whether it interacts with systems that are not known in advance.
    #[serde(default, deserialize_with = "present", skip_serializing_if = "Option::is_none")]
    pub is_open_world: Option<bool>,
    /// Whether it needs the context for itself.
    #[serde(default, deserialize_with = "present", skip_serializing_if = "Option::is_none")]
    pub requires_exclusive_context: Option<bool>,
    /// Whether it may change the context.
    #[serde(default, deserialize_with = "present", skip_serializing_if = "Option::is_none")]
    pub context_modifier_policy: Option<Open<ContextModifierPolicy>>,
    /// What an interruption does to it.
    #[serde(default, deserialize_with = "present", skip_serializing_if = "Option::is_none")]
    pub interrupt_behavior: Option<Open<InterruptBehavior>>,
    /// What it locks.
    #[serde(default, deserialize_with = "present", skip_serializing_if = "Option::is_none")]
    pub resource_locks: Option<Vec<Loose<ResourceLock, Value>>>,
    /// Where it is in the queue.
    #[serde(default, deserialize_with = "present", skip_serializing_if = "Option::is_none")]
    pub queue_state: Option<Open<QueueState>>,
    /// Fields that this version does not know.
    #[serde(flatten)]
    pub extra: Object,
}

words! {
    /// Where a call is in the queue. This is the scheduler's view, not the status of the call.
    QueueState {
        /// Waiting.
        Queued = "queued",
        /// Running.
        Executing = "executing",
        /// Done, not yet passed on.
        Completed = "completed",
        /// Passed on.
        Yielded = "yielded",
        /// Thrown away.
        Discarded = "discarded",
    }
}
