//! All the ways in which a sensitive value may be written.

use std::{
    collections::{BTreeMap, btree_map::Entry},
    fmt::Write,
};

use base64::{
    Engine,
    engine::general_purpose::{STANDARD_NO_PAD, URL_SAFE_NO_PAD},
};

use super::edges::Edges;

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

/// Each way to write a value, with the alphabet of what must go with it if it is only the beginning, and
/// with what must not stand beside it.
pub(super) type Forms = BTreeMap<String, (Option<Alphabet>, Edges)>;

/// Adds every form of a value.
pub(super) fn add_forms(value: &str, edges: Edges, forms: &mut Forms) {
    add_value(value, edges, forms);
    let mut lines = value.lines();
    if lines.by_ref().take(MAX_LINES).count() > 1 && lines.next().is_none() {
        let long = |line: &&str| line.chars().nth(MIN_LINE_CHARS - 1).is_some();
        value.lines().map(str::trim).filter(long).for_each(|line| add_value(line, edges, forms));
    }
}

fn add_value(value: &str, edges: Edges, forms: &mut Forms) {
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
    whole.into_iter().for_each(|form| add(form, None, edges, forms));
    let bytes = value.as_bytes();
    if bytes.len() >= MIN_ENCODED_BYTES {
        add_encoded(bytes, edges, forms);
    } else if !value.is_ascii() {
        add_percent_encoded(bytes, &mut |form| add(form, None, edges, forms));
    }
}

/// Adds one form. One that is spelt like that of another value counts wherever either does, and one that is
/// the whole of a value says more than the beginning of another.
fn add(form: String, alphabet: Option<Alphabet>, edges: Edges, forms: &mut Forms) {
    match forms.entry(form) {
        Entry::Vacant(entry) => drop(entry.insert((alphabet, edges))),
        Entry::Occupied(mut entry) => {
            let (known, known_edges) = *entry.get();
            entry.insert((known.and(alphabet), known_edges.or(edges)));
        }
    }
}

fn add_encoded(bytes: &[u8], edges: Edges, forms: &mut Forms) {
    let (bytes, is_cut) = match bytes.get(..MAX_ENCODED_BYTES) {
        Some(beginning) => (beginning, bytes.len() > MAX_ENCODED_BYTES),
        None => (bytes, false),
    };
    let mut add = |form: String, alphabet: Alphabet, edges: Edges| {
        add(form, is_cut.then_some(alphabet), edges, forms);
    };
    add_percent_encoded(bytes, &mut |form| add(form, is_url, edges));
    for shift in 0..3 {
        // What is beside it is no part of a word.
        add(certain_base64(bytes, shift, &STANDARD_NO_PAD), is_base64, Edges::ANY);
        add(certain_base64(bytes, shift, &URL_SAFE_NO_PAD), is_base64, Edges::ANY);
    }
    let hex = bytes.iter().fold(String::new(), |mut text, byte| {
        // Writing to a string cannot fail.
        let _ = write!(text, "{byte:02x}");
        text
    });
    add(hex.to_ascii_uppercase(), |byte| byte.is_ascii_hexdigit(), Edges::ANY);
    add(hex, |byte| byte.is_ascii_hexdigit(), Edges::ANY);
}

/// The ways in which URLs write a value.
fn add_percent_encoded(bytes: &[u8], add: &mut impl FnMut(String)) {
    for keeps in [is_unreserved as Alphabet, is_kept_in_component, is_kept_in_uri] {
        let form = percent_encoded(bytes, keeps);
        add(form.replace("%20", "+"));
        add(lower_escapes(&form));
        add(form);
    }
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
