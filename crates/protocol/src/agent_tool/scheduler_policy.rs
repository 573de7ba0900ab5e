//! `tool_scheduler_policy`: how the calls of a batch run beside and after each other.
//!
//! <https://github.com/limecloud/agenttool/blob/1394c4f/docs/en/contracts/concurrency-and-scheduling.md>

use std::borrow::Cow;

use assent_ids::{Lax, SchedulerPolicyId};
use serde::{Deserialize, Serialize};

use super::{Record, RecordKind, ResourceLock, SCHEMA_VERSION};
use crate::wire::{Count, Loose, Object, present, words};

/// Concurrency, order, interruption and failure within a batch.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[non_exhaustive]
pub struct ToolSchedulerPolicy {
    /// The version of the standard that the record follows.
    pub schema_version: Cow<'static, str>,
    /// Which policy this is.
    pub scheduler_policy_id: Lax<SchedulerPolicyId>,
    /// What it applies to.
    #[serde(default, deserialize_with = "present", skip_serializing_if = "Option::is_none")]
    pub scope: Option<String>,
    /// How many calls may run at once.
    #[serde(default, deserialize_with = "present", skip_serializing_if = "Option::is_none")]
    pub max_parallel: Option<Count>,
    /// In which order results come out.
    #[serde(default, deserialize_with = "present", skip_serializing_if = "Option::is_none")]
    pub ordering_policy: Option<OrderingPolicy>,
    /// When results come out.
    #[serde(default, deserialize_with = "present", skip_serializing_if = "Option::is_none")]
    pub yield_policy: Option<YieldPolicy>,
    /// What an interruption does.
    #[serde(default, deserialize_with = "present", skip_serializing_if = "Option::is_none")]
    pub interrupt_behavior: Option<InterruptBehavior>,
    /// What a failed call does to the others.
    #[serde(default, deserialize_with = "present", skip_serializing_if = "Option::is_none")]
    pub sibling_failure_policy: Option<SiblingFailurePolicy>,
    /// Whether calls may change the context.
    #[serde(default, deserialize_with = "present", skip_serializing_if = "Option::is_none")]
    pub context_modifier_policy: Option<ContextModifierPolicy>,
    /// What calls must not use at the same time.
    #[serde(default, deserialize_with = "present", skip_serializing_if = "Option::is_none")]
    pub resource_locks: Option<Vec<Loose<ResourceLock>>>,
    /// Fields that this version does not know.
    #[serde(flatten)]
    pub extra: Object,
}

impl ToolSchedulerPolicy {
    /// Creates a value with the required fields only.
    #[must_use]
    pub fn new(scheduler_policy_id: impl Into<Lax<SchedulerPolicyId>>) -> Self {
        Self {
            schema_version: Cow::Borrowed(SCHEMA_VERSION),
            scheduler_policy_id: scheduler_policy_id.into(),
            scope: None,
            max_parallel: None,
            ordering_policy: None,
            yield_policy: None,
            interrupt_behavior: None,
            sibling_failure_policy: None,
            context_modifier_policy: None,
            resource_locks: None,
            extra: Object::new(),
        }
    }
}

impl Record for ToolSchedulerPolicy {
    const KIND: RecordKind = RecordKind::ToolSchedulerPolicy;
}

words! {
    /// In which order results come out.
    OrderingPolicy {
        /// In the order in which the model asked.
        PreserveTerminalOrder = "preserve_terminal_order",
        /// In any order.
        AllowUnordered = "allow_unordered",
        /// One call after the other.
        Serial = "serial",
    }
}

words! {
    /// When results come out.
    YieldPolicy {
        /// Progress at once, results in order.
        ProgressImmediateResultsOrdered = "progress_immediate_results_ordered",
        /// Everything in order.
        AllOrdered = "all_ordered",
        /// Everything at once.
        UnorderedStreaming = "unordered_streaming",
    }
}

words! {
    /// What an interruption does to a running call.
    InterruptBehavior {
        /// It is stopped.
        Cancel = "cancel",
        /// It ends by itself, and what comes next waits.
        Block = "block",
    }
}

words! {
    /// What a failed call does to the others of its batch.
    SiblingFailurePolicy {
        /// Nothing.
        Ignore = "ignore",
        /// All others are canceled.
        CancelSiblings = "cancel_siblings",
        /// Those that depend on it are canceled.
        CancelDependent = "cancel_dependent",
    }
}

words! {
    /// Whether calls may change the context of the conversation.
    ContextModifierPolicy {
        /// Only when a call runs alone.
        AllowSerialOnly = "allow_serial_only",
        /// After the batch, in the model's order.
        DeferUntilBatchComplete = "defer_until_batch_complete",
        /// Never.
        Forbid = "forbid",
    }
}
