//! Tests of the order in which calls run.

use proptest::prelude::*;

use super::*;
use crate::scheduler::tests::support::{id, members};

fn order(depends_on: &[&[usize]]) -> Result<Vec<usize>, BatchProblem> {
    arrange(&members(depends_on)).map(|arrangement| arrangement.ranks)
}

#[test]
fn calls_run_in_the_models_order_if_they_depend_on_earlier_ones_only() {
    assert_eq!(order(&[&[], &[0], &[], &[2, 0, 2]]), Ok(vec![0, 1, 2, 3]));
}

#[test]
fn a_call_that_depends_on_a_later_one_runs_after_it() {
    assert_eq!(order(&[&[2], &[], &[]]), Ok(vec![2, 0, 1]));
}

#[test]
fn calls_of_other_batches_do_not_count() {
    let mut calls = members(&[&[], &[]]);
    calls[1].depends_on.push(id(99));
    let arrangement = arrange(&calls).unwrap();
    assert_eq!(arrangement.dependencies, [0, 0]);
}

#[test]
fn circles_are_refused_by_the_first_call_that_could_never_run() {
    assert_eq!(order(&[&[], &[1]]), Err(BatchProblem::Circle { invocation: id(1) }));
    assert_eq!(order(&[&[], &[2], &[3], &[1]]), Err(BatchProblem::Circle { invocation: id(1) }));
}

#[test]
fn a_call_cannot_be_there_twice() {
    let mut calls = members(&[&[], &[]]);
    calls[1].invocation = id(0);
    assert_eq!(arrange(&calls).unwrap_err(), BatchProblem::Twice { invocation: id(0) });
}

#[test]
fn a_batch_holds_ten_thousand_calls_and_not_one_more() {
    let chain = |calls| -> Vec<Member> {
        let depends_on: Vec<_> = (0..calls).map(|at: usize| vec![at.saturating_sub(1)]).collect();
        let mut refs: Vec<_> = depends_on.iter().map(Vec::as_slice).collect();
        refs[0] = &[];
        members(&refs)
    };
    assert_eq!(arrange(&chain(MAX_CALLS)).unwrap().ranks, Vec::from_iter(0..MAX_CALLS));
    let problem = arrange(&chain(MAX_CALLS + 1)).unwrap_err();
    assert_eq!(problem, BatchProblem::TooManyCalls { calls: MAX_CALLS + 1 });
}

fn reaches(depends_on: &[Vec<usize>], from: usize, to: usize) -> bool {
    let mut seen = vec![false; depends_on.len()];
    let mut open = depends_on[from].clone();
    while let Some(next) = open.pop() {
        if !std::mem::replace(&mut seen[next], true) {
            open.extend(&depends_on[next]);
        }
    }
    seen[to]
}

proptest! {
    #[test]
    fn every_order_keeps_all_dependencies_or_there_is_a_circle(
        depends_on in (1..8_usize)
            .prop_flat_map(|n| prop::collection::vec(prop::collection::vec(0..n, 0..3), n)),
    ) {
        let refs: Vec<_> = depends_on.iter().map(Vec::as_slice).collect();
        let circle = (0..refs.len()).find(|&call| reaches(&depends_on, call, call));
        match arrange(&members(&refs)) {
            Err(_) => prop_assert!(circle.is_some()),
            Ok(arrangement) => {
                prop_assert_eq!(circle, None);
                for (call, needed) in depends_on.iter().enumerate() {
                    for &needed in needed {
                        prop_assert!(arrangement.ranks[needed] < arrangement.ranks[call]);
                    }
                }
            }
        }
    }
}
