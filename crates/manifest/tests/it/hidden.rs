//! Hidden characters, against the Unicode Character Database and strings made to deceive.

use std::path::Path;

use assent_json::hidden_character;
use proptest::prelude::*;
use serde_json::Value;

fn data(name: &str) -> String {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/data").join(name);
    std::fs::read_to_string(path).unwrap()
}

/// The characters of a file in the format of the Unicode Character Database.
fn characters(name: &str) -> Vec<char> {
    data(name)
        .lines()
        .filter(|line| !line.starts_with('#'))
        .filter_map(|line| line.split(';').next())
        .map(str::trim)
        .filter(|range| !range.is_empty())
        .flat_map(|range| {
            let (first, last) = range.split_once("..").unwrap_or((range, range));
            let code = |text| u32::from_str_radix(text, 16).unwrap();
            (code(first)..=code(last)).filter_map(char::from_u32)
        })
        .collect()
}

#[test]
fn every_default_ignorable_and_bidirectional_control_is_hidden() {
    for (file, at_least) in
        [("DefaultIgnorable.extract.txt", 4_000), ("BidiControl.extract.txt", 12)]
    {
        let characters = characters(file);
        assert!(characters.len() >= at_least, "{file}");
        for character in characters {
            assert_eq!(hidden_character(&character.to_string()), Some((0, character)));
        }
    }
}

#[test]
fn private_use_noncharacters_and_controls_are_hidden() {
    for character in [
        '\u{e000}',
        '\u{f8ff}',
        '\u{f0000}',
        '\u{10fffd}',
        '\u{fdd0}',
        '\u{ffff}',
        '\u{1}',
        '\u{1b}',
        '\u{9b}',
        '\r',
    ] {
        assert!(hidden_character(&format!("a{character}")).is_some(), "{character:?}");
    }
}

#[test]
fn texts_of_many_languages_are_not_hidden() {
    for text in [
        "Reads a file\n\tand more",
        "读取本地文件",
        "ファイルを読む",
        "קובץ",
        "ملف",
        "Datei öffnen",
        "फ़ाइल",
        "cafe\u{301}",
        "→ ✓ €",
    ] {
        assert_eq!(hidden_character(text), None, "{text}");
    }
}

#[test]
fn strings_that_hide_something_are_found() {
    let cases: Value = serde_json::from_str(&data("display-spoofing.json")).unwrap();
    // What deceives by looking like something else is not hidden: it is for the consent screen.
    let visible = [
        "homoglyph-cyrillic",
        "homoglyph-greek",
        "fullwidth",
        "math-bold",
        "ligature",
        "combining-zalgo",
        "kelvin-sign",
        "long-s",
        "dotless-i",
        "newline-fake-buttons",
        "1MiB-title",
        "10k-newlines-push-down",
        "tab-push-right",
        "nbsp-pad",
        "html",
        "svg",
        "md-image-beacon",
        "md-link-hide",
        "css-attr",
        "template",
        "json-in-log",
        "lone-surrogate-escape",
    ];
    // A joined emoji is legitimate on a screen, but the contract refuses zero-width characters.
    let refused_all_the_same = ["emoji-zwj"];
    for case in cases["cases"].as_array().unwrap() {
        let id = case["id"].as_str().unwrap();
        let harmless = case["legit"] == true && !refused_all_the_same.contains(&id);
        let expected = !harmless && !visible.contains(&id);
        let text = case["text"].as_str().unwrap();
        assert_eq!(hidden_character(text).is_some(), expected, "{id}");
    }
}

proptest! {
    #[test]
    fn the_first_hidden_character_is_reported_with_its_place(
        before in "[a-zé€读]{0,8}", after in "\\PC{0,8}"
    ) {
        let text = format!("{before}\u{200b}{after}");
        prop_assert_eq!(hidden_character(&text), Some((before.len(), '\u{200b}')));
    }
}
