//! Changes of an input.

use std::collections::BTreeMap;

use assent_journal::{Entry, Fact, Mutated};
use assent_json::{Digest, Json, shorten};
use assent_protocol::agent_tool::MutationSource;
use serde_json::Value;

/// The longest value that is shown in full.
const LONGEST_VALUE: usize = 40;

/// The inputs of a call in its records, with sensitive values masked.
#[derive(Default)]
pub(super) struct KnownInputs(BTreeMap<Digest, Value>);

impl KnownInputs {
    pub(super) fn of(entries: &[&Entry]) -> Self {
        let mut known = Self::default();
        for entry in entries {
            match &entry.draft.fact {
                Fact::Planned(planned) => known.add(&planned.model_input),
                Fact::Ended(ended) => {
                    let inputs = &ended.inputs;
                    let later = [&inputs.observable, &inputs.permission, &inputs.call];
                    later.into_iter().flatten().for_each(|input| known.add(input));
                }
                _ => {}
            }
        }
        known
    }

    fn add(&mut self, input: &Json) {
        self.0.entry(input.digest()).or_insert_with(|| input.to_value());
    }

    /// Describes a change and its author. If hooks change one input several times, only the first and the last
    /// form are known; for the others, only the paths are.
    pub(super) fn tell(&self, mutated: &Mutated) -> String {
        let (from, to) = (self.0.get(&mutated.from), self.0.get(&mutated.to));
        let change = |place: &String| match (from, to) {
            (Some(from), Some(to)) => {
                let value = |input: &Value| input.pointer(place).map(ToString::to_string);
                let shown = |value: Option<String>| {
                    value.map_or("nothing".into(), |text| shorten(&text, LONGEST_VALUE))
                };
                format!("{place} {} → {}", shown(value(from)), shown(value(to)))
            }
            _ => place.clone(),
        };
        let changes: Vec<String> = mutated.changed.iter().map(change).collect();
        format!("{}, by {}", changes.join(", "), who(mutated))
    }
}

fn who(mutated: &Mutated) -> String {
    let named = mutated.source_ref.as_deref().unwrap_or_default();
    match mutated.source {
        MutationSource::Hook => format!("hook `{named}`"),
        MutationSource::PermissionPrompt => "the person".to_owned(),
        MutationSource::Adapter => "the tool's adapter".to_owned(),
        MutationSource::Migration => "the reader of an older version".to_owned(),
        MutationSource::Runtime => match &mutated.reason {
            Some(reason) => format!("the runtime ({reason})"),
            None => "the runtime".to_owned(),
        },
    }
}
