//! The batches of calls that a crash interrupted.

use std::collections::{BTreeMap, BTreeSet};

use assent_ids::{BatchId, InvocationId};

use super::resume::Interrupted;

/// Groups the calls by batch, each batch after those that its calls depend on. If batches depend on each other
/// in a circle, the one that began first comes first.
pub(super) fn groups(calls: Vec<Interrupted>) -> Vec<Vec<Interrupted>> {
    let groups = by_batch(calls);
    let order = order(&groups);
    let mut groups: Vec<_> = groups.into_iter().map(Some).collect();
    order.into_iter().filter_map(|number| groups.get_mut(number)?.take()).collect()
}

fn by_batch(calls: Vec<Interrupted>) -> Vec<Vec<Interrupted>> {
    let mut groups: Vec<Vec<Interrupted>> = Vec::new();
    let mut of_batch: BTreeMap<BatchId, usize> = BTreeMap::new();
    for call in calls {
        let new = groups.len();
        let number = call.batch.map_or(new, |(batch, _)| *of_batch.entry(batch).or_insert(new));
        match groups.get_mut(number) {
            Some(group) => group.push(call),
            None => groups.push(vec![call]),
        }
    }
    for group in &mut groups {
        group.sort_by_key(|call| call.batch.map(|(_, position)| position));
    }
    groups
}

/// The numbers of the groups, each after those that it depends on.
fn order(groups: &[Vec<Interrupted>]) -> Vec<usize> {
    let numbered = groups.iter().enumerate();
    let home: BTreeMap<InvocationId, usize> = numbered
        .flat_map(|(number, group)| group.iter().map(move |call| (call.invocation, number)))
        .collect();
    let needed = |number: usize| {
        let calls = groups.get(number).into_iter().flatten();
        let needed = calls.flat_map(Interrupted::depends_on);
        needed.filter_map(|call| home.get(&call).copied()).collect::<BTreeSet<_>>()
    };
    let mut order = Vec::with_capacity(groups.len());
    let mut seen = BTreeSet::new();
    for first in 0..groups.len() {
        let mut path = Vec::new();
        if seen.insert(first) {
            path.push((first, needed(first)));
        }
        while let Some((number, open)) = path.last_mut() {
            match open.pop_first() {
                Some(next) if seen.insert(next) => path.push((next, needed(next))),
                Some(_) => {}
                None => {
                    order.push(*number);
                    path.pop();
                }
            }
        }
    }
    order
}
