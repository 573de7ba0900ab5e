//! What must hold for every journal of every run, whatever the scenario: one place that checks it.

use std::{collections::BTreeMap, sync::Arc};

use assent_journal::{Entry, Fact, RecordLines, check};
use assent_protocol::agent_tool::RecordKind;
use assent_rehearsal::Rehearsed;
use serde_json::Value;

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

/// Checks everything that is true of every journal: it can have come from a runtime that keeps the
/// rules, every record fits its published schema, and every call that was asked for ended exactly once.
pub(crate) fn assert_sound(name: &str, rehearsed: &Rehearsed) {
    if let Err(problems) = check(rehearsed.entries.iter().map(|entry| &**entry)) {
        panic!("{name}: {}", problems.join("\n"));
    }
    let schemas = published_schemas();
    for line in lines(&rehearsed.entries) {
        let record = line["record"].as_str().unwrap();
        if let Some(schema) = schemas.get(record)
            && let Err(error) = schema.validate(&line["data"])
        {
            panic!("{name}: line {} is no {record}: {error}", line["seq"]);
        }
    }
    let ended = count(&rehearsed.entries, |fact| matches!(fact, Fact::Ended(_)));
    let planned = count(&rehearsed.entries, |fact| matches!(fact, Fact::Planned(_)));
    assert_eq!(ended, planned, "{name}: every call ends once");
    assert_eq!(rehearsed.report.calls.len(), rehearsed.report.delivered.len(), "{name}");
}

fn count(entries: &[Arc<Entry>], is_meant: impl Fn(&Fact) -> bool) -> usize {
    entries.iter().filter(|entry| is_meant(&entry.draft.fact)).count()
}

fn published_schemas() -> BTreeMap<String, jsonschema::Validator> {
    RecordKind::ALL
        .iter()
        .filter_map(|kind| {
            let name = kind.published_schema()?;
            let path = format!(
                "{}/../protocol/tests/data/agent-tool/agenttool-{name}.schema.json",
                env!("CARGO_MANIFEST_DIR")
            );
            let schema: Value =
                serde_json::from_str(&std::fs::read_to_string(path).unwrap()).unwrap();
            Some((kind.as_str().to_owned(), jsonschema::validator_for(&schema).unwrap()))
        })
        .collect()
}
