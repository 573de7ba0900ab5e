//! Bounds the memory of a tree. With YAML aliases, a few lines can stand for billions of values.

use crate::tree::{Data, Located};

/// The most bytes that a tree may take with all aliases expanded. A value counts at least 64.
pub const MAX_TREE_BYTES: usize = 64 * 1024 * 1024;

/// The approximate size of a value without its text.
const VALUE_BYTES: usize = 64;

/// What is left of [`MAX_TREE_BYTES`].
#[derive(Debug)]
pub(crate) struct Budget {
    left: usize,
}

impl Default for Budget {
    fn default() -> Self {
        Self { left: MAX_TREE_BYTES }
    }
}

impl Budget {
    /// Takes `bytes` from the budget, or returns the problem to report.
    pub(crate) fn spend(&mut self, bytes: usize) -> Result<(), String> {
        self.left = self.left.checked_sub(bytes).ok_or_else(|| {
            format!("the document takes more than {MAX_TREE_BYTES} bytes with its aliases expanded")
        })?;
        Ok(())
    }

    /// Takes the size of a value with a text of `text` bytes from the budget.
    pub(crate) fn spend_value(&mut self, text: usize) -> Result<(), String> {
        self.spend(VALUE_BYTES.saturating_add(text))
    }
}

/// The size of a copy of a value.
#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct Size {
    pub(crate) bytes: usize,
    pub(crate) depth: usize,
}

impl Size {
    pub(crate) fn of(value: &Located) -> Self {
        match &value.data {
            Data::Null | Data::Refused | Data::Boolean(_) | Data::Number(_) => {
                Self { bytes: VALUE_BYTES, depth: 0 }
            }
            Data::Text(text) => Self { bytes: VALUE_BYTES + text.len(), depth: 0 },
            Data::List(items) => Self::around(items.iter().map(Self::of)),
            Data::Object(members) => Self::around(members.iter().map(|member| {
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
