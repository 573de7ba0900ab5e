//! The state machine of a call.

use std::collections::BTreeMap;

use assent_protocol::agent_tool::{
    IllegalTransition, InvocationStatus, Lifecycle, LifecycleError, StatusTransition,
    TerminalStatus,
};
use assent_protocol::wire::Open;
use proptest::prelude::*;
use serde::Deserialize;

use crate::support::at;

#[derive(Deserialize)]
struct Table {
    states: Vec<InvocationStatus>,
    terminal: Vec<InvocationStatus>,
    edges: BTreeMap<String, Vec<InvocationStatus>>,
}

fn table() -> Table {
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/data/transitions.json");
    serde_json::from_str(&std::fs::read_to_string(path).unwrap()).unwrap()
}

/// Items 100, 105.
#[test]
fn the_edges_are_those_of_the_table_one_by_one() {
    let table = table();
    assert_eq!(table.states.len(), InvocationStatus::ALL.len());
    let mut edges = 0;
    for from in InvocationStatus::ALL {
        assert_eq!(from.successors(), table.edges[from.as_str()].as_slice(), "{from}");
        for to in InvocationStatus::ALL {
            let listed = table.edges[from.as_str()].contains(to);
            assert_eq!(from.can_become(*to), listed, "{from} -> {to}");
            edges += usize::from(listed);
        }
    }
    assert_eq!(edges, 77);
}

/// Item 105.
#[test]
fn exactly_the_eight_final_states_end_a_call() {
    let table = table();
    for status in InvocationStatus::ALL {
        assert_eq!(status.is_terminal(), table.terminal.contains(status), "{status}");
        assert_eq!(status.terminal().is_some(), status.is_terminal());
    }
    for end in TerminalStatus::ALL {
        let status = InvocationStatus::from(*end);
        assert_eq!((status.as_str(), status.terminal()), (end.as_str(), Some(*end)));
    }
}

#[test]
fn every_state_can_be_reached_and_can_end() {
    let mut reached = vec![InvocationStatus::Planned];
    let mut next = 0;
    while let Some(status) = reached.get(next).copied() {
        for successor in status.successors() {
            if !reached.contains(successor) {
                reached.push(*successor);
            }
        }
        next += 1;
    }
    assert_eq!(reached.len(), InvocationStatus::ALL.len());
    for status in InvocationStatus::ALL {
        let ends =
            status.is_terminal() || status.successors().iter().any(|next| next.is_terminal());
        assert!(ends, "{status} cannot end");
    }
}

#[test]
fn an_illegal_step_is_refused_and_changes_nothing() {
    let mut call = Lifecycle::planned(at(0));
    let before = call.clone();
    let error = call.advance(InvocationStatus::Running, at(1)).unwrap_err();
    let expected =
        IllegalTransition { from: InvocationStatus::Planned, to: InvocationStatus::Running };
    assert_eq!((error, &call), (expected, &before));
    assert_eq!(error.to_string(), "a call that is `planned` cannot become `running`");
}

#[test]
fn times_follow_from_the_path() {
    use InvocationStatus::{Approved, ArgumentsReady, Queued, Running, Selected, Succeeded};
    let mut call = Lifecycle::planned(at(0));
    let path = [Selected, ArgumentsReady, Approved, Queued, Running, Succeeded];
    for (time, status) in (1..).zip(path) {
        assert_eq!(call.ended_at(), None);
        call.advance(status, at(time)).unwrap();
    }
    assert_eq!((call.started_at(), call.ended_at()), (Some(&at(5)), Some(&at(6))));
    assert_eq!(call.transitions().len(), 7);
}

#[test]
fn a_path_that_no_call_can_have_gone_is_refused() {
    let step = |status: &str| StatusTransition::new(Open::read(status), at(0));
    let replay = |path: &[&str]| {
        Lifecycle::replay(&path.iter().map(|status| step(status)).collect::<Vec<_>>())
    };
    assert_eq!(replay(&[]), Err(LifecycleError::Beginning));
    assert_eq!(replay(&["selected"]), Err(LifecycleError::Beginning));
    let unknown = LifecycleError::UnknownStatus("paused".to_owned());
    assert_eq!(replay(&["planned", "paused"]), Err(unknown));
    assert!(matches!(replay(&["planned", "failed", "running"]), Err(LifecycleError::Illegal(_))));
    assert!(replay(&["planned", "failed"]).is_ok());
}

proptest! {
    /// Items 100, 105.
    #[test]
    fn random_walks_stay_within_the_table(
        steps in proptest::collection::vec(0..InvocationStatus::ALL.len(), 0..60),
    ) {
        let mut call = Lifecycle::planned(at(0));
        for (time, step) in (1..).zip(steps) {
            let (from, to) = (call.status(), InvocationStatus::ALL[step]);
            let advanced = call.advance(to, at(time)).is_ok();
            prop_assert_eq!(advanced, from.can_become(to));
            prop_assert_eq!(call.status(), if advanced { to } else { from });
            prop_assert_eq!(call.ended_at().is_some(), call.status().is_terminal());
        }
        prop_assert_eq!(Lifecycle::replay(&call.transitions()), Ok(call));
    }

    /// Item 106.
    #[test]
    fn nothing_leaves_a_final_state(end in 0..TerminalStatus::ALL.len(), to in 0..20_usize) {
        let status = InvocationStatus::from(TerminalStatus::ALL[end]);
        prop_assert!(!status.can_become(InvocationStatus::ALL[to]));
    }
}
