//! What changed from one manifest to the next, and what only reading the two costs.

use std::{collections::BTreeSet, hint::black_box};

use assent_bench_harness::{Request, Work, diff_pair};
use assent_manifest::{Diff, RuleSet};
use serde_json::{Value, json};

pub(crate) fn prepare(request: &Request) -> Option<Box<dyn Work>> {
    let [old, new] = diff_pair(request)?;
    Some(Box::new(Compare { old, new }))
}

pub(crate) fn prepare_reading(request: &Request) -> Option<Box<dyn Work>> {
    Some(Box::new(Read { sources: diff_pair(request)? }))
}

struct Compare {
    old: &'static [u8],
    new: &'static [u8],
}

impl Compare {
    fn diff(&self) -> Diff {
        let (old, new) = (black_box(self.old), black_box(self.new));
        assent_manifest::diff(old, new, RuleSet::Canonical).expect("both manifests are valid")
    }
}

impl Work for Compare {
    fn answer(&mut self) -> Value {
        let diff = json!(self.diff());
        let changes = diff["changes"].as_array().map(Vec::as_slice).unwrap_or_default();
        let tools: BTreeSet<usize> = changes.iter().filter_map(tool_index).collect();
        let undecided = changes.iter().filter(|change| change["rule"] == "input_undecided").count();
        let breaking = diff["breaking_changes"].as_array().map_or(0, Vec::len);
        json!({
            "tools": tools,
            "changes": changes.len(),
            "breaking": breaking,
            "undecided": undecided,
        })
    }

    fn pass(&mut self) -> usize {
        black_box(self.diff());
        1
    }
}

/// The tool that a change is about: the path begins with `/tools/N`.
fn tool_index(change: &Value) -> Option<usize> {
    let path = change["path"].as_str()?;
    path.strip_prefix("/tools/")?.split('/').next()?.parse().ok()
}

/// Our own reader, up to values that one could compare.
struct Read {
    sources: [&'static [u8]; 2],
}

impl Read {
    fn values(&self) -> [Value; 2] {
        self.sources.map(|source| {
            let document = assent_json::read(black_box(source)).expect("the manifest is readable");
            document.root().to_value()
        })
    }
}

impl Work for Read {
    fn answer(&mut self) -> Value {
        json!(self.values().map(|manifest| manifest["tools"].as_array().map(Vec::len)))
    }

    fn pass(&mut self) -> usize {
        black_box(self.values());
        1
    }
}
