//! The size of a result and its limits.

use assent_protocol::{
    agent_tool::{ContentBlock, InlineThreshold},
    wire::{Count, Object},
};

use super::{map::Content, media};

/// The size of a result as a model would get it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Size {
    /// In Unicode scalar values.
    pub(crate) chars: usize,
    /// In bytes.
    pub(crate) bytes: usize,
}

impl Size {
    /// The size of a text.
    #[must_use]
    pub(crate) fn of_text(text: &str) -> Self {
        Self { chars: text.chars().count(), bytes: text.len() }
    }

    pub(super) fn of_content(content: &Content) -> Self {
        match content {
            Content::Empty => Self::default(),
            Content::Text(text) => Self::of_text(text),
            Content::Structured { json, .. } => Self::of_text(json.text()),
            // A model would get the text, or four characters for every three bytes.
            Content::Bytes { bytes, media_type } => match media::as_text(bytes, media_type) {
                Some(text) => Self::of_text(text),
                None => Self { chars: bytes.len().div_ceil(3) * 4, bytes: bytes.len() },
            },
            Content::Blocks(blocks) => blocks.iter().map(Self::of_block).sum(),
        }
    }

    fn of_block(block: &ContentBlock) -> Self {
        let text = block.text.as_deref().map(Self::of_text).unwrap_or_default();
        let others = block.extra.iter().map(|(key, value)| {
            // Long texts, such as pictures, are not copied to be counted.
            let value =
                value.as_str().map_or_else(|| Self::of_text(&value.to_string()), Self::of_text);
            Self::of_text(key) + value
        });
        others.fold(text, |sum, size| sum + size)
    }
}

impl std::ops::Add for Size {
    type Output = Self;

    fn add(self, other: Self) -> Self {
        Self {
            chars: self.chars.saturating_add(other.chars),
            bytes: self.bytes.saturating_add(other.bytes),
        }
    }
}

impl std::iter::Sum for Size {
    fn sum<I: Iterator<Item = Self>>(sizes: I) -> Self {
        sizes.fold(Self::default(), |sum, size| sum + size)
    }
}

/// The limits up to which a result is passed on whole; all of them apply.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Limits {
    /// In Unicode scalar values.
    pub(crate) chars: Option<usize>,
    /// In bytes.
    pub(crate) bytes: Option<usize>,
}

impl Limits {
    /// Returns `true` if a result of this size is passed on whole.
    #[must_use]
    pub(crate) fn admit(&self, size: Size) -> bool {
        self.chars.is_none_or(|limit| size.chars <= limit)
            && self.bytes.is_none_or(|limit| size.bytes <= limit)
    }

    /// As the record of the decision shows them.
    pub(super) fn threshold(&self) -> InlineThreshold {
        InlineThreshold {
            max_inline_chars: self.chars.map(count),
            max_inline_bytes: self.bytes.map(count),
            extra: Object::new(),
        }
    }
}

pub(super) fn count(number: usize) -> Count {
    Count(u64::try_from(number).unwrap_or(u64::MAX))
}

#[cfg(test)]
mod tests {
    use super::{Limits, Size};

    #[test]
    fn characters_are_unicode_scalar_values() {
        assert_eq!(Size::of_text("añ语🦀"), Size { chars: 4, bytes: 10 });
        assert_eq!(Size::of_text("e\u{301}").chars, 2);
    }

    #[test]
    fn whichever_limit_is_reached_first_counts() {
        let limits = Limits { chars: Some(4), bytes: Some(8) };
        assert!(limits.admit(Size { chars: 4, bytes: 8 }));
        assert!(!limits.admit(Size { chars: 5, bytes: 5 }));
        assert!(!limits.admit(Size { chars: 3, bytes: 9 }));
        assert!(Limits::default().admit(Size { chars: usize::MAX, bytes: usize::MAX }));
    }
}
