//! What is refused of YAML and JSON themselves, and what plain words mean.

use assent_rehearsal::{Format, read};
use serde_json::{Value, json};

use crate::{problems, problems_of};

/// The value that a text means as the input of a call.
fn input(text: &str) -> Value {
    let file = format!("calls:\n  - id: a\n    tool: t\n    input: {text}\n");
    let scenario = read(file.as_bytes(), Format::Yaml).unwrap_or_else(|problems| {
        panic!("{text}: {problems:?}");
    });
    scenario.calls[0].input.clone()
}

#[test]
fn plain_words_are_texts_and_numbers_are_those_of_json() {
    for (text, expected) in [
        ("no", json!("no")),
        ("[yes, On, off, n]", json!(["yes", "On", "off", "n"])),
        ("[true, False, ~, null, '', \"1\"]", json!([true, false, null, null, "", "1"])),
        ("[1, -2, 1.0, 1e2, 0x10, .5]", json!([1, -2, 1, 100, 16, 0.5])),
        ("2026-05-08", json!("2026-05-08")),
        ("{a: &x [1, {b: 2}], c: *x}", json!({"a": [1, {"b": 2}], "c": [1, {"b": 2}]})),
        ("{&k key: 1, other: *k }", json!({"key": 1, "other": "key"})),
        ("{'<<': 1}", json!({"<<": 1})),
        ("|\n      two\n      lines\n", json!("two\nlines\n")),
        (">-\n      one\n      line\n", json!("one line")),
        ("\"\\u00e9\\ud83d\\ude00\"", json!("é😀")),
    ] {
        assert_eq!(input(text), expected, "{text}");
    }
}

#[test]
fn what_readers_of_yaml_disagree_about_is_refused() {
    for (text, expected) in [
        ("", "(1:1): the file is empty"),
        ("# nothing", "(1:1): the file is empty"),
        ("\u{feff}mode: plan", "(1:1): remove the byte order mark at the start of the file"),
        ("%YAML 1.2\n---\nmode: plan", "(1:1): YAML directives are disallowed"),
        (
            "mode: plan\n---\nmode: plan",
            "(2:1): a file holds one document; put the next one into a file of its own",
        ),
        ("mode: plan\nmode: plan", "/mode (2:1): the key `mode` occurs twice in one object"),
        (
            "policies: !!str x",
            "/policies (1:11): tags are not allowed; use quotes to make a value a text",
        ),
        (
            "tools: !!seq []",
            "/tools (1:8): tags are not allowed; use quotes to make a value a text",
        ),
        ("? [a]\n: 1", "(1:3): a key must be text, not a list; use quotes"),
        ("surface: {1: x}", "/surface (1:11): a key must be text, not a number; use quotes"),
        ("surface: {true: x}", "/surface (1:11): a key must be text, not a boolean; use quotes"),
        ("surface: {~: x}", "/surface (1:11): a key must be text, not nothing; use quotes"),
        ("policies: *nobody", "/policies (1:11): while parsing node, found unknown anchor"),
        ("tools: &t [*t]", "/tools/0 (1:12): an alias cannot be inside of the value it refers to"),
        ("tools: [", "/tools/0 (1:8): unclosed bracket '['"),
        (
            "approval_timeout_ms: 9007199254740993",
            "/approval_timeout_ms (1:22): no IEEE 754 double represents this integer, \
             so readers would disagree about it",
        ),
    ] {
        let problems = problems(text);
        assert_eq!(problems.first().map(String::as_str), Some(expected), "{text}");
    }
}

#[test]
fn a_refused_value_does_not_hide_the_other_problems() {
    assert_eq!(
        problems(
            "clock: !x virtual\nmode: plan\nmode: nothing\nsurface:\n  <<: {}\n  budget: 010\n"
        ),
        [
            "/clock (1:8): tags are not allowed; use quotes to make a value a text",
            "/mode (3:1): the key `mode` occurs twice in one object",
            "/surface (5:3): merge keys are not supported; write the members out",
            "/surface/<< (5:3): the key `<<` is not known here; known are `budget`, `blocked`",
            "/surface/budget (6:11): parsers disagree about a number that begins with 0: \
             remove the 0, or use quotes to make it a text",
        ]
    );
}

#[test]
fn json_is_read_strictly() {
    for (text, expected) in [
        ("{\"mode\": \"plan\",}", "(1:17): expected a key in double quotes"),
        ("{\"a\": 1, \"a\": 2}", "/a (1:10): the key `a` occurs twice in one object"),
        ("{} {}", "(1:4): nothing may follow the document"),
        ("", "(1:1): the text ends in the middle of a value"),
    ] {
        let problems = problems_of(text, Format::Json);
        assert_eq!(problems, [expected], "{text}");
    }
}

#[test]
fn bytes_that_are_not_text_are_refused_at_their_place() {
    for format in [Format::Yaml, Format::Json] {
        let problems = read(b"{\"mode\": \"\xff\"}", format).unwrap_err();
        assert_eq!(problems.to_string(), "(1:11): the bytes are not valid UTF-8");
    }
}
