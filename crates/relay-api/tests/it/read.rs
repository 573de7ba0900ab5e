//! Requests are read, or refused with a code, a place and no value.

use assent_ids::AgentId;
use assent_protocol::a2h::{ApiCode, ApiError};
use assent_relay_api::{
    operations::{
        accounts::NewAccount, agents::AgentSearch, conversations::NewMessage, keys::PrekeyClaim,
        relations::NewRelation,
    },
    path::AgentPath,
    read::{read_body, read_optional_body, read_path, read_query},
};
use proptest::prelude::*;
use serde_json::{Value, json};

/// Code and pointer of an error.
fn place(error: ApiError) -> (ApiCode, String) {
    (error.code.known().unwrap(), error.params["pointer"].as_str().unwrap().to_owned())
}

fn account(body: Value) -> Result<NewAccount, (ApiCode, String)> {
    read_body(body.to_string().as_bytes()).map_err(place)
}

#[test]
fn what_is_no_json_says_where() {
    let error = read_body::<NewAccount>(b"{\"email\":\n \"a@b\",}").unwrap_err();
    assert_eq!(error.code, ApiCode::MalformedJson);
    assert_eq!(error.params["line"], 2);
    assert!(error.params["column"].as_u64().unwrap() > 1);
    let error = read_body::<NewAccount>(br#"{"email":"a@b","email":"c@d"}"#).unwrap_err();
    assert_eq!(error.code, ApiCode::MalformedJson, "two readers could take two accounts");
    assert_eq!(read_body::<NewAccount>(b"").unwrap_err().code, ApiCode::MalformedJson);
}

#[test]
fn wrong_types_and_missing_fields_are_bad_requests_with_a_pointer() {
    let whole = json!({ "email": "a@b.c", "account_password": "12345678", "display_name": "A" });
    assert!(account(whole.clone()).is_ok());
    for (field, value, pointer) in [
        ("email", json!(1), "/email"),
        ("account_password", json!(["planted"]), "/account_password"),
        ("display_name", Value::Null, "/display_name"),
        ("cookie", json!("no"), "/cookie"),
        ("device_locale", json!({}), "/device_locale"),
    ] {
        let mut body = whole.clone();
        body[field] = value;
        assert_eq!(account(body).unwrap_err(), (ApiCode::BadRequest, pointer.to_owned()));
    }
    for field in ["email", "account_password", "display_name"] {
        let mut body = whole.clone();
        body.as_object_mut().unwrap().remove(field);
        assert_eq!(account(body).unwrap_err(), (ApiCode::BadRequest, format!("/{field}")));
    }
    for body in [
        json!([]),
        json!(["a@b.c", "12345678", "A", null, null]),
        json!("x"),
        Value::Null,
        json!(1),
    ] {
        assert_eq!(account(body).unwrap_err(), (ApiCode::BadRequest, String::new()));
    }
}

#[test]
fn broken_rules_are_distinguished_from_wrong_types() {
    let body = json!({ "email": "nobody", "account_password": "12345678", "display_name": "A" });
    assert_eq!(account(body).unwrap_err(), (ApiCode::ValidationFailed, "/email".to_owned()));
    let mut relation: Value =
        serde_json::from_str(include_str!("../../src/operations/relations/create_relation.json"))
            .unwrap();
    let read = |body: &Value| read_body::<NewRelation>(body.to_string().as_bytes()).map_err(place);
    assert!(read(&relation).is_ok());
    let entry = "/ledger_entry/entry";
    for (at, value, code) in [
        ("/granted_scopes/1", json!("Not a scope"), ApiCode::ValidationFailed),
        ("/granted_scopes/0", json!(7), ApiCode::BadRequest),
        ("/manifest_hash", json!("planted"), ApiCode::ValidationFailed),
        ("/ledger_entry/signature", json!("planted"), ApiCode::ValidationFailed),
        ("/ledger_entry/entry/action", json!("planted"), ApiCode::ValidationFailed),
        ("/ledger_entry/entry/v", json!("1"), ApiCode::BadRequest),
        ("/ledger_entry/entry/prev", json!("planted"), ApiCode::ValidationFailed),
    ] {
        let mut body = relation.clone();
        *body.pointer_mut(at).unwrap() = value;
        assert_eq!(read(&body).unwrap_err(), (code, at.to_owned()));
    }
    relation.pointer_mut(entry).unwrap()["note"] = json!("planted");
    assert_eq!(read(&relation).unwrap_err(), (ApiCode::ValidationFailed, format!("{entry}/note")));
    let fields = relation.pointer_mut(entry).unwrap().as_object_mut().unwrap();
    fields.remove("note");
    fields.remove("prev");
    assert_eq!(read(&relation).unwrap_err(), (ApiCode::BadRequest, format!("{entry}/prev")));
}

#[test]
fn rules_of_several_fields_name_the_right_one() {
    let claim = |body: Value| read_body::<PrekeyClaim>(body.to_string().as_bytes()).map_err(place);
    let (user, agent, device) = (
        "usr_01JZ8Q4Y7N3M5K2B9C6D1E0F4G",
        "agt_01JZ8Q5A1B2C3D4E5F6G7H8J9K",
        "dev_01JZ8Q6R7S8T9V0W1X2Y3Z4A5B",
    );
    assert!(claim(json!({ "user_id": user, "device_id": device })).is_ok());
    assert!(claim(json!({ "agent_id": agent, "user_id": null })).is_ok());
    let refused = |pointer: &str| Err((ApiCode::ValidationFailed, pointer.to_owned()));
    assert_eq!(claim(json!({})), refused(""));
    assert_eq!(claim(json!({ "user_id": user, "agent_id": agent })), refused(""));
    assert_eq!(claim(json!({ "agent_id": agent, "device_id": device })), refused("/device_id"));
}

#[test]
fn unknown_fields_are_ignored() {
    let body = json!({ "email": "a@b.c", "account_password": "12345678", "display_name": "A", "turnstile_token": { "deep": [1, 2] } });
    assert!(account(body).is_ok());
}

#[test]
fn a_body_that_may_be_absent_is_the_empty_object() {
    use assent_relay_api::operations::accounts::RefreshToken;
    assert_eq!(read_optional_body::<RefreshToken>(b"").unwrap(), RefreshToken::default());
    assert_eq!(read_optional_body::<RefreshToken>(b" { } ").unwrap(), RefreshToken::default());
    assert!(read_optional_body::<RefreshToken>(b" ").is_err());
}

#[test]
fn paths_are_bad_requests_with_the_name_of_the_parameter() {
    let id = "agt_01JZ8Q5A1B2C3D4E5F6G7H8J9K";
    let path: AgentPath = read_path([("agent_id", id)]).unwrap();
    assert_eq!(path.agent_id, id.parse::<AgentId>().unwrap());
    for wrong in
        ["", "7", "agt_", "usr_01JZ8Q4Y7N3M5K2B9C6D1E0F4G", "agt_01jz8q5a1b2c3d4e5f6g7h8j9k"]
    {
        let error = read_path::<AgentPath>([("agent_id", wrong)]).unwrap_err();
        assert_eq!(place(error), (ApiCode::BadRequest, "/agent_id".to_owned()), "{wrong}");
    }
    assert_eq!(place(read_path::<AgentPath>([]).unwrap_err()).1, "/agent_id");
    read_path::<()>([]).unwrap();
}

#[test]
fn queries_are_decoded_and_typed() {
    let search: AgentSearch =
        read_query("q=caf%C3%A9+au%20lait&scope=filesystem:read&owned=true&cursor=&unknown=1&&")
            .unwrap();
    assert_eq!(search.q.unwrap().as_str(), "café au lait");
    assert_eq!(search.scope.unwrap().as_str(), "filesystem:read");
    assert_eq!((search.owned, search.cursor), (Some(true), None));
    for (query, code, pointer) in [
        ("owned=yes", ApiCode::BadRequest, "/owned"),
        ("limit=-1", ApiCode::BadRequest, "/limit"),
        ("limit=9007199254740992", ApiCode::BadRequest, "/limit"),
        ("limit=1&limit=2", ApiCode::BadRequest, "/limit"),
        ("q=%FF", ApiCode::BadRequest, "/q"),
        ("%FF=1", ApiCode::BadRequest, ""),
        ("scope=planted", ApiCode::ValidationFailed, "/scope"),
        ("cursor=a%20b", ApiCode::ValidationFailed, "/cursor"),
    ] {
        assert_eq!(
            place(read_query::<AgentSearch>(query).unwrap_err()),
            (code, pointer.to_owned()),
            "{query}"
        );
    }
    read_query::<()>("anything=goes").unwrap();
}

#[test]
fn integers_that_texts_and_doubles_disagree_about_are_no_counts() {
    let read = |text: &str| read_body::<u64>(text.as_bytes()).map_err(place);
    assert_eq!(read("9007199254740991"), Ok((1 << 53) - 1));
    assert_eq!(read("1.0"), Ok(1));
    for text in ["9007199254740992", "18446744073709549568", "1e30", "0.5"] {
        assert_eq!(read(text), Err((ApiCode::BadRequest, String::new())), "{text}");
    }
    let value: Value = read_body(b"18446744073709549568").unwrap();
    assert_eq!(
        assent_json::canonicalize(value.to_string().as_bytes()).unwrap(),
        b"18446744073709550000"
    );
}

/// JSON values of any shape, with a marker in every text.
fn any_json() -> impl Strategy<Value = Value> {
    let leaf = prop_oneof![
        Just(Value::Null),
        any::<bool>().prop_map(Value::from),
        (-9_007_199_254_740_991_i64..9_007_199_254_740_991).prop_map(Value::from),
        any::<f64>()
            .prop_filter("JSON has no infinities", |float| float.is_finite())
            .prop_map(Value::from),
        "planted[a-z]{0,9}".prop_map(Value::from),
    ];
    leaf.prop_recursive(4, 40, 6, |inner| {
        prop_oneof![
            proptest::collection::vec(inner.clone(), 0..6).prop_map(Value::from),
            proptest::collection::btree_map("[a-z]{1,6}", inner, 0..6)
                .prop_map(|fields| Value::Object(fields.into_iter().collect())),
        ]
    })
}

proptest! {
    #[test]
    fn any_bytes_are_a_value_or_an_error(bytes in proptest::collection::vec(any::<u8>(), 0..300)) {
        let _account = read_body::<NewAccount>(&bytes);
        let _value = read_body::<Value>(&bytes);
        let _query = read_query::<AgentSearch>(&String::from_utf8_lossy(&bytes));
    }

    /// Whatever is read into a tree and written again has the canonical form that it had.
    #[test]
    fn our_deserialiser_reads_what_the_strict_reader_read(value in any_json()) {
        let text = value.to_string();
        let read: Value = read_body(text.as_bytes()).unwrap();
        let again = assent_json::canonicalize(read.to_string().as_bytes()).unwrap();
        prop_assert_eq!(again, assent_json::canonicalize(text.as_bytes()).unwrap());
    }

    /// Wherever a value of a good body is replaced by another one, the body is read or refused, the pointer
    /// leads to the place or above it, and the message does not repeat what stood there.
    #[test]
    fn a_fault_is_found_where_it_is_and_not_repeated(value in any_json(), field in 0_usize..4) {
        let mut body: Value = serde_json::from_str(include_str!("../../src/operations/conversations/send_message.json")).unwrap();
        let name = ["client_message_id", "msg_subtype", "content_type", "envelope"][field];
        body[name] = value;
        if let Err(error) = read_body::<NewMessage>(body.to_string().as_bytes()) {
            prop_assert!([400, 413, 422].contains(&error.code.known().unwrap().http_status()));
            prop_assert_eq!(&error.params["pointer"], &json!(format!("/{name}")));
            prop_assert!(name.contains("_") || !error.message.contains("planted"), "{}", error.message);
        }
    }
}

#[test]
fn no_error_says_the_text_that_it_is_about() {
    for text in ["hsk_secret", "` is none of ", "x` is not a valid agent id: y", "\u{1b}[31m", "`"]
    {
        let error = read_path::<AgentPath>([("agent_id", text)]).unwrap_err();
        assert_eq!(error.message, "this is not a valid agent id: it must begin with `agt_`");
        let body = json!({ text: 1 }).to_string().replace(":1", ":1,").replace('}', "");
        let twice = format!("{body}{}", json!({ text: 1 }).to_string().replace('{', ""));
        let error = read_body::<NewAccount>(twice.as_bytes()).unwrap_err();
        let said = "the body is not JSON: a key occurs twice in one object at ";
        assert!(error.message.starts_with(said), "{error:?}");
    }
}
