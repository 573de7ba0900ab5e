//! A value of a document, with its path and its position.

use assent_json::{Pointer, Position};
use serde_json::Value;

use crate::{
    Kind,
    report::{Report, Values},
    tree::{Data, Located, Member},
};

/// A value of a document. Readers are functions from a node to a value; a reader that finds a mistake
/// reports it at the node and returns `None`.
#[derive(Clone)]
pub struct Node<'d> {
    pub(crate) value: &'d Located,
    pub(crate) path: Pointer,
    pub(crate) report: &'d Report<'d>,
}

/// The location of a node, for problems that are found after other nodes were read.
#[derive(Clone, Debug)]
pub struct Location {
    offset: usize,
    path: Pointer,
}

impl<'d> Node<'d> {
    pub(crate) fn root(value: &'d Located, report: &'d Report<'d>) -> Self {
        Self { value, path: Pointer::root(), report }
    }

    /// The kind of the value.
    #[must_use]
    pub fn kind(&self) -> Kind {
        self.value.data.kind()
    }

    /// The path from the root of the document.
    #[must_use]
    pub fn path(&self) -> &Pointer {
        &self.path
    }

    /// The line and column at which the value begins.
    #[must_use]
    pub fn position(&self) -> Position {
        self.report.position(self.value.offset)
    }

    /// The text, if the value is one.
    #[must_use]
    pub fn as_text(&self) -> Option<&'d str> {
        match &self.value.data {
            Data::Text(text) => Some(text),
            _ => None,
        }
    }

    /// Copies the value without its positions.
    #[must_use]
    pub fn to_value(&self) -> Value {
        self.value.to_value()
    }

    /// The member `key`, if the value is an object that has it.
    #[must_use]
    pub fn member(&self, key: &str) -> Option<Self> {
        self.value.get(key).map(|member| self.to(member))
    }

    /// The members of an object, in the order of the text. Reports any other value.
    #[must_use]
    pub fn members(&self) -> Option<impl Iterator<Item = (&'d str, Node<'d>)>> {
        self.require(Kind::Object, "an object")?;
        let node = self.clone();
        let members = self.value.members().iter();
        Some(members.map(move |member| (member.key.as_str(), node.to(member))))
    }

    /// The items of a list. Reports any other value.
    #[must_use]
    pub fn items(&self) -> Option<impl Iterator<Item = Node<'d>>> {
        self.require(Kind::List, "a list")?;
        let node = self.clone();
        let items = self.value.items().iter().enumerate();
        Some(items.map(move |(index, value)| node.at(value, node.path.index(index))))
    }

    /// The value that `pointer` leads to from here, or the nearest one around it.
    #[must_use]
    pub fn nearest(&self, pointer: &Pointer) -> Self {
        let mut node = self.clone();
        for token in Pointer::tokens(pointer.as_str()) {
            let member = node.member(&token);
            let item = || {
                let (index, item) = node.value.item(&token)?;
                Some(node.at(item, node.path.index(index)))
            };
            let Some(next) = member.or_else(item) else { break };
            node = next;
        }
        node
    }

    fn to(&self, member: &'d Member) -> Self {
        self.at(&member.value, self.path.key(&member.key))
    }

    fn at(&self, value: &'d Located, path: Pointer) -> Self {
        Self { value, path, report: self.report }
    }

    /// Reports a problem with this value, unless the parser has already reported it.
    pub fn problem(&self, message: impl Into<String>) {
        if matches!(self.value.data, Data::Refused) {
            return;
        }
        self.report.problem(self.value.offset, &self.path, message);
    }

    /// Reports that another kind of value is expected here, such as `a list`.
    pub fn expected(&self, what: &str) {
        self.problem(format!("expected {what}, found {}", self.kind()));
    }

    /// Reports a problem with the value that `pointer` leads to from here, at its key if it is a list
    /// or an object.
    pub fn problem_at(&self, pointer: &Pointer, message: impl Into<String>) {
        let offset = self.value.locate(pointer.as_str());
        self.report.problem(offset, &self.path.join(pointer), message);
    }

    /// Reports a problem at `position` of the text that this value is. A text that is written line by
    /// line, as in a block of YAML, has the line in the document; for others the message says it.
    pub fn problem_in_text(&self, position: Position, message: &str) {
        match self.offset_in_text(position) {
            Some(offset) => self.report.problem(offset, &self.path, message),
            None => self.problem(format!("{position} of the text: {message}")),
        }
    }

    /// Only a text whose lines are all indented alike is written in the document as it reads.
    fn offset_in_text(&self, position: Position) -> Option<usize> {
        let start = self.value.offset;
        let indent = self.report.position(start).column.checked_sub(1)?;
        let lines_down = position.line.checked_sub(1)?;
        let line = self.as_text()?.split('\n').nth(lines_down)?;
        let written = self.report.text_from(start);
        let mut line_start = 0;
        for _ in 0..lines_down {
            let rest = written.get(line_start..)?;
            line_start += rest.iter().position(|byte| *byte == b'\n')? + 1;
        }
        if lines_down > 0 {
            line_start += indent;
        }
        let is_written_there = written.get(line_start..)?.starts_with(line.as_bytes());
        let before = line.chars().take(position.column.checked_sub(1)?);
        let before: usize = before.map(char::len_utf8).sum();
        is_written_there.then_some(start + line_start + before)
    }

    /// The location of this value.
    #[must_use]
    pub fn location(&self) -> Location {
        Location { offset: self.value.offset, path: self.path.clone() }
    }

    /// Reports a problem at a location of the same document.
    pub fn problem_at_location(&self, location: &Location, message: impl Into<String>) {
        self.report.problem(location.offset, &location.path, message);
    }

    /// The number of problems that were found in the document so far.
    #[must_use]
    pub fn problem_count(&self) -> usize {
        self.report.count()
    }

    /// Reports a value that is not of this kind.
    pub(crate) fn require(&self, kind: Kind, what: &str) -> Option<()> {
        if self.kind() == kind {
            return Some(());
        }
        self.expected(what);
        None
    }

    /// `, found …`, if problems may repeat values.
    pub(crate) fn found(&self, value: &str) -> String {
        match self.report.values {
            Values::Shown => format!(", found {value}"),
            Values::Hidden => String::new(),
        }
    }
}
