//! Inputs made to be misunderstood.

use assent_json::{ReadErrorKind, canonicalize, read};
use serde_json::Value;

use crate::data;

/// The document of a case: its text, its bytes in hexadecimal, or what its generator describes.
fn document(case: &Value) -> Vec<u8> {
    let id = case["id"].as_str().unwrap();
    match (id, case["text"].as_str()) {
        ("invalid-utf8", Some(hex)) => (0..hex.len())
            .step_by(2)
            .map(|at| u8::from_str_radix(&hex[at..at + 2], 16).unwrap())
            .collect(),
        (_, Some(text)) => text.as_bytes().to_vec(),
        ("deep-array", None) => ["[".repeat(200_000), "]".repeat(200_000)].concat().into_bytes(),
        ("deep-object", None) => {
            ["{\"a\":".repeat(100_000), "1".to_owned(), "}".repeat(100_000)].concat().into_bytes()
        }
        ("wide-1e6", None) => format!("[{}]", vec!["0"; 1_000_000].join(",")).into_bytes(),
        ("huge-string", None) => format!("\"{}\"", "A".repeat(8_388_608)).into_bytes(),
        ("huge-number", None) => "1".repeat(1_000_000).into_bytes(),
        (unknown, None) => panic!("no generator for {unknown}"),
    }
}

fn canonical(text: &[u8]) -> String {
    String::from_utf8(canonicalize(text).unwrap()).unwrap()
}

#[test]
fn every_edge_case_is_refused_or_kept_as_it_asks() {
    let cases: Value =
        serde_json::from_slice(&std::fs::read(data("adversarial/json-edges.json")).unwrap())
            .unwrap();
    let cases = cases["cases"].as_array().unwrap();
    assert_eq!(cases.len(), 30);
    for case in cases {
        let text = document(case);
        let id = case["id"].as_str().unwrap();
        match case["expect"].as_str().unwrap() {
            "reject" | "reject-or-exact" | "reject-size" | "reject (hex bytes)" => {
                assert!(read(&text).is_err(), "{id}");
            }
            "reject-depth" => assert_eq!(read(&text).unwrap_err().kind, ReadErrorKind::TooDeep),
            "reject-size-or-bounded" => assert_eq!(read(&text).unwrap().root().len(), 1_000_000),
            "same-canonical-as-1" => assert_eq!(canonical(&text), r#"{"n":1}"#),
            "canonical-0" | "canonical-0-or-reject" => assert_eq!(canonical(&text), r#"{"n":0}"#),
            "round-trip" | "keep-as-data" => {
                assert_eq!(canonical(&text).into_bytes(), text, "{id}");
            }
            "two-distinct-keys-no-normalisation" => {
                assert_eq!(canonical(&text), "{\"e\u{301}\":2,\"é\":1}");
            }
            "rfc8785-order-by-utf16-units" => {
                assert_eq!(canonical(&text), "{\"€\":3,\"😂\":2,\"\u{fb33}\":1}");
            }
            unknown => panic!("no rule for {unknown}"),
        }
    }
}

#[test]
fn nesting_is_accepted_up_to_the_limit_and_refused_beyond() {
    let nested = |depth: usize| ["[".repeat(depth), "]".repeat(depth)].concat();
    assert!(read(nested(128).as_bytes()).is_ok());
    assert_eq!(read(nested(129).as_bytes()).unwrap_err().kind, ReadErrorKind::TooDeep);
}

#[test]
fn documents_are_accepted_up_to_the_limit_and_refused_beyond() {
    let text = |length: usize| format!("\"{}\"", "a".repeat(length - 2)).into_bytes();
    assert!(read(&text(assent_json::MAX_DOCUMENT_BYTES)).is_ok());
    let error = read(&text(assent_json::MAX_DOCUMENT_BYTES + 1)).unwrap_err();
    assert_eq!(error.kind, ReadErrorKind::TooLarge);
}

/// Between 2^53 and 10^21 a double is written with digits that its exact value does not have. Both
/// spellings of such a double are accepted, and nothing between two doubles is.
#[test]
fn a_large_integer_is_accepted_only_if_it_names_a_double() {
    for accepted in ["9007199254740992", "9223372036854775808", "9223372036854776000", "-1e30"] {
        assert!(read(accepted.as_bytes()).is_ok(), "{accepted}");
    }
    for refused in ["9007199254740993", "9223372036854775807", "-9007199254740993"] {
        let kind = read(refused.as_bytes()).unwrap_err().kind;
        assert_eq!(kind, ReadErrorKind::IntegerNotExact, "{refused}");
    }
}
