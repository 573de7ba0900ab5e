//! What kind of letter a letter is.

use unicode_normalization::char::is_combining_mark;

/// Whether words consist of such letters.
pub(crate) fn is_part_of_word(letter: char) -> bool {
    if letter.is_ascii() {
        return letter.is_ascii_alphanumeric();
    }
    letter.is_alphanumeric() || is_combining_mark(letter)
}

/// Whether the script leaves the ends of words to the reader, or glues particles to them.
pub(crate) fn is_written_without_spaces(letter: char) -> bool {
    let has_such_script = matches!(letter,
        '\u{e00}'..='\u{eff}' // Thai, Lao
        | '\u{1000}'..='\u{109f}' // Burmese
        | '\u{1100}'..='\u{11ff}' // Korean letters
        | '\u{1780}'..='\u{17ff}' // Khmer
        | '\u{3041}'..='\u{31ff}' // Japanese
        | '\u{ac00}'..='\u{d7ff}' // Korean syllables
    );
    (has_such_script || is_ideograph(letter)) && is_part_of_word(letter)
}

/// Whether the letter has a meaning of its own.
pub(crate) const fn is_ideograph(letter: char) -> bool {
    matches!(letter,
        '\u{3005}' | '\u{3007}'
        | '\u{3400}'..='\u{4dbf}'
        | '\u{4e00}'..='\u{9fff}'
        | '\u{f900}'..='\u{faff}'
        | '\u{20000}'..='\u{323af}'
    )
}
