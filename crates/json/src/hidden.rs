//! Invisible characters, with which a text could mean something else to a machine than to the person who
//! approves it.

/// The first hidden character of `text`, with its offset in bytes.
///
/// Hidden are: control characters other than tab and line feed, bidirectional controls, zero-width
/// and other default-ignorable characters (the TAG block and variation selectors among them), private
/// use characters and noncharacters.
#[must_use]
pub fn hidden_character(text: &str) -> Option<(usize, char)> {
    text.char_indices().find(|(_, character)| is_hidden(*character))
}

fn is_hidden(character: char) -> bool {
    match character {
        ' '..='~' | '\t' | '\n' => false,
        _ => is_control(character) || is_invisible(character) || has_no_meaning(character),
    }
}

fn is_control(character: char) -> bool {
    matches!(character, '\0'..='\u{1F}' | '\u{7F}'..='\u{9F}')
        // Line and paragraph separators break lines where JSON texts show none.
        || matches!(character, '\u{2028}' | '\u{2029}')
        // Interlinear annotations hide text behind other text.
        || matches!(character, '\u{FFF9}'..='\u{FFFB}')
}

/// Returns `true` for characters that are invisible or change how others are shown: those with the property
/// Default_Ignorable_Code_Point of the Unicode Character Database (zero-width characters, TAG characters and
/// variation selectors among them), bidirectional controls, and blanks that are not spaces.
#[must_use]
pub fn is_invisible(character: char) -> bool {
    matches!(
        character,
        '\u{AD}'
            | '\u{34F}'
            | '\u{61C}'
            | '\u{115F}'..='\u{1160}'
            | '\u{17B4}'..='\u{17B5}'
            | '\u{180B}'..='\u{180F}'
            | '\u{200B}'..='\u{200F}'
            | '\u{202A}'..='\u{202E}'
            | '\u{2060}'..='\u{206F}'
            // Blank without being a space.
            | '\u{2800}'
            | '\u{3164}'
            | '\u{FE00}'..='\u{FE0F}'
            | '\u{FEFF}'
            | '\u{FFA0}'
            | '\u{FFF0}'..='\u{FFF8}'
            | '\u{1BCA0}'..='\u{1BCA3}'
            | '\u{1D173}'..='\u{1D17A}'
            | '\u{E0000}'..='\u{E0FFF}'
    )
}

/// Private use characters look different on every machine; noncharacters have no meaning.
fn has_no_meaning(character: char) -> bool {
    let code = u32::from(character);
    matches!(code, 0xE000..=0xF8FF | 0xF_0000.. | 0xFDD0..=0xFDEF) || code & 0xFFFE == 0xFFFE
}

/// Escapes invisible characters and characters that a terminal would interpret.
#[must_use]
pub fn visible(text: &str) -> String {
    let mut shown = String::with_capacity(text.len());
    for character in text.chars() {
        if matches!(character, '\n' | '\r' | '\t') || is_hidden(character) {
            shown.extend(character.escape_default());
        } else {
            shown.push(character);
        }
    }
    shown
}

#[cfg(test)]
mod tests {
    use super::visible;

    #[test]
    fn what_a_terminal_would_act_upon_is_made_visible() {
        assert_eq!(visible("a\u{1b}[31m\u{202e}b\n"), "a\\u{1b}[31m\\u{202e}b\\n");
        assert_eq!(visible("读取文件 é"), "读取文件 é");
    }
}
