//! The forms of ids, one function per form.

use crate::{Fault, Ulid};

/// The longest name that is accepted or generated, in bytes.
pub(crate) const MAX_NAME: usize = 256;

/// `prefix`, an underscore, a ULID.
pub(crate) fn prefixed(prefix: &'static str, text: &str) -> Result<Ulid, Fault> {
    let rest = text.strip_prefix(prefix).and_then(|rest| rest.strip_prefix('_'));
    Ulid::decode(rest.ok_or(Fault::Prefix(prefix))?, prefix.len() + 1)
}

/// One to 256 bytes without white space, control characters or invisible characters: an id or reference
/// of another producer, which is compared and stored but never shown as a sentence.
pub(crate) fn token(text: &str) -> Result<(), Fault> {
    bounded(text)?;
    match text.char_indices().find(|(_, c)| !is_token_char(*c)) {
        Some((at, _)) => Err(Fault::Character(at)),
        None => Ok(()),
    }
}

/// ASCII letters, digits, `_`, `-`, `.`, `:` and `/`, one to 256 bytes.
pub(crate) fn ascii_name(text: &str) -> Result<(), Fault> {
    bounded(text)?;
    match text.bytes().position(|b| !b.is_ascii_alphanumeric() && !b"_-.:/".contains(&b)) {
        Some(at) => Err(Fault::Character(at)),
        None => Ok(()),
    }
}

/// `^[a-z][a-z0-9_]{1,31}$`, the tool name of the capability manifest.
pub(crate) fn tool_name(text: &str) -> Result<(), Fault> {
    let fits = (2..=32).contains(&text.len()) && is_word(text);
    if fits { Ok(()) } else { Err(Fault::Form("^[a-z][a-z0-9_]{1,31}$")) }
}

/// `^[a-z][a-z0-9_]*:[a-z][a-z0-9_]*$`, the scope id of the capability manifest.
pub(crate) fn scope_id(text: &str) -> Result<(), Fault> {
    bounded(text)?;
    let fits = text.split_once(':').is_some_and(|(area, action)| is_word(area) && is_word(action));
    if fits { Ok(()) } else { Err(Fault::Form("^[a-z][a-z0-9_]*:[a-z][a-z0-9_]*$")) }
}

/// Words of letters, digits, `_` and `-`, joined by dots: `agent.scope.filesystem_read.label`.
pub(crate) fn dotted(text: &str) -> Result<(), Fault> {
    bounded(text)?;
    let word = |part: &str| {
        !part.is_empty()
            && part.bytes().all(|b| b.is_ascii_alphanumeric() || b == b'_' || b == b'-')
    };
    if text.split('.').all(word) { Ok(()) } else { Err(Fault::Form("word(.word)*")) }
}

/// 64 lower-case hexadecimal digits, a SHA-256.
pub(crate) fn sha256_hex(text: &str) -> Result<(), Fault> {
    if text.len() != 64 {
        return Err(Fault::Length(64));
    }
    match text.bytes().position(|b| !b.is_ascii_digit() && !(b'a'..=b'f').contains(&b)) {
        Some(at) => Err(Fault::Character(at)),
        None => Ok(()),
    }
}

/// Returns `true` if `token` admits the character.
pub(crate) fn is_token_char(c: char) -> bool {
    !c.is_whitespace() && !c.is_control() && !is_invisible(c)
}

fn bounded(text: &str) -> Result<(), Fault> {
    match text.len() {
        0 => Err(Fault::Empty),
        length if length > MAX_NAME => Err(Fault::TooLong(MAX_NAME)),
        _ => Ok(()),
    }
}

fn is_word(text: &str) -> bool {
    text.starts_with(|c: char| c.is_ascii_lowercase())
        && text.bytes().all(|b| b.is_ascii_lowercase() || b.is_ascii_digit() || b == b'_')
}

/// Characters that make two different ids look the same: zero width, direction controls, soft
/// hyphen, the TAG block, variation selectors, private use.
fn is_invisible(c: char) -> bool {
    matches!(c, '\u{ad}' | '\u{34f}' | '\u{61c}' | '\u{115f}' | '\u{1160}' | '\u{17b4}' | '\u{17b5}'
        | '\u{180b}'..='\u{180f}' | '\u{200b}'..='\u{200f}' | '\u{202a}'..='\u{202e}'
        | '\u{2060}'..='\u{206f}' | '\u{3164}' | '\u{e000}'..='\u{f8ff}' | '\u{fe00}'..='\u{fe0f}'
        | '\u{feff}' | '\u{ffa0}' | '\u{fff0}'..='\u{fffb}' | '\u{e0000}'..='\u{e0fff}'
        | '\u{f0000}'..='\u{10ffff}')
}
