//! The published schemas of the records.

use std::{collections::BTreeMap, sync::OnceLock};

use assent_protocol::agent_tool::RecordKind;
use jsonschema::Validator;
use serde_json::Value;

/// What is wrong with a line of an exported journal. A record without a published schema is
/// checked elsewhere, against our own rules only.
pub(crate) fn problem(line: &Value) -> Option<String> {
    let kind = line["record"].as_str().unwrap_or_default();
    let schema = published().get(kind)?.as_ref()?;
    let faults: Vec<String> =
        schema.iter_errors(&line["data"]).map(|error| error.to_string()).collect();
    let place = &line["seq"];
    (!faults.is_empty()).then(|| format!("entry {place}: no {kind}: {}", faults.join("; ")))
}

/// By kind; none for a kind without one.
fn published() -> &'static BTreeMap<String, Option<Validator>> {
    static SCHEMAS: OnceLock<BTreeMap<String, Option<Validator>>> = OnceLock::new();
    SCHEMAS.get_or_init(|| {
        let named =
            |kind: &RecordKind| (kind.as_str().to_owned(), kind.published_schema().map(compiled));
        RecordKind::ALL.iter().map(named).collect()
    })
}

fn compiled(name: &str) -> Validator {
    let folder =
        concat!(env!("CARGO_MANIFEST_DIR"), "/../../crates/protocol/tests/data/agent-tool");
    let text = std::fs::read_to_string(format!("{folder}/agenttool-{name}.schema.json")).unwrap();
    jsonschema::draft202012::new(&serde_json::from_str(&text).unwrap()).unwrap()
}
