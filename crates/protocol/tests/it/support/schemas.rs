//! The published schemas.

use assent_protocol::agent_tool::RecordKind;
use jsonschema::Validator;
use serde_json::Value;

/// The published schema of a record, if there is one.
pub(crate) fn published(kind: RecordKind) -> Option<Value> {
    let name = kind.published_schema()?;
    let path = format!(
        "{}/tests/data/agent-tool/agenttool-{name}.schema.json",
        env!("CARGO_MANIFEST_DIR")
    );
    Some(serde_json::from_str(&std::fs::read_to_string(path).unwrap()).unwrap())
}

/// A validator for the published schema of a record.
pub(crate) fn validator(kind: RecordKind) -> Option<Validator> {
    published(kind).map(|schema| jsonschema::draft202012::new(&schema).unwrap())
}

/// Asserts that `record` fits the published schema.
#[track_caller]
pub(crate) fn assert_valid(validator: &Validator, record: &Value) {
    let faults: Vec<_> = validator.iter_errors(record).map(|error| error.to_string()).collect();
    assert!(faults.is_empty(), "{faults:?}\n{record:#}");
}
