//! Tests of which calls are canceled together.

use proptest::prelude::*;

use super::*;

const HOWS: [Ended; 5] =
    [Ended::Good, Ended::Failed, Ended::TimedOut, Ended::Refused, Ended::Canceled];

fn closure(dependents: &[Vec<usize>], from: usize) -> Vec<bool> {
    let mut found = vec![false; dependents.len()];
    // As often as there are calls: then nothing new is found any more.
    for _ in 0..dependents.len() {
        for call in 0..dependents.len() {
            if call == from || found[call] {
                dependents[call].iter().for_each(|&dependent| found[dependent] = true);
            }
        }
    }
    found
}

fn policies() -> impl Strategy<Value = SiblingFailurePolicy> {
    use SiblingFailurePolicy::{CancelDependent, CancelSiblings, Ignore};
    prop::sample::select(vec![Ignore, CancelSiblings, CancelDependent])
}

fn graphs() -> impl Strategy<Value = Vec<Vec<usize>>> {
    (1..9_usize).prop_flat_map(|calls| {
        (1..=calls)
            .map(|later| prop::collection::vec(later..=calls, 0..3))
            .collect::<Vec<_>>()
            .prop_map(move |mut graph| {
                graph.iter_mut().for_each(|dependents| dependents.retain(|&call| call < calls));
                graph
            })
    })
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(1_000))]

    /// Item 126.
    #[test]
    fn canceled_calls_are_the_transitive_dependents_or_all_or_none(
        policy in policies(),
        graph in graphs(),
        ends in prop::collection::vec(
            (any::<prop::sample::Index>(), prop::sample::select(HOWS.to_vec())),
            0..20,
        ),
    ) {
        let mut siblings = Siblings::new(policy, graph.clone());
        let (mut ended, mut told) = (vec![false; graph.len()], vec![false; graph.len()]);
        for (call, how) in ends {
            let call = call.index(graph.len());
            let casualties = siblings.end(call, how);
            if std::mem::replace(&mut ended[call], true) {
                prop_assert_eq!(casualties, None, "only the first end counts");
                continue;
            }
            let failed = matches!(how, Ended::Failed | Ended::TimedOut);
            let hit = match policy {
                SiblingFailurePolicy::Ignore => vec![false; graph.len()],
                SiblingFailurePolicy::CancelSiblings => vec![failed; graph.len()],
                SiblingFailurePolicy::CancelDependent if how == Ended::Good => {
                    vec![false; graph.len()]
                }
                SiblingFailurePolicy::CancelDependent => closure(&graph, call),
            };
            let fresh = (0..graph.len()).filter(|&at| hit[at] && !ended[at] && !told[at]);
            let fresh: Vec<_> = fresh.collect();
            fresh.iter().for_each(|&at| told[at] = true);
            prop_assert_eq!(casualties, Some(fresh));
        }
    }
}

#[test]
fn what_reaches_whom_is_this_table() {
    use Reach::{All, Dependents, None};
    let row = |policy| HOWS.map(|how| reach(policy, how));
    assert_eq!(row(SiblingFailurePolicy::Ignore), [None; 5]);
    assert_eq!(row(SiblingFailurePolicy::CancelSiblings), [None, All, All, None, None]);
    assert_eq!(
        row(SiblingFailurePolicy::CancelDependent),
        [None, Dependents, Dependents, Dependents, Dependents]
    );
}
