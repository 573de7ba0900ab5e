//! The envelope and the codes of the HTTP interface.

use assent_protocol::{
    a2h::{ApiCode, ApiError, DataEnvelope, ErrorEnvelope, Page},
    wire::Open,
};
use serde_json::json;

#[test]
fn answers_have_one_envelope() {
    let one = serde_json::to_value(DataEnvelope { data: 1 }).unwrap();
    assert_eq!(one, json!({ "data": 1 }));
    let last = serde_json::to_value(Page { data: vec![1, 2], next_cursor: None }).unwrap();
    assert_eq!(last, json!({ "data": [1, 2], "next_cursor": null }));
    let page: Page<u8> = serde_json::from_value(json!({ "data": [], "next_cursor": "c" })).unwrap();
    assert_eq!(page.next_cursor.as_deref(), Some("c"));
}

#[test]
fn errors_carry_code_text_key_and_parameters() {
    let error = ApiError::new(ApiCode::BadRequest, "`name` must be a string").at("/name");
    let expected = json!({ "error": {
        "code": "BAD_REQUEST", "message": "`name` must be a string",
        "i18n_key": "error.bad_request", "params": { "pointer": "/name" } } });
    assert_eq!(serde_json::to_value(error.clone().envelope()).unwrap(), expected);
    assert_eq!(serde_json::from_value::<ErrorEnvelope>(expected).unwrap().error, error);
    let locked = ApiError::new(ApiCode::AccountLocked, "locked").retry_after(900);
    assert_eq!(locked.params["retry_after"], json!(900));
}

#[test]
fn a_code_of_a_newer_server_survives() {
    let newer = json!({ "error": { "code": "MOON_TOO_FULL", "message": "m", "i18n_key": "k", "params": {} } });
    let read: ErrorEnvelope = serde_json::from_value(newer.clone()).unwrap();
    assert_eq!(read.error.code, Open::read("MOON_TOO_FULL"));
    assert_eq!(serde_json::to_value(read).unwrap(), newer);
}

#[test]
fn codes_are_loud_and_unique_and_have_an_error_status() {
    let mut seen = std::collections::BTreeSet::new();
    for code in ApiCode::ALL {
        let text = code.as_str();
        assert!(seen.insert(text), "{text} twice");
        assert!(text.bytes().all(|b| b.is_ascii_uppercase() || b == b'_'), "{text}");
        assert!((400..600).contains(&code.http_status()), "{text}");
        assert_eq!(code.i18n_key(), format!("error.{}", text.to_lowercase()));
    }
}

#[test]
fn the_codes_of_the_contract_have_its_statuses() {
    for (code, status) in [
        ("MANIFEST_CHANGED", 409),
        ("UNKNOWN_SCOPE", 422),
        ("MANIFEST_TOO_LARGE", 413),
        ("ENVELOPE_TOO_LARGE", 413),
        ("PRECONDITION_FAILED", 412),
        ("MESSAGE_ID_REUSED", 409),
        ("ACCOUNT_LOCKED", 423),
        ("RATE_LIMITED", 429),
        ("NOT_FOUND", 404),
    ] {
        assert_eq!(code.parse::<ApiCode>().unwrap().http_status(), status, "{code}");
    }
    let later: Vec<_> = ApiCode::ALL.iter().filter(|code| code.retryable()).collect();
    assert_eq!(later.len(), 6);
    assert!(later.iter().all(|code| code.http_status() >= 423 || code.http_status() == 408));
}
