//! A node, the path to it, and the file that it is read from.

use assent_json::Pointer;

use super::{
    reading::Reading,
    tree::{Data, Spanned},
};

/// Where a reader is. Readers are functions from here to a value; one that finds something wrong
/// reports it and returns `None`.
pub(super) struct At<'t> {
    pub(super) node: &'t Spanned,
    pub(super) path: Pointer,
    pub(super) reading: &'t Reading<'t>,
}

impl<'t> At<'t> {
    pub(super) fn root(node: &'t Spanned, reading: &'t Reading<'t>) -> Self {
        Self { node, path: Pointer::root(), reading }
    }

    /// The member of this name.
    pub(super) fn member(&self, key: &str) -> Option<Self> {
        let node = &self.node.get(key)?.value;
        Some(Self { node, path: self.path.key(key), reading: self.reading })
    }

    /// All items of a list; `None` if this is none.
    pub(super) fn items(&self) -> Option<impl Iterator<Item = At<'t>>> {
        let Data::List(items) = &self.node.data else {
            self.expected("a list");
            return None;
        };
        let (path, reading) = (self.path.clone(), self.reading);
        let item = move |(index, node)| At { node, path: path.index(index), reading };
        Some(items.iter().enumerate().map(item))
    }

    /// What `pointer` leads to from here, or the nearest value around it.
    pub(super) fn nearest(&self, pointer: &str) -> Self {
        let mut at = Self { node: self.node, path: self.path.clone(), reading: self.reading };
        for token in Pointer::tokens(pointer) {
            let Some(next) = at.member(&token).or_else(|| at.item(&token)) else { break };
            at = next;
        }
        at
    }

    fn item(&self, index: &str) -> Option<Self> {
        let Data::List(items) = &self.node.data else { return None };
        let index: usize = index.parse().ok()?;
        Some(Self { node: items.get(index)?, path: self.path.index(index), reading: self.reading })
    }

    /// Reports a problem with this node.
    pub(super) fn problem(&self, message: impl Into<String>) {
        self.reading.problem(self.node.offset, &self.path, message);
    }

    /// Reports that something else should be here.
    pub(super) fn expected(&self, what: &str) {
        self.problem(format!("expected {what}, found {}", self.node.data.kind()));
    }
}
