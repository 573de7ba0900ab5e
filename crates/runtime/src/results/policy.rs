//! What happens to the results of a tool.

use assent_protocol::agent_tool::PersistenceStrategy;

use super::Limits;

/// The default limit of a result that is passed on whole, in characters.
pub(super) const DEFAULT_INLINE_CHARS: usize = 50_000;

/// What happens to the results of a tool: results within the limits are passed on whole, and the strategy applies
/// to the others.
///
/// `ref_only` and `drop_with_reason` without a limit apply to all results.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct PersistencePolicy {
    /// The largest result that is passed on whole, in Unicode scalar values.
    pub max_inline_chars: Option<usize>,
    /// The largest result that is passed on whole, in bytes.
    pub max_inline_bytes: Option<usize>,
    /// The strategy for larger results; by default they are stored and a preview is passed on.
    pub strategy: Option<PersistenceStrategy>,
    /// What happens to invisible characters in what a model is sent.
    pub hidden_characters: HiddenCharacters,
}

/// What happens to zero-width, bidirectional and TAG characters in what a model is sent. The canonical
/// content, the structured content and stored bytes keep them.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum HiddenCharacters {
    /// Each is replaced by an escape such as `\u200b`, and the result records how many there were.
    #[default]
    Escape,
    /// They reach the model as they are.
    Keep,
}

impl PersistencePolicy {
    /// The limits, or the default limit if there are none.
    #[must_use]
    pub(crate) fn limits(&self) -> Limits {
        match (self.max_inline_chars, self.max_inline_bytes) {
            (None, None) => Limits { chars: Some(DEFAULT_INLINE_CHARS), bytes: None },
            (chars, bytes) => Limits { chars, bytes },
        }
    }

    /// Returns `true` if the strategy applies to small results as well.
    pub(super) fn withholds_all(&self) -> bool {
        let withholds = matches!(
            self.strategy,
            Some(PersistenceStrategy::RefOnly | PersistenceStrategy::DropWithReason)
        );
        withholds && self.max_inline_chars.is_none() && self.max_inline_bytes.is_none()
    }
}
