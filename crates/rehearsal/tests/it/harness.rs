//! What must hold for every journal of every run, whatever the scenario: the one place in which tests run
//! scenarios.

use std::sync::Arc;

use assent_journal::{Entry, Fact, RecordLines};
use assent_rehearsal::{Options, Rehearsed, RunError, Scenario};
use assent_test_journal::audit;
use serde_json::Value;

/// Runs a scenario, with a crash or without, and audits its journal.
pub(crate) fn run(scenario: &Scenario, options: Options) -> Result<Rehearsed, RunError> {
    let rehearsed = assent_rehearsal::run(scenario, options)?;
    assert_sound(&rehearsed, options);
    Ok(rehearsed)
}

/// Checks everything that is true of every journal, and that every call that was asked for ended once.
fn assert_sound(rehearsed: &Rehearsed, options: Options) {
    if let Err(problems) = audit(&rehearsed.entries) {
        panic!("{options:?}: {}", problems.join("\n"));
    }
    let ended = count(&rehearsed.entries, |fact| matches!(fact, Fact::Ended(_)));
    let planned = count(&rehearsed.entries, |fact| matches!(fact, Fact::Planned(_)));
    assert_eq!(ended, planned, "{options:?}: every call ends once");
    assert_eq!(rehearsed.report.calls.len(), rehearsed.report.delivered.len(), "{options:?}");
}

/// The lines of the journal, in the form of `--journal`.
pub(crate) fn lines(entries: &[Arc<Entry>]) -> Vec<Value> {
    let mut out = Vec::new();
    let mut lines = RecordLines::default();
    for entry in entries {
        lines.write(entry, &mut out).unwrap();
    }
    let text = String::from_utf8(out).unwrap();
    text.lines().map(|line| serde_json::from_str(line).unwrap()).collect()
}

fn count(entries: &[Arc<Entry>], is_meant: impl Fn(&Fact) -> bool) -> usize {
    entries.iter().filter(|entry| is_meant(&entry.draft.fact)).count()
}
