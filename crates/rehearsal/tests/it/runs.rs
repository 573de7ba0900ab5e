//! The examples, run through the real pipeline.

use assent_rehearsal::{CrashPoint, Options, run};

use crate::{
    examples::examples,
    harness::{assert_sound, lines},
};

#[test]
fn every_expectation_of_every_example_holds_and_every_journal_is_sound() {
    for (name, _, scenario) in examples() {
        let rehearsed = run(&scenario, Options::default()).unwrap_or_else(|error| {
            panic!("{name}: {error:?}");
        });
        let unmet: Vec<_> = rehearsed.unmet.iter().map(ToString::to_string).collect();
        assert!(unmet.is_empty(), "{name}:\n{}", unmet.join("\n"));
        assert_eq!(rehearsed.report.calls.len(), scenario.calls.len(), "{name}");
        assert_sound(&name, &rehearsed);
    }
}

#[test]
fn two_runs_give_the_same_journal_ids_included() {
    for (name, _, scenario) in examples() {
        let once = run(&scenario, Options::default()).unwrap();
        let again = run(&scenario, Options::default()).unwrap();
        assert_eq!(lines(&once.entries), lines(&again.entries), "{name}");
    }
}

/// The process dies at each boundary of the journal, before and after the batch is written. Nothing
/// runs twice that does not say it can, nothing that was recorded is lost, and every call ends once.
#[test]
fn a_crash_at_any_boundary_of_the_journal_loses_nothing_and_repeats_nothing() {
    for (name, _, scenario) in examples() {
        let calm = run(&scenario, Options::default()).unwrap();
        for boundary in 1..=calm.batches {
            for crash in [CrashPoint::Before(boundary), CrashPoint::After(boundary)] {
                let options = Options { crash: Some(crash), ..Options::default() };
                let crashed = run(&scenario, options).unwrap();
                let context = format!("{name}, crash {crash:?}");
                assert_sound(&context, &crashed);
                assert_eq!(crashed.report.calls.len(), scenario.calls.len(), "{context}");
                for tool in scenario.tools.iter().filter(|tool| !tool.supports_resume) {
                    let name = tool.name.as_str();
                    let count = |counts: &std::collections::BTreeMap<String, u64>| {
                        counts.get(name).copied().unwrap_or_default()
                    };
                    let calls = scenario.calls.iter().filter(|call| {
                        scenario.tool(&call.tool).is_some_and(|called| called.name == tool.name)
                    });
                    assert!(
                        count(&crashed.report.executed) <= calls.count() as u64,
                        "{context}: `{name}` ran twice"
                    );
                }
            }
        }
    }
}
