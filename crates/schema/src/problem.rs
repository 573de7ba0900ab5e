//! What can be wrong with a schema.

use assent_json::Pointer;

/// Why a schema is not accepted as the input schema of a tool.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{message}")]
pub struct SchemaProblem {
    /// Which rule is broken.
    pub kind: SchemaProblemKind,
    /// Where in the schema.
    pub pointer: Pointer,
    /// What to change, in a sentence.
    pub message: String,
}

impl SchemaProblem {
    pub(crate) fn new(
        kind: SchemaProblemKind,
        pointer: Pointer,
        message: impl Into<String>,
    ) -> Self {
        Self { kind, pointer, message: message.into() }
    }
}

/// The rules that a schema must keep.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum SchemaProblemKind {
    /// It is not a Draft 2020-12 schema.
    Invalid,
    /// It points outside of itself.
    RemoteRef,
    /// Compiling or using it could cost too much.
    TooComplex,
    /// A pattern cannot be matched in linear time and bounded memory.
    UnsafePattern,
}
