//! A value, the path to it, and the document that it is read from.

use assent_json::{Kind, Node, Pointer};

use super::Reading;

/// Where a reader is.
pub(crate) struct At<'d> {
    pub(super) node: Node<'d>,
    pub(super) path: Pointer,
    pub(super) reading: &'d Reading<'d>,
}

impl<'d> At<'d> {
    pub(super) fn root(node: Node<'d>, reading: &'d Reading<'d>) -> Self {
        Self { node, path: Pointer::root(), reading }
    }

    /// The member of this name.
    pub(super) fn member(&self, key: &str) -> Option<Self> {
        let node = self.node.get(key)?;
        Some(Self { node, path: self.path.key(key), reading: self.reading })
    }

    pub(crate) fn is_object(&self) -> bool {
        self.node.kind() == Kind::Object
    }

    /// All members of an object, by name; `None` if this is none.
    pub(crate) fn entries(&self) -> Option<impl Iterator<Item = (&'d str, At<'d>)>> {
        self.is(Kind::Object, "an object")?;
        let (path, reading) = (self.path.clone(), self.reading);
        let entry = move |(key, node)| (key, At { node, path: path.key(key), reading });
        Some(self.node.members().map(entry))
    }

    /// All items of an array; `None` if this is none.
    pub(super) fn items(&self) -> Option<impl Iterator<Item = At<'d>>> {
        self.is(Kind::Array, "an array")?;
        let (path, reading) = (self.path.clone(), self.reading);
        let item = move |(index, node)| At { node, path: path.index(index), reading };
        Some(self.node.elements().enumerate().map(item))
    }

    /// Reports a problem with this value.
    pub(crate) fn problem(&self, message: impl Into<String>) {
        self.reading.problem(self.node.offset(), &self.path, message);
    }

    /// Reports that something else should be here.
    pub(super) fn expected(&self, what: &str) {
        self.problem(format!("expected {what}, found {}", named(self.node.kind())));
    }

    /// Reports a value that is not of this kind.
    pub(super) fn is(&self, kind: Kind, what: &str) -> Option<()> {
        if self.node.kind() == kind {
            return Some(());
        }
        self.expected(what);
        None
    }
}

fn named(kind: Kind) -> &'static str {
    match kind {
        Kind::Null => "null",
        Kind::Boolean => "a boolean",
        Kind::Number => "a number",
        Kind::String => "a string",
        Kind::Array => "an array",
        Kind::Object => "an object",
    }
}
