//! All the ways in which a sensitive value may be written.

use std::{collections::BTreeMap, fmt::Write};

use base64::{
    Engine,
    engine::general_purpose::{STANDARD_NO_PAD, URL_SAFE_NO_PAD},
};

/// Encodings of shorter values leave so few characters that are certain that they would be found in
/// ordinary words.
const MIN_ENCODED_BYTES: usize = 6;

/// Of longer values only the beginning is encoded; what follows in the same alphabet is taken to be
/// the rest. So a value of megabytes does not become twenty texts of megabytes.
const MAX_ENCODED_BYTES: usize = 512;

/// A value of several lines is often shown line by line. Shorter lines are too ordinary, and a value
/// of more lines is not one that people write down.
const MIN_LINE_CHARS: usize = 16;
const MAX_LINES: usize = 64;

/// Whether a byte belongs to the alphabet of an encoding.
pub(super) type Alphabet = fn(u8) -> bool;

/// Each way to write a value, with the alphabet of what must go with it if it is only the beginning.
pub(super) type Forms = BTreeMap<String, Option<Alphabet>>;

/// Adds every form of a value.
pub(super) fn add_forms(value: &str, forms: &mut Forms) {
    add_value(value, forms);
    let mut lines = value.lines();
    if lines.by_ref().take(MAX_LINES).count() > 1 && lines.next().is_none() {
        let long = |line: &&str| line.chars().nth(MIN_LINE_CHARS - 1).is_some();
        value.lines().map(str::trim).filter(long).for_each(|line| add_value(line, forms));
    }
}

fn add_value(value: &str, forms: &mut Forms) {
    let escaped = json_escaped(value);
    let whole = [
        escaped.replace('/', "\\/"),
        // As Go writes it, which is also safe inside of HTML.
        escaped.replace('<', "\\u003c").replace('>', "\\u003e").replace('&', "\\u0026"),
        ascii_escaped(&escaped),
        json_escaped(&escaped),
        escaped,
        value.to_owned(),
    ];
    forms.extend(whole.into_iter().map(|form| (form, None)));
    add_encoded(value.as_bytes(), forms);
}

fn add_encoded(bytes: &[u8], forms: &mut Forms) {
    if bytes.len() < MIN_ENCODED_BYTES {
        return;
    }
    let (bytes, is_cut) = match bytes.get(..MAX_ENCODED_BYTES) {
        Some(beginning) => (beginning, bytes.len() > MAX_ENCODED_BYTES),
        None => (bytes, false),
    };
    let mut add = |form: String, alphabet: Alphabet| {
        // A whole form that is spelt alike stays: it says more.
        forms.entry(form).or_insert(is_cut.then_some(alphabet));
    };
    for keeps in [is_unreserved as Alphabet, is_kept_in_component, is_kept_in_uri] {
        let form = percent_encoded(bytes, keeps);
        add(form.replace("%20", "+"), is_url);
        add(lower_escapes(&form), is_url);
        add(form, is_url);
    }
    for shift in 0..3 {
        add(certain_base64(bytes, shift, &STANDARD_NO_PAD), is_base64);
        add(certain_base64(bytes, shift, &URL_SAFE_NO_PAD), is_base64);
    }
    let hex = bytes.iter().fold(String::new(), |mut text, byte| {
        // Writing to a string cannot fail.
        let _ = write!(text, "{byte:02x}");
        text
    });
    add(hex.to_ascii_uppercase(), |byte| byte.is_ascii_hexdigit());
    add(hex, |byte| byte.is_ascii_hexdigit());
}

/// As the text stands between the quotes of a JSON string.
fn json_escaped(text: &str) -> String {
    let quoted = serde_json::to_string(text).unwrap_or_default();
    let inner = quoted.strip_prefix('"').and_then(|rest| rest.strip_suffix('"'));
    inner.unwrap_or_default().to_owned()
}

/// With every character beyond ASCII as `\u` and four digits, twice if it needs two.
fn ascii_escaped(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for character in text.chars() {
        if character.is_ascii() {
            out.push(character);
        } else {
            for unit in character.encode_utf16(&mut [0; 2]) {
                // Writing to a string cannot fail.
                let _ = write!(out, "\\u{unit:04x}");
            }
        }
    }
    out
}

fn percent_encoded(bytes: &[u8], keeps: Alphabet) -> String {
    let mut out = String::with_capacity(bytes.len());
    for &byte in bytes {
        if keeps(byte) {
            out.push(char::from(byte));
        } else {
            // Writing to a string cannot fail.
            let _ = write!(out, "%{byte:02X}");
        }
    }
    out
}

/// The same with lower-case digits after each `%`.
fn lower_escapes(text: &str) -> String {
    let mut digits = 0_u8;
    text.chars()
        .map(|character| {
            if character == '%' {
                digits = 2;
                return character;
            }
            let is_digit = digits > 0;
            digits = digits.saturating_sub(1);
            if is_digit { character.to_ascii_lowercase() } else { character }
        })
        .collect()
}

/// The characters that the value has for certain in the base64 of a longer text in which it begins
/// `shift` bytes behind a multiple of three. Those at its ends also depend on its neighbours.
fn certain_base64(bytes: &[u8], shift: usize, engine: &impl Engine) -> String {
    let mut shifted = vec![0; shift];
    shifted.extend_from_slice(bytes);
    let uncertain = (shift * 8).div_ceil(6);
    let certain = shifted.len() * 8 / 6 - uncertain;
    engine.encode(shifted).chars().skip(uncertain).take(certain).collect()
}

fn is_unreserved(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || b"-._~".contains(&byte)
}

fn is_kept_in_component(byte: u8) -> bool {
    is_unreserved(byte) || b"!*'()".contains(&byte)
}

fn is_kept_in_uri(byte: u8) -> bool {
    is_kept_in_component(byte) || b";/?:@&=+$,#".contains(&byte)
}

fn is_url(byte: u8) -> bool {
    is_kept_in_component(byte) || b"%+/".contains(&byte)
}

fn is_base64(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || b"+/-_=".contains(&byte)
}
