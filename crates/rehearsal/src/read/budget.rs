//! How much a tree may hold. Aliases of YAML make a few lines stand for billions of values.

use super::tree::{Data, Spanned};

/// So many bytes a tree may take, aliases spelled out; a value counts at least 64.
pub const MAX_TREE_BYTES: usize = 64 * 1024 * 1024;

/// About what a value takes beside its text.
const VALUE_BYTES: usize = 64;

/// What is left of [`MAX_TREE_BYTES`].
#[derive(Debug)]
pub(super) struct Budget {
    left: usize,
}

impl Default for Budget {
    fn default() -> Self {
        Self { left: MAX_TREE_BYTES }
    }
}

impl Budget {
    /// Takes `bytes`; an error if they are not there.
    pub(super) fn spend(&mut self, bytes: usize) -> Result<(), String> {
        self.left = self.left.checked_sub(bytes).ok_or_else(|| {
            format!("the file holds more than {MAX_TREE_BYTES} bytes, aliases spelled out")
        })?;
        Ok(())
    }

    /// Takes what a value with a text of this length needs.
    pub(super) fn spend_value(&mut self, text: usize) -> Result<(), String> {
        self.spend(VALUE_BYTES.saturating_add(text))
    }
}

/// What a copy of a value would take.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Size {
    pub(super) bytes: usize,
    pub(super) depth: usize,
}

impl Size {
    pub(super) fn of(node: &Spanned) -> Self {
        match &node.data {
            Data::Null | Data::Bool(_) | Data::Number(_) => Self { bytes: VALUE_BYTES, depth: 0 },
            Data::Text(text) => Self { bytes: VALUE_BYTES + text.len(), depth: 0 },
            Data::List(items) => Self::around(items.iter().map(Self::of)),
            Data::Map(members) => Self::around(members.iter().map(|member| {
                let value = Self::of(&member.value);
                Self { bytes: value.bytes + VALUE_BYTES + member.key.len(), ..value }
            })),
        }
    }

    fn around(inner: impl Iterator<Item = Self>) -> Self {
        inner.fold(Self { bytes: VALUE_BYTES, depth: 1 }, |all, one| Self {
            bytes: all.bytes + one.bytes,
            depth: all.depth.max(one.depth + 1),
        })
    }
}
