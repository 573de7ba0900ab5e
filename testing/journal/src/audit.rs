//! What must hold for every journal.

use std::{
    collections::{BTreeMap, BTreeSet},
    sync::Arc,
};

use assent_journal::{Entry, Fact, RecordLines, Seq, check};
use serde_json::Value;

use crate::schemas;

/// Audits a whole journal.
///
/// # Errors
/// All that is wrong.
pub fn audit(entries: &[Arc<Entry>]) -> Result<(), Vec<String>> {
    let mut problems = check(entries.iter().map(|entry| &**entry)).err().unwrap_or_default();
    problems.extend(records(entries));
    problems.extend(results(entries));
    if problems.is_empty() { Ok(()) } else { Err(problems) }
}

/// The calls of which everything is there, and what is about no call, numbered without gaps.
pub(crate) fn kept_whole(entries: &[Arc<Entry>]) -> Vec<Arc<Entry>> {
    let begins = |entry: &&Arc<Entry>| matches!(entry.draft.fact, Fact::Planned(_));
    let whole: BTreeSet<_> =
        entries.iter().filter(begins).filter_map(|entry| entry.draft.invocation).collect();
    let is_whole = |entry: &&Arc<Entry>| {
        entry.draft.invocation.is_none_or(|invocation| whole.contains(&invocation))
    };
    let numbered = entries.iter().filter(is_whole).zip((1..).map(Seq));
    numbered.map(|(entry, seq)| Arc::new(Entry { seq, draft: entry.draft.clone() })).collect()
}

/// Every record fits the published schema of its kind.
fn records(entries: &[Arc<Entry>]) -> Vec<String> {
    let lines = lines(entries);
    lines.iter().filter_map(schemas::problem).collect()
}

/// Every call that has ended has one record and one result, which say the same, and no call has two.
fn results(entries: &[Arc<Entry>]) -> Vec<String> {
    let mut calls: BTreeMap<String, (Vec<Value>, Vec<Value>)> = BTreeMap::new();
    for mut line in lines(entries) {
        let call = line["data"]["invocation_id"].as_str().unwrap_or_default().to_owned();
        match line["record"].as_str() {
            Some("tool_invocation") => calls.entry(call).or_default().0.push(line["data"].take()),
            Some("tool_result") => calls.entry(call).or_default().1.push(line["data"].take()),
            _ => {}
        }
    }
    let wrong = calls.into_iter().filter_map(|(call, (ends, results))| {
        let (ends, results) = (ends.len(), results.len());
        (ends > 1 || results > 1 || ends > results)
            .then(|| format!("`{call}` has {ends} ends and {results} results"))
    });
    wrong.collect()
}

/// The lines of the journal, as they are exported.
fn lines(entries: &[Arc<Entry>]) -> Vec<Value> {
    let (mut lines, mut out) = (RecordLines::default(), Vec::new());
    for entry in entries {
        lines.write(entry, &mut out).unwrap();
    }
    let text = String::from_utf8(out).unwrap();
    text.lines().map(|line| serde_json::from_str(line).unwrap()).collect()
}
