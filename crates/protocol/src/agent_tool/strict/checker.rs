//! Collects problems.

use assent_ids::Lax;

use super::{Problem, Strict};
use crate::{
    agent_tool::SCHEMA_VERSION,
    wire::{Loose, Open, Timestamp, Word},
};

/// Collects the problems of one record. A `name` is a field of its root.
#[derive(Default)]
pub(super) struct Checker(Vec<Problem>);

impl Checker {
    pub(super) fn done(self) -> Vec<Problem> {
        self.0
    }

    /// Notes a problem of a field.
    pub(super) fn problem(&mut self, name: &str, message: impl Into<String>) {
        self.0.push(Problem { pointer: format!("/{name}"), message: message.into() });
    }

    /// Notes a problem of the record as a whole.
    pub(super) fn problem_of_all(&mut self, message: &str) {
        self.0.push(Problem { pointer: String::new(), message: message.to_owned() });
    }

    /// Notes a problem of a field unless `holds`.
    pub(super) fn demand(&mut self, holds: bool, name: &str, message: &str) {
        if !holds {
            self.problem(name, message);
        }
    }

    pub(super) fn version(&mut self, version: &str) {
        self.demand(version == SCHEMA_VERSION, "schema_version", "it must be `0.2.0`");
    }

    pub(super) fn id<Id>(&mut self, name: &str, id: &Lax<Id>) {
        self.text(name, id.as_str());
    }

    pub(super) fn optional_id<Id>(&mut self, name: &str, id: Option<&Lax<Id>>) {
        if let Some(id) = id {
            self.id(name, id);
        }
    }

    pub(super) fn ids<Id>(&mut self, name: &str, ids: Option<&Vec<Lax<Id>>>) {
        for (at, id) in ids.into_iter().flatten().enumerate() {
            self.text(&format!("{name}/{at}"), id.as_str());
        }
    }

    pub(super) fn refs(&mut self, name: &str, refs: Option<&Vec<String>>) {
        for (at, text) in refs.into_iter().flatten().enumerate() {
            self.text(&format!("{name}/{at}"), text);
        }
    }

    pub(super) fn text(&mut self, name: &str, text: &str) {
        self.demand(!text.is_empty(), name, "it must not be empty");
    }

    pub(super) fn time(&mut self, name: &str, time: &Timestamp) {
        if let Err(error) = time.instant() {
            self.problem(name, error.to_string());
        }
    }

    pub(super) fn optional_time(&mut self, name: &str, time: Option<&Timestamp>) {
        if let Some(time) = time {
            self.time(name, time);
        }
    }

    /// A word must be a listed one, which is returned.
    pub(super) fn known<W: Word>(&mut self, name: &str, word: &Open<W>) -> Option<W> {
        if word.known().is_none() {
            self.problem(name, format!("`{word}` is not a word of the standard"));
        }
        word.known()
    }

    pub(super) fn all_known<W: Word>(&mut self, name: &str, words: Option<&Vec<Open<W>>>) {
        for (at, word) in words.into_iter().flatten().enumerate() {
            self.known(&format!("{name}/{at}"), word);
        }
    }

    /// A value must have our shape; it is returned if it has.
    pub(super) fn typed<'a, T, Raw>(
        &mut self,
        name: &str,
        value: Option<&'a Loose<T, Raw>>,
    ) -> Option<&'a T> {
        let value = value?;
        if value.typed().is_none() {
            self.problem(name, "it does not have the expected shape");
        }
        value.typed()
    }

    /// All values must have our shape; those that have are returned.
    pub(super) fn all_typed<'a, T, Raw>(
        &mut self,
        name: &str,
        values: Option<&'a Vec<Loose<T, Raw>>>,
    ) -> Vec<(usize, &'a T)> {
        let values = values.map(Vec::as_slice).unwrap_or_default();
        let each = values.iter().enumerate();
        each.filter_map(|(at, value)| Some((at, self.typed(&format!("{name}/{at}"), Some(value))?)))
            .collect()
    }

    /// The problems of a record inside this one.
    pub(super) fn nested(&mut self, name: &str, record: &impl Strict) {
        self.0.extend(record.problems().into_iter().map(|problem| Problem {
            pointer: format!("/{name}{}", problem.pointer),
            message: problem.message,
        }));
    }
}
