//! Where a value is replaced.
//!
//! | characters                            | are replaced                                               |
//! |---------------------------------------|------------------------------------------------------------|
//! | four and more                         | everywhere                                                 |
//! | two or three                          | where they are a word of their own: `123` in `PIN 123`, not in `1234` |
//! | two or three of a script without spaces | everywhere                                                 |
//! | one that is beyond ASCII              | where it is not next to a letter or digit                  |
//! | one of ASCII                          | where it is a whole text or a whole number                 |
//!
//! One ASCII character in a text is no secret: it is easily guessed, and replacing it everywhere would reveal it.

/// Values of at least this many characters are replaced everywhere.
pub(super) const MIN_ANYWHERE_CHARS: usize = 4;

/// The maximum length of an escape sequence that is recognized.
const MAX_ESCAPE: usize = 16;

/// The characters that must not be next to a value, on its left and on its right.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Edges(Side, Side);

/// The characters that must not be on one side of a value. The larger one is stricter.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Side {
    /// None.
    Any,
    /// Those that would make it a part of a longer word.
    OfWord,
    /// Any letter or digit.
    Alone,
}

impl Edges {
    /// It does not matter where it stands.
    pub(super) const ANY: Self = Self(Side::Any, Side::Any);

    /// Those of a value; none if it is only looked for as a whole text.
    pub(super) fn of(value: &str) -> Option<Self> {
        match value.chars().take(MIN_ANYWHERE_CHARS).count() {
            MIN_ANYWHERE_CHARS.. => Some(Self::ANY),
            2.. => {
                let side = |edge: Option<char>| match edge {
                    Some(edge) if is_of_word(edge) => Side::OfWord,
                    _ => Side::Any,
                };
                Some(Self(side(value.chars().next()), side(value.chars().next_back())))
            }
            _ if value.is_ascii() => None,
            _ => Some(Self(Side::Alone, Side::Alone)),
        }
    }

    /// Those of a form that two values have in common.
    pub(super) fn or(self, other: Self) -> Self {
        Self(self.0.min(other.0), self.1.min(other.1))
    }

    /// Whether what stands between these may be taken out.
    pub(super) fn allow(self, before: &[u8], after: &[u8]) -> bool {
        self.1.allows(first(after)) && (self.0.allows(last(before)) || ends_in_escape(before))
    }
}

impl Side {
    fn allows(self, beside: Option<char>) -> bool {
        let Some(beside) = beside else { return true };
        match self {
            Self::Any => true,
            Self::OfWord => !is_of_word(beside),
            Self::Alone => !beside.is_alphanumeric(),
        }
    }
}

/// Whether a character belongs to a word that goes on beside it.
fn is_of_word(character: char) -> bool {
    character.is_alphanumeric() && !is_unspaced(character)
}

/// Whether a character is of a script that puts no spaces between words, or that hangs endings on names.
fn is_unspaced(character: char) -> bool {
    matches!(character,
        // Thai, Lao, Tibetan, Burmese, Khmer.
        '\u{0E00}'..='\u{0FFF}' | '\u{1000}'..='\u{109F}' | '\u{1780}'..='\u{17FF}'
        // Hangul.
        | '\u{1100}'..='\u{11FF}' | '\u{3130}'..='\u{318F}' | '\u{A960}'..='\u{A97F}'
        | '\u{AC00}'..='\u{D7FF}'
        // Kana and Bopomofo.
        | '\u{3040}'..='\u{312F}' | '\u{31A0}'..='\u{31BF}' | '\u{31F0}'..='\u{31FF}'
        | '\u{FF66}'..='\u{FF9D}'
        // Han.
        | '\u{3005}'..='\u{3007}' | '\u{3400}'..='\u{4DBF}' | '\u{4E00}'..='\u{9FFF}'
        | '\u{F900}'..='\u{FAFF}' | '\u{20000}'..='\u{3FFFF}')
}

/// Whether a text ends in something that stands for a character which is none of a word: `\n` as JSON writes
/// it, `%20` as URLs do, or a change of colour.
fn ends_in_escape(text: &[u8]) -> bool {
    let is_hex = |bytes: &[u8]| bytes.iter().all(u8::is_ascii_hexdigit);
    match text {
        [.., b'\\', b'b' | b'f' | b'n' | b'r' | b't'] => true,
        [.., b'%', a, b] if is_hex(&[*a, *b]) => true,
        [.., b'\\', b'u', a, b, c, d] => is_hex(&[*a, *b, *c, *d]),
        [rest @ .., letter] if letter.is_ascii_alphabetic() => ends_in_colour(rest),
        _ => false,
    }
}

/// Whether a text ends in the beginning of a terminal's control sequence.
fn ends_in_colour(text: &[u8]) -> bool {
    let tail = text.get(text.len().saturating_sub(MAX_ESCAPE)..).unwrap_or_default();
    let is_parameter = |byte: &u8| byte.is_ascii_digit() || *byte == b';';
    let parameters = tail.iter().rev().take_while(|byte| is_parameter(byte)).count();
    let introducer = tail.get(..tail.len().saturating_sub(parameters)).unwrap_or_default();
    introducer.ends_with(b"\x1b[")
}

fn first(text: &[u8]) -> Option<char> {
    let text = text.get(..text.len().min(4)).unwrap_or_default();
    text.utf8_chunks().next().and_then(|chunk| chunk.valid().chars().next())
}

fn last(text: &[u8]) -> Option<char> {
    let tail = text.get(text.len().saturating_sub(4)..).unwrap_or_default();
    let chunk = tail.utf8_chunks().last()?;
    // What comes after the last character, if anything, is no text.
    chunk.valid().chars().next_back().filter(|_| chunk.invalid().is_empty())
}
