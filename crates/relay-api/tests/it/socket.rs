//! Frames are read as they were meant, and refused without a panic otherwise.

use assent_protocol::a2h::ApiCode;
use assent_relay_api::socket::{Ack, Auth, ClientFrame, CloseCode, MAX_FRAME_BYTES, ServerFrame};
use proptest::prelude::*;
use serde_json::{Value, json};

fn client(frame: Value) -> Result<ClientFrame, ApiCode> {
    ClientFrame::read(frame.to_string().as_bytes()).map_err(|error| error.code.known().unwrap())
}

#[test]
fn frames_of_clients_are_read() {
    let Ok(ClientFrame::Auth(Auth { token, agent_id, resume_after, device_id })) = client(json!({
        "type": "auth", "token": "hsk_planted", "agent_id": "agt_01JZ8Q5A1B2C3D4E5F6G7H8J9K",
        "resume_after": 41, "device_id": "dev_01JZ8Q6R7S8T9V0W1X2Y3Z4A5B", "later": true,
    })) else {
        panic!("it is the first frame")
    };
    assert_eq!(token.expose(), "hsk_planted");
    assert_eq!(agent_id.unwrap().to_string(), "agt_01JZ8Q5A1B2C3D4E5F6G7H8J9K");
    assert_eq!(resume_after.unwrap().0, 41);
    assert!(device_id.is_some());
    let ack = client(json!({ "type": "ack", "event_id": 7 }));
    assert_eq!(ack, Ok(ClientFrame::Ack(Ack { event_id: assent_ids::EventSeq(7) })));
    assert!(matches!(
        client(json!({ "type": "auth.renew", "access_token": "x" })),
        Ok(ClientFrame::AuthRenew(_))
    ));
    assert!(matches!(client(json!({ "type": "ping" })), Ok(ClientFrame::Ping(_))));
    assert_eq!(client(json!({ "type": "typing", "conversation_id": 1 })), Ok(ClientFrame::Unknown));
}

#[test]
fn wrong_frames_are_refused_with_a_code() {
    for (frame, code) in [
        (json!({ "type": "auth" }), ApiCode::BadRequest),
        (json!({ "type": "auth", "token": 1 }), ApiCode::BadRequest),
        (
            json!({ "type": "auth", "token": "x", "device_id": "planted" }),
            ApiCode::ValidationFailed,
        ),
        (json!({ "type": "ack" }), ApiCode::BadRequest),
        (json!({ "type": "ack", "event_id": -1 }), ApiCode::ValidationFailed),
        (json!({ "type": 1 }), ApiCode::BadRequest),
        (json!([]), ApiCode::BadRequest),
    ] {
        assert_eq!(client(frame.clone()), Err(code), "{frame}");
    }
    assert_eq!(ClientFrame::read(b"auth").unwrap_err().code, ApiCode::MalformedJson);
}

#[test]
fn a_frame_has_a_longest_length() {
    let frame = |length: usize| {
        let mut text = r#"{"type":"ping"}"#.to_owned();
        text.push_str(&" ".repeat(length - text.len()));
        ClientFrame::read(text.as_bytes())
    };
    assert!(frame(MAX_FRAME_BYTES).is_ok());
    assert_eq!(frame(MAX_FRAME_BYTES + 1).unwrap_err().code, ApiCode::PayloadTooLarge);
}

#[test]
fn frames_of_the_server_survive_being_written_and_read() {
    for frame in [
        json!({ "type": "auth.ok", "id": "usr_01JZ8Q4Y7N3M5K2B9C6D1E0F4G", "resume_after": 1, "first_event_id": 1, "latest_event_id": 9, "expires_in_seconds": 300 }),
        json!({ "type": "auth.ok", "id": "agt_01JZ8Q5A1B2C3D4E5F6G7H8J9K", "resume_after": 0, "first_event_id": 1, "latest_event_id": 0 }),
        json!({ "type": "auth.error", "reason": "invalid_token", "message": "the token has expired", "i18n_key": "error.auth.invalid_token" }),
        json!({ "type": "auth.error", "reason": "of_the_future", "message": "", "i18n_key": "" }),
        json!({ "type": "auth.expiring", "expires_in_seconds": 30 }),
        json!({ "type": "draining", "reconnect_after_ms": 250 }),
        json!({ "type": "message.sent", "conversation_id": "cnv_01JZ8Q4Y7N3M5K2B9C6D1E0F4G", "client_message_id": "m1", "message_id": "msg_01JZ8Q4Y7N3M5K2B9C6D1E0F4G", "conversation_seq": 7 }),
        json!({ "type": "message.refused", "client_message_id": "m1", "error": { "code": "NOT_FOUND", "message": "", "i18n_key": "", "params": {} } }),
        json!({ "type": "message.refused", "error": { "code": "OF_THE_FUTURE", "message": "", "i18n_key": "", "params": { "pointer": "/envelope" } } }),
        json!({ "type": "pong" }),
        json!({ "type": "session.invalidated", "event_id": 3, "data": { "reason": "logged_out" } }),
        json!({ "type": "event.of.the.future", "event_id": 4, "data": { "a": [1] } }),
    ] {
        let read = ServerFrame::read(frame.to_string().as_bytes()).unwrap();
        assert_eq!(serde_json::to_value(&read).unwrap(), frame);
    }
}

#[test]
fn frames_of_clients_survive_being_written_and_read() {
    for frame in [
        json!({ "type": "auth", "token": "t", "resume_after": 1 }),
        json!({ "type": "auth.renew", "access_token": "t" }),
        json!({ "type": "ack", "event_id": 5 }),
        json!({ "type": "message.send", "conversation_id": "cnv_01JZ8Q4Y7N3M5K2B9C6D1E0F4G", "client_message_id": "m1", "msg_subtype": "text", "content_type": "text", "envelope": "aGk=" }),
        json!({ "type": "ping" }),
    ] {
        assert_eq!(serde_json::to_value(client(frame.clone()).unwrap()).unwrap(), frame);
    }
}

#[test]
fn close_codes_are_different_and_lie_where_applications_may_put_them() {
    let codes: std::collections::BTreeSet<u16> =
        CloseCode::ALL.iter().map(|code| code.code()).collect();
    assert_eq!(codes.len(), CloseCode::ALL.len());
    assert!(codes.iter().all(|code| [1001, 1009].contains(code) || (4000..5000).contains(code)));
}

#[test]
fn a_message_that_cannot_be_read_keeps_what_can_be_read_of_its_names() {
    let message = |envelope: Value, id: Value| {
        client(json!({
            "type": "message.send", "conversation_id": "cnv_01JZ8Q4Y7N3M5K2B9C6D1E0F4G",
            "client_message_id": id, "msg_subtype": "text", "content_type": "text",
            "envelope": envelope,
        }))
    };
    let Ok(ClientFrame::Unreadable(refused)) = message(json!("?"), json!("m1")) else { panic!() };
    assert_eq!(refused.client_message_id.unwrap().as_str(), "m1");
    assert_eq!(refused.error.code, ApiCode::ValidationFailed);
    assert_eq!(refused.error.params["pointer"], "/envelope");
    let Ok(ClientFrame::Unreadable(refused)) = message(json!("aGk="), json!(7)) else { panic!() };
    assert_eq!(refused.client_message_id, None);
    assert_eq!(refused.conversation_id.unwrap().to_string(), "cnv_01JZ8Q4Y7N3M5K2B9C6D1E0F4G");
    assert_eq!(refused.error.params["pointer"], "/client_message_id");
}

proptest! {
    #[test]
    fn any_bytes_are_a_frame_or_an_error(bytes in proptest::collection::vec(any::<u8>(), 0..200)) {
        let _client = ClientFrame::read(&bytes);
        let _server = ServerFrame::read(&bytes);
    }
}
