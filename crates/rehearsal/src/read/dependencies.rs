//! Dependencies between calls: never on a later batch, and never in a cycle.

use std::collections::{BTreeMap, BTreeSet};

use assent_document::{Location, Node};
use assent_ids::CallId;

/// The dependencies of all calls of a file.
#[derive(Debug, Default)]
pub(super) struct Dependencies {
    batches: BTreeMap<CallId, u32>,
    edges: Vec<Edge>,
}

#[derive(Debug)]
struct Edge {
    waits: CallId,
    for_call: CallId,
    location: Location,
}

impl Dependencies {
    /// Notes in which batch a call runs.
    pub(super) fn runs_in(&mut self, call: &CallId, batch: u32) {
        self.batches.insert(call.clone(), batch);
    }

    /// Notes that a call waits for another one.
    pub(super) fn waits(&mut self, waits: &CallId, for_call: &CallId, location: Location) {
        self.edges.push(Edge { waits: waits.clone(), for_call: for_call.clone(), location });
    }

    pub(super) fn check(&self, node: &Node<'_>) {
        let mut within_batch = Vec::new();
        for edge in &self.edges {
            // A call that is not there was reported already.
            let batch = |call: &CallId| self.batches.get(call).copied();
            let (Some(own), Some(other)) = (batch(&edge.waits), batch(&edge.for_call)) else {
                continue;
            };
            if other > own {
                let message = format!(
                    "`{}` runs in batch {own} and cannot wait for `{}` in batch {other}",
                    edge.waits, edge.for_call
                );
                node.problem_at_location(&edge.location, message);
            } else if other == own {
                within_batch.push(edge);
            }
        }
        report_cycle(&within_batch, node);
    }
}

/// Reports calls that wait for each other.
fn report_cycle(edges: &[&Edge], node: &Node<'_>) {
    let cycle =
        without_ends(without_ends(edges.to_vec(), |edge| (&edge.waits, &edge.for_call)), |edge| {
            (&edge.for_call, &edge.waits)
        });
    let Some(first) = cycle.first() else { return };
    let calls: BTreeSet<&str> = cycle.iter().map(|edge| edge.waits.as_str()).collect();
    let calls: Vec<&str> = calls.into_iter().collect();
    let message = match calls.as_slice() {
        [call] => format!("`{call}` waits for itself"),
        _ => {
            let calls = assent_json::shorten(&calls.join("`, `"), 200);
            format!("none of these calls can start, for each waits for another: `{calls}`")
        }
    };
    node.problem_at_location(&first.location, message);
}

/// Repeatedly removes the edges to a call that has no outgoing edge. The edges that are left are on a
/// cycle or lead into one.
fn without_ends<'e>(
    edges: Vec<&'e Edge>,
    direction: impl Fn(&'e Edge) -> (&'e CallId, &'e CallId),
) -> Vec<&'e Edge> {
    let mut going_on: BTreeMap<&CallId, usize> = BTreeMap::new();
    let mut leading_to: BTreeMap<&CallId, Vec<&CallId>> = BTreeMap::new();
    for edge in &edges {
        let (from, to) = direction(edge);
        *going_on.entry(from).or_default() += 1;
        going_on.entry(to).or_default();
        leading_to.entry(to).or_default().push(from);
    }
    let mut ends: Vec<&CallId> =
        going_on.iter().filter(|(_, edges)| **edges == 0).map(|(call, _)| *call).collect();
    let mut removed = BTreeSet::new();
    while let Some(end) = ends.pop() {
        removed.insert(end);
        for from in leading_to.remove(end).unwrap_or_default() {
            if let Some(left) = going_on.get_mut(from) {
                *left -= 1;
                if *left == 0 {
                    ends.push(from);
                }
            }
        }
    }
    edges
        .into_iter()
        .filter(|edge| !removed.contains(direction(edge).1) && !removed.contains(direction(edge).0))
        .collect()
}
