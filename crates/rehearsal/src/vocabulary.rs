//! Closed vocabularies of the file, in addition to those of the standard.

/// Defines an enum whose variants are the words of a vocabulary.
macro_rules! vocabulary {
    ($(#[$doc:meta])* $vis:vis $name:ident {
        $($(#[$word_doc:meta])* $variant:ident = $word:literal,)+
    }) => {
        $(#[$doc])*
        #[derive(Clone, Copy, Debug, PartialEq, Eq)]
        $vis enum $name { $($(#[$word_doc])* $variant,)+ }

        impl assent_protocol::wire::Word for $name {
            const WORDS: &'static [Self] = &[$(Self::$variant,)+];
            fn word(self) -> &'static str {
                match self { $(Self::$variant => $word,)+ }
            }
        }
    };
}
pub(crate) use vocabulary;
