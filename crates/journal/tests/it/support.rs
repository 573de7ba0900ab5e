//! What the tests share.

use std::{collections::BTreeMap, sync::Arc};

use assent_journal::{Draft, Entry, Seq};
use assent_protocol::agent_tool::RecordKind;
use jsonschema::Validator;
use serde_json::Value;

/// `drafts` as the entries of a journal.
pub(crate) fn entries(drafts: impl IntoIterator<Item = Draft>) -> Vec<Arc<Entry>> {
    let places = (1..).map(Seq);
    drafts.into_iter().zip(places).map(|(draft, seq)| Arc::new(Entry { seq, draft })).collect()
}

/// The published schemas, compiled once per test.
#[derive(Default)]
pub(crate) struct Schemas(BTreeMap<RecordKind, Option<Validator>>);

impl Schemas {
    /// Asserts that `record` fits the published schema of its kind, if there is one.
    #[track_caller]
    pub(crate) fn assert_valid(&mut self, kind: RecordKind, record: &Value) {
        let schema = self.0.entry(kind).or_insert_with(|| published(kind));
        if let Some(schema) = schema {
            let faults: Vec<String> =
                schema.iter_errors(record).map(|error| error.to_string()).collect();
            assert!(faults.is_empty(), "{kind}: {faults:?}\n{record:#}");
        }
    }
}

fn published(kind: RecordKind) -> Option<Validator> {
    let name = kind.published_schema()?;
    let path = format!(
        "{}/../protocol/tests/data/agent-tool/agenttool-{name}.schema.json",
        env!("CARGO_MANIFEST_DIR")
    );
    let schema = serde_json::from_str(&std::fs::read_to_string(path).unwrap()).unwrap();
    Some(jsonschema::draft202012::new(&schema).unwrap())
}
