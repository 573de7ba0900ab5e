//! Where in a result values were removed.

use assent_json::Pointer;

use super::Scrubber;

/// The path from the root of a value to a part of it.
#[derive(Debug, Clone, Copy)]
pub(in crate::results) struct Path<'p> {
    above: Option<&'p Path<'p>>,
    step: Step<'p>,
}

#[derive(Debug, Clone, Copy)]
enum Step<'p> {
    Root,
    Key(&'p str),
    Index(usize),
}

impl<'p> Path<'p> {
    pub(in crate::results) fn root() -> Self {
        Self { above: None, step: Step::Root }
    }

    pub(in crate::results) fn key(&'p self, key: &'p str) -> Path<'p> {
        Path { above: Some(self), step: Step::Key(key) }
    }

    pub(in crate::results) fn index(&'p self, index: usize) -> Path<'p> {
        Path { above: Some(self), step: Step::Index(index) }
    }

    /// The path as text, in which no key shows a sensitive value.
    pub(in crate::results) fn pointer(&self, scrubber: &Scrubber) -> Pointer {
        let above = self.above.map(|above| above.pointer(scrubber)).unwrap_or_default();
        match self.step {
            Step::Root => above,
            Step::Key(key) => above.key(&scrubber.text(key)),
            Step::Index(index) => above.index(index),
        }
    }
}

/// The maximum number of locations that are listed.
const MAX_FIELDS: usize = 100;

/// The locations at which values were removed.
#[derive(Debug, Default)]
pub(in crate::results) struct Touched {
    fields: Vec<String>,
    /// The outermost steps of places that are not listed any more.
    summary: Vec<String>,
}

impl Touched {
    pub(in crate::results) fn add(&mut self, pointer: &str) {
        if self.fields.len() < MAX_FIELDS {
            self.fields.push(pointer.to_owned());
            return;
        }
        let outermost = Pointer::from_tokens(Pointer::tokens(pointer).take(1)).as_str().to_owned();
        if !self.summary.contains(&outermost) {
            self.summary.push(outermost);
        }
    }

    /// The places as JSON Pointers: the first hundred, then only the fields of the result that hold
    /// the others.
    pub(in crate::results) fn into_fields(self) -> Vec<String> {
        let mut fields = self.fields;
        fields.extend(self.summary);
        fields
    }
}
