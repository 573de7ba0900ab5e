//! An error says what is wrong and where, as a line, a column and a JSON Pointer.

use assent_json::{Position, ReadErrorKind as Kind, read};

fn check(text: &str, kind: &Kind, line: usize, column: usize, pointer: &str) {
    let error = read(text.as_bytes()).unwrap_err();
    assert_eq!(&error.kind, kind, "{text}");
    assert_eq!(error.position, Position { line, column }, "{text}");
    assert_eq!(error.pointer.as_str(), pointer, "{text}");
}

#[test]
fn an_error_points_at_the_value_and_the_character() {
    check("{\"a\": [1, 2,\n  x]}", &Kind::Expected("a value"), 2, 3, "/a/2");
    check("{\"a/b\": {\"é\": 1, \"c\": tru}}", &Kind::Expected("a value"), 1, 23, "/a~1b/c");
    check("[1 2]", &Kind::Expected("`,` or `]`"), 1, 4, "");
    check("{\"a\" 1}", &Kind::Expected("`:`"), 1, 6, "");
    check("{a: 1}", &Kind::Expected("a key in double quotes"), 1, 2, "");
    check("[1, -]", &Kind::Expected("a digit"), 1, 6, "/1");
    check("[1] []", &Kind::TrailingBytes, 1, 5, "");
    check("[\"\\x\"]", &Kind::BadEscape, 1, 3, "/0");
    check("[\"\\u+123\"]", &Kind::BadEscape, 1, 3, "/0");
    check("[\"a\tb\"]", &Kind::ControlCharacter, 1, 4, "/0");
    check("{\"n\": 1e400}", &Kind::NumberOutOfRange, 1, 7, "/n");
    check("[\"\\ud83d\"]", &Kind::LoneSurrogate, 1, 3, "/0");
    check("{\"a\": {\"x\": 1, \"\\u0078\": 2}}", &Kind::DuplicateKey("x".into()), 1, 16, "/a/x");
}

#[test]
fn every_cut_of_a_document_ends_unexpectedly() {
    let text = r#"{"a": [true, null, -1.5e+3, "b\n€"], "c": {"d": false}}"#;
    for (end, _) in text.char_indices() {
        assert!(read(&text.as_bytes()[..end]).is_err(), "{}", &text[..end]);
    }
    for unfinished in
        ["", "  ", "[", "[1,", "{", "{\"a\"", "{\"a\":", "\"", "\"\\", "-", "1.", "1e"]
    {
        assert_eq!(
            read(unfinished.as_bytes()).unwrap_err().kind,
            Kind::UnexpectedEnd,
            "{unfinished}"
        );
    }
}

#[test]
fn a_byte_order_mark_and_broken_utf8_are_named() {
    check("\u{feff}{}", &Kind::ByteOrderMark, 1, 1, "");
    let error = read(b"{\"a\": \"\xff\"}").unwrap_err();
    assert_eq!((error.kind, error.offset), (Kind::InvalidUtf8, 7));
}
