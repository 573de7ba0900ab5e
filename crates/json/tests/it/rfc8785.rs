//! The test data of RFC 8785's reference repository.

use crate::{data, files};

#[test]
fn every_document_becomes_its_published_canonical_form() {
    for input in files("rfc8785/testdata/input") {
        let name = input.file_name().unwrap();
        let expected = data("rfc8785/testdata/output").join(name);
        let canonical = assent_json::canonicalize(&std::fs::read(&input).unwrap()).unwrap();
        assert_eq!(canonical, std::fs::read(expected).unwrap(), "{name:?}");
    }
}

#[test]
fn every_published_canonical_form_is_canonical() {
    for output in files("rfc8785/testdata/output") {
        let text = std::fs::read(&output).unwrap();
        assert_eq!(assent_json::canonicalize(&text).unwrap(), text, "{output:?}");
    }
}

#[test]
fn a_hundred_thousand_doubles_are_written_as_ecmascript_writes_them() {
    let lines = std::fs::read_to_string(data("rfc8785/es6-floats-100k.txt")).unwrap();
    let mut count = 0;
    for line in lines.lines() {
        let (bits, expected) = line.split_once(',').unwrap();
        let value = f64::from_bits(u64::from_str_radix(bits, 16).unwrap());
        // Three ways to write the same double: exactly, with 17 digits, and as it is expected back.
        for text in [format!("{value:e}"), format!("{value:.17e}"), expected.to_owned()] {
            let canonical = assent_json::canonicalize(text.as_bytes()).unwrap();
            assert_eq!(std::str::from_utf8(&canonical).unwrap(), expected, "{line} from {text}");
        }
        count += 1;
    }
    assert_eq!(count, 100_000);
}
