//! Serde's expectations, in words that do not speak of Rust.

use serde::de::{Expected, Unexpected};

/// What was expected. Derived readers name their types; people know values.
pub(super) fn in_plain_words(expected: &dyn Expected) -> String {
    let expected = expected.to_string();
    let begins = |words: &[&str]| words.iter().any(|word| expected.starts_with(word));
    let words = match expected.as_str() {
        "u8" | "u16" | "u32" | "u64" | "usize" => "a whole number, zero or more",
        "i8" | "i16" | "i32" | "i64" | "isize" => "a whole number",
        "f32" | "f64" => "a number",
        "a sequence" => "an array",
        "a map" => "an object",
        "a borrowed string" | "a char" | "a character" => "a string",
        _ if begins(&["struct ", "internally tagged enum ", "adjacently tagged "]) => "an object",
        _ if begins(&["enum ", "variant "]) => "a word of a list",
        _ if begins(&["tuple ", "a tuple "]) => "an array",
        other => other,
    };
    words.to_owned()
}

/// What was found, without its value: that may be a secret.
pub(super) fn kind(found: Unexpected<'_>) -> &'static str {
    match found {
        Unexpected::Bool(_) => "a boolean",
        Unexpected::Unsigned(_) | Unexpected::Signed(_) | Unexpected::Float(_) => "a number",
        Unexpected::Char(_) | Unexpected::Str(_) | Unexpected::Bytes(_) => "a string",
        Unexpected::Unit | Unexpected::Option => "null",
        Unexpected::Seq => "an array",
        Unexpected::Map => "an object",
        _ => "something else",
    }
}
