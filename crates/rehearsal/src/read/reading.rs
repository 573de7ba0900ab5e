//! What is known while one file is read: its problems, its names, what its schemas may still cost.

use std::cell::{Cell, RefCell};

use assent_json::{Pointer, Position};
use assent_runtime::Catalog;

use super::{names::Names, schema::SchemaBudget};
use crate::Problem;

/// So many problems are told at most.
pub const MAX_PROBLEMS: usize = 100;

/// So many patterns are compiled at most, those of schemas aside.
pub(super) const MAX_PATTERNS: usize = 500;

/// The state of reading one file. Every node that is looked at refers to it.
pub(super) struct Reading<'s> {
    text: &'s [u8],
    problems: RefCell<Vec<Problem>>,
    untold: Cell<usize>,
    patterns: Cell<usize>,
    pub(super) names: RefCell<Names>,
    pub(super) schemas: RefCell<SchemaBudget>,
    /// The tools so far, as the runtime would have them.
    pub(super) catalog: RefCell<Catalog>,
}

impl<'s> Reading<'s> {
    pub(super) fn new(text: &'s [u8]) -> Self {
        Self {
            text,
            problems: RefCell::default(),
            untold: Cell::default(),
            patterns: Cell::default(),
            names: RefCell::default(),
            schemas: RefCell::default(),
            catalog: RefCell::default(),
        }
    }

    /// Reports a problem with what begins at `offset`.
    pub(super) fn problem(&self, offset: usize, path: &Pointer, message: impl Into<String>) {
        let mut problems = self.problems.borrow_mut();
        // Finding a line costs a look at the whole text before it.
        if problems.len() == MAX_PROBLEMS {
            self.untold.set(self.untold.get() + 1);
            return;
        }
        let Position { line, column } = self.position(offset);
        let path = path.to_string();
        problems.push(Problem { path, line, column, message: message.into() });
    }

    /// How many problems there are so far.
    pub(super) fn count(&self) -> usize {
        self.problems.borrow().len() + self.untold.get()
    }

    /// Counts a pattern, and says whether it is one too many.
    pub(super) fn may_compile(&self) -> bool {
        self.patterns.set(self.patterns.get() + 1);
        self.patterns.get() <= MAX_PATTERNS
    }

    /// The text from a byte on.
    pub(super) fn text_from(&self, offset: usize) -> &'s [u8] {
        self.text.get(offset..).unwrap_or_default()
    }

    pub(super) fn position(&self, offset: usize) -> Position {
        Position::of(self.text, offset)
    }

    /// What was read, if nothing was wrong.
    pub(super) fn finish<T>(self, read: Option<T>) -> Result<T, Vec<Problem>> {
        let mut problems = self.problems.into_inner();
        problems.sort_by_key(|problem| (problem.line, problem.column));
        if let untold @ 1.. = self.untold.get() {
            let last = Position::of(self.text, self.text.len());
            let message = format!("there are {untold} more problems");
            let Position { line, column } = last;
            problems.push(Problem { path: String::new(), line, column, message });
        }
        match read {
            Some(read) if problems.is_empty() => Ok(read),
            _ => Err(problems),
        }
    }
}
