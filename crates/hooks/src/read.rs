//! Reads a document strictly: every problem has a place, and what nobody asked for is a problem.
//!
//! Readers are functions from a place in the document to a value. One that finds something wrong reports
//! it and returns `None`, and the others go on, so that all problems are told at once. Messages never
//! repeat a value: it may be one of an input.

mod at;
mod fields;
mod leaf;

use std::cell::{Cell, RefCell};

use assent_json::{Pointer, Position, ReadErrorKind, shorten, visible};

use crate::{Problem, Problems};

pub(crate) use self::{
    at::At,
    fields::Fields,
    leaf::{any, boolean, id, list, object, percent, text, whole, word},
};

/// So many problems are told at most.
const MAX_PROBLEMS: usize = 100;

/// The longest part of a document that a message repeats, in characters.
const MAX_SHOWN: usize = 60;

/// Reads a document with `read`.
///
/// # Errors
/// Everything that is wrong with it.
pub(crate) fn document<T>(
    text: &[u8],
    read: impl FnOnce(&At<'_>) -> Option<T>,
) -> Result<T, Problems> {
    let reading = Reading { text, problems: RefCell::default(), untold: Cell::default() };
    let read = match assent_json::read(text) {
        Ok(document) => read(&At::root(document.root(), &reading)),
        Err(error) => {
            reading.problem(error.offset, &error.pointer, unreadable(&error.kind));
            None
        }
    };
    reading.finish(read)
}

fn unreadable(kind: &ReadErrorKind) -> String {
    match kind {
        ReadErrorKind::DuplicateKey(key) => {
            format!("the key `{}` occurs twice in one object", shown(key))
        }
        other => other.to_string(),
    }
}

/// A name that the document gives, short and harmless enough for a message.
fn shown(text: &str) -> String {
    visible(&shorten(text, MAX_SHOWN))
}

/// The state of reading one document.
pub(crate) struct Reading<'t> {
    text: &'t [u8],
    problems: RefCell<Vec<Problem>>,
    untold: Cell<usize>,
}

impl Reading<'_> {
    /// Reports a problem with what begins at `offset`.
    fn problem(&self, offset: usize, path: &Pointer, message: impl Into<String>) {
        let mut problems = self.problems.borrow_mut();
        // Finding a line costs a look at the whole text before it.
        if problems.len() == MAX_PROBLEMS {
            self.untold.set(self.untold.get() + 1);
            return;
        }
        let Position { line, column } = Position::of(self.text, offset);
        let path = Pointer::tokens(path.as_str()).map(|token| shown(&token));
        let path = Pointer::from_tokens(path).to_string();
        problems.push(Problem { path, line, column, message: message.into() });
    }

    /// What was read, if nothing was wrong.
    fn finish<T>(self, read: Option<T>) -> Result<T, Problems> {
        let mut problems = self.problems.into_inner();
        problems.sort_by_key(|problem| (problem.line, problem.column));
        if let untold @ 1.. = self.untold.get() {
            let Position { line, column } = Position::of(self.text, self.text.len());
            let message = format!("there are {untold} more problems");
            problems.push(Problem { path: String::new(), line, column, message });
        }
        match read {
            Some(read) if problems.is_empty() => Ok(read),
            _ => Err(Problems::new(problems)),
        }
    }
}
