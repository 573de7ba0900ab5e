//! The order in which the calls of a batch run: the model's, unless calls depend on later ones.

use std::{
    cmp::Reverse,
    collections::{BTreeMap, BinaryHeap},
    sync::Arc,
};

use assent_ids::InvocationId;

use crate::control::Control;

/// The maximum number of calls in a batch.
pub(crate) const MAX_CALLS: usize = 10_000;

/// A call of a batch.
#[derive(Clone, Debug)]
pub(crate) struct Member {
    /// The id of the call.
    pub(crate) invocation: InvocationId,
    /// Carries requests to stop the call.
    pub(crate) control: Arc<Control>,
    /// The calls that must have ended before it runs. Those of other batches are ignored here, see
    /// [`super::Slot::after`].
    pub(crate) depends_on: Vec<InvocationId>,
}

/// Why calls cannot be scheduled together.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum BatchProblem {
    /// Too many calls.
    #[error("a batch has at most {MAX_CALLS} calls, this one has {calls}")]
    TooManyCalls {
        /// The number of calls.
        calls: usize,
    },
    /// A call occurs twice.
    #[error("`{invocation}` is in the batch twice")]
    Twice {
        /// The call.
        invocation: InvocationId,
    },
    /// A call depends on itself, directly or indirectly.
    #[error("`{invocation}` depends on itself, directly or through other calls")]
    Circle {
        /// The first call, in the model's order, that could never run.
        invocation: InvocationId,
    },
}

/// The order of running. The rank of a call is its position in it.
#[derive(Debug)]
pub(super) struct Arrangement {
    /// The rank of each call, by position in the model's order.
    pub(super) ranks: Vec<usize>,
    /// The dependents of each call, by rank.
    pub(super) dependents: Vec<Vec<usize>>,
    /// The number of dependencies of each call, by rank.
    pub(super) dependencies: Vec<usize>,
}

/// The order closest to the model's in which every call comes after its dependencies.
pub(super) fn arrange(calls: &[Member]) -> Result<Arrangement, BatchProblem> {
    if calls.len() > MAX_CALLS {
        return Err(BatchProblem::TooManyCalls { calls: calls.len() });
    }
    let dependencies = dependencies(calls, &positions(calls)?);
    let ranks = ranks(calls, &dependencies)?;
    let mut arrangement = Arrangement {
        dependents: vec![Vec::new(); calls.len()],
        dependencies: vec![0; calls.len()],
        ranks,
    };
    for (&rank, needed) in arrangement.ranks.iter().zip(&dependencies) {
        if let Some(count) = arrangement.dependencies.get_mut(rank) {
            *count = needed.len();
        }
        for needed in needed.iter().filter_map(|&position| arrangement.ranks.get(position)) {
            if let Some(waiting) = arrangement.dependents.get_mut(*needed) {
                waiting.push(rank);
            }
        }
    }
    Ok(arrangement)
}

fn positions(calls: &[Member]) -> Result<BTreeMap<InvocationId, usize>, BatchProblem> {
    let mut positions = BTreeMap::new();
    for (position, call) in calls.iter().enumerate() {
        if positions.insert(call.invocation, position).is_some() {
            return Err(BatchProblem::Twice { invocation: call.invocation });
        }
    }
    Ok(positions)
}

/// The positions of the dependencies of each call, each once.
fn dependencies(calls: &[Member], positions: &BTreeMap<InvocationId, usize>) -> Vec<Vec<usize>> {
    let within = |call: &Member| {
        let mut found: Vec<_> =
            call.depends_on.iter().filter_map(|id| positions.get(id).copied()).collect();
        found.sort_unstable();
        found.dedup();
        found
    };
    calls.iter().map(within).collect()
}

/// Repeatedly takes the first call in the model's order without unfinished dependencies.
fn ranks(calls: &[Member], dependencies: &[Vec<usize>]) -> Result<Vec<usize>, BatchProblem> {
    let mut missing: Vec<_> = dependencies.iter().map(Vec::len).collect();
    let mut dependents = vec![Vec::new(); calls.len()];
    for (position, needed) in dependencies.iter().enumerate() {
        for &needed in needed {
            if let Some(waiting) = dependents.get_mut(needed) {
                waiting.push(position);
            }
        }
    }
    let free = missing.iter().enumerate().filter(|(_, missing)| **missing == 0);
    let mut free: BinaryHeap<_> = free.map(|(position, _)| Reverse(position)).collect();
    let mut ranks = vec![None; calls.len()];
    let mut next = 0;
    while let Some(Reverse(position)) = free.pop() {
        if let Some(rank) = ranks.get_mut(position) {
            *rank = Some(next);
            next += 1;
        }
        for &waiting in dependents.get(position).into_iter().flatten() {
            if let Some(count) = missing.get_mut(waiting) {
                *count -= 1;
                if *count == 0 {
                    free.push(Reverse(waiting));
                }
            }
        }
    }
    let or_circle = |(rank, call): (Option<usize>, &Member)| {
        rank.ok_or(BatchProblem::Circle { invocation: call.invocation })
    };
    ranks.into_iter().zip(calls).map(or_circle).collect()
}

#[cfg(test)]
mod tests;
