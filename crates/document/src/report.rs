//! Collects the problems of one document while it is read.

use std::cell::{Cell, RefCell};

use assent_json::{Pointer, Position, Problem};

use crate::{Problems, quoted};

/// The most problems of one document that are reported.
pub const MAX_PROBLEMS: usize = 100;

/// Whether problems may repeat values of the document.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Values {
    Shown,
    Hidden,
}

/// The text of a document and the problems found in it so far.
pub(crate) struct Report<'t> {
    text: &'t [u8],
    pub(crate) values: Values,
    problems: RefCell<Vec<Problem>>,
    omitted: Cell<usize>,
}

impl<'t> Report<'t> {
    pub(crate) fn new(text: &'t [u8], values: Values) -> Self {
        Self { text, values, problems: RefCell::default(), omitted: Cell::default() }
    }

    /// Reports a problem with the value at `path`, which begins at `offset`.
    pub(crate) fn problem(&self, offset: usize, path: &Pointer, message: impl Into<String>) {
        let mut problems = self.problems.borrow_mut();
        // Finding the line takes a scan of the text before it, so the number of scans is bounded.
        if problems.len() == MAX_PROBLEMS {
            self.omitted.set(self.omitted.get() + 1);
            return;
        }
        let Position { line, column } = self.position(offset);
        let tokens = Pointer::tokens(path.as_str()).map(|token| quoted(&token));
        let path = Pointer::from_tokens(tokens).to_string();
        problems.push(Problem { path, line, column, message: message.into() });
    }

    /// The number of problems so far.
    pub(crate) fn count(&self) -> usize {
        self.problems.borrow().len() + self.omitted.get()
    }

    pub(crate) fn position(&self, offset: usize) -> Position {
        Position::of(self.text, offset)
    }

    /// The text from `offset` to its end.
    pub(crate) fn text_from(&self, offset: usize) -> &'t [u8] {
        self.text.get(offset..).unwrap_or_default()
    }

    /// Returns what was read, unless there are problems.
    pub(crate) fn finish<T>(self, read: Option<T>) -> Result<T, Problems> {
        let text = self.text;
        let mut problems = self.problems.into_inner();
        problems.sort_by_key(|problem| (problem.line, problem.column));
        if let omitted @ 1.. = self.omitted.get() {
            problems.push(whole(text, format!("there are {omitted} more problems")));
        }
        match read {
            Some(read) if problems.is_empty() => return Ok(read),
            None if problems.is_empty() => {
                problems.push(whole(text, "the document cannot be read".to_owned()));
            }
            Some(_) | None => {}
        }
        Err(Problems::new(problems))
    }
}

/// A problem with the document as a whole, listed at its end.
fn whole(text: &[u8], message: String) -> Problem {
    let Position { line, column } = Position::of(text, text.len());
    Problem { path: String::new(), line, column, message }
}
