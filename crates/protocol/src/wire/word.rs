//! Vocabularies: closed sets of words, each with one spelling on the wire.

use std::fmt;

/// A word of a closed vocabulary.
pub trait Word: Copy + Eq + fmt::Debug + 'static {
    /// Every word, in the order of the specification.
    const WORDS: &'static [Self];

    /// The word as it is written.
    fn word(self) -> &'static str;

    /// The word with this spelling.
    fn find(text: &str) -> Option<Self> {
        Self::WORDS.iter().copied().find(|word| word.word() == text)
    }
}

/// A text that is none of the words of a closed vocabulary.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("`{text}` is none of {allowed}")]
pub struct UnknownWord {
    text: String,
    allowed: String,
}

impl UnknownWord {
    /// That `text` is no word of `W`.
    #[must_use]
    pub fn new<W: Word>(text: &str) -> Self {
        let allowed: Vec<_> = W::WORDS.iter().map(|word| word.word()).collect();
        Self { text: text.to_owned(), allowed: allowed.join(", ") }
    }
}

/// Makes an enum whose variants are the words of a vocabulary. The crate that uses it depends on `serde` and
/// `schemars`.
#[macro_export]
macro_rules! words {
    ($(#[doc = $doc:literal])+ $name:ident { $($(#[doc = $word_doc:literal])+ $variant:ident = $word:literal,)+ }) => {
        $(#[doc = $doc])+
        #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
        pub enum $name { $($(#[doc = $word_doc])+ $variant,)+ }

        impl $name {
            /// Every word, in the order of the specification.
            pub const ALL: &'static [Self] = &[$(Self::$variant,)+];

            /// The word as it is written.
            #[must_use]
            pub const fn as_str(self) -> &'static str {
                match self { $(Self::$variant => $word,)+ }
            }

            /// What it means.
            #[must_use]
            pub const fn meaning(self) -> &'static str {
                match self { $(Self::$variant => concat!($($word_doc),+).trim_ascii(),)+ }
            }
        }
        impl $crate::wire::Word for $name {
            const WORDS: &'static [Self] = Self::ALL;
            fn word(self) -> &'static str { self.as_str() }
        }
        impl schemars::JsonSchema for $name {
            fn schema_name() -> std::borrow::Cow<'static, str> { stringify!($name).into() }
            fn json_schema(_: &mut schemars::SchemaGenerator) -> schemars::Schema {
                $crate::wire::vocabulary_schema(
                    concat!($($doc),+),
                    &[$(($word, concat!($($word_doc),+)),)+],
                )
            }
        }
        impl std::fmt::Display for $name {
            fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result { f.write_str(self.as_str()) }
        }
        impl std::str::FromStr for $name {
            type Err = $crate::wire::UnknownWord;
            fn from_str(text: &str) -> Result<Self, Self::Err> {
                $crate::wire::Word::find(text).ok_or_else(|| $crate::wire::UnknownWord::new::<Self>(text))
            }
        }
        impl serde::Serialize for $name {
            fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
                serializer.serialize_str(self.as_str())
            }
        }
        impl<'de> serde::Deserialize<'de> for $name {
            fn deserialize<D: serde::Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
                let text = <String as serde::Deserialize>::deserialize(deserializer)?;
                text.parse().map_err(serde::de::Error::custom)
            }
        }
    };
}
pub(crate) use words;
