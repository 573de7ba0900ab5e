//! Normalizes spelling.

use std::borrow::Cow;

use unicode_normalization::{UnicodeNormalization as _, char::decompose_canonical};

/// Full width, ligatures and composed letters become ordinary ones, and Latin and Greek letters lose
/// their accents. Case stays: it tells where identifiers have their humps.
pub(crate) fn normalise(text: &str) -> Cow<'_, str> {
    if text.is_ascii() {
        return Cow::Borrowed(text);
    }
    let mut plain = String::with_capacity(text.len());
    for letter in text.nfkc() {
        if has_optional_accents(letter) {
            decompose_canonical(letter, |part| {
                if !is_accent(part) {
                    plain.push(part);
                }
            });
        } else {
            plain.push(letter);
        }
    }
    Cow::Owned(plain)
}

/// Adds a letter in lower case.
pub(crate) fn push_folded(word: &mut String, letter: char) {
    match letter {
        'ß' | 'ẞ' => word.push_str("ss"),
        'ς' => word.push('σ'),
        _ if letter.is_ascii() => word.push(letter.to_ascii_lowercase()),
        _ => word.extend(letter.to_lowercase()),
    }
}

/// Latin and Greek. In other scripts a mark makes another letter, as in `й`.
const fn has_optional_accents(letter: char) -> bool {
    matches!(letter, '\u{c0}'..='\u{3ff}' | '\u{1e00}'..='\u{1fff}')
}

const fn is_accent(letter: char) -> bool {
    matches!(letter, '\u{300}'..='\u{36f}')
}
