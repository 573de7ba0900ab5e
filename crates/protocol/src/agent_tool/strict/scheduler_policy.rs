//! What a scheduler policy must keep.

use super::{Checker, Problem, Strict};
use crate::agent_tool::{OrderingPolicy, ToolSchedulerPolicy, YieldPolicy};

impl Strict for ToolSchedulerPolicy {
    fn problems(&self) -> Vec<Problem> {
        let mut check = Checker::default();
        check.version(&self.schema_version);
        check.id("scheduler_policy_id", &self.scheduler_policy_id);
        if let Some(parallel) = self.max_parallel {
            check.demand(parallel.0 >= 1, "max_parallel", "it must be at least 1");
        }
        if let (Some(ordering), Some(yielding)) = (self.ordering_policy, self.yield_policy) {
            check.demand(
                agree(ordering, yielding),
                "yield_policy",
                &format!("`{yielding}` contradicts the ordering `{ordering}`"),
            );
        }
        for (at, lock) in check.all_typed("resource_locks", self.resource_locks.as_ref()) {
            check.text(&format!("resource_locks/{at}/key"), &lock.key);
        }
        check.done()
    }
}

/// Whether results can come out at these times and in that order.
fn agree(ordering: OrderingPolicy, yielding: YieldPolicy) -> bool {
    match ordering {
        OrderingPolicy::Serial => yielding == YieldPolicy::AllOrdered,
        OrderingPolicy::PreserveTerminalOrder => yielding != YieldPolicy::UnorderedStreaming,
        OrderingPolicy::AllowUnordered => true,
    }
}
