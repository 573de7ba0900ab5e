//! Events of the relay.

use assent_protocol::a2h::{EventBody, RelayEvent, RelayEventType};
use serde_json::{Value, json};

const USER: &str = "usr_01ARZ3NDEKTSV4RRFFQ69G5FAV";
const AGENT: &str = "agt_01ARZ3NDEKTSV4RRFFQ69G5FAV";

fn data(kind: RelayEventType) -> Value {
    let hash = "0".repeat(64);
    match kind {
        RelayEventType::MessageNew => json!({
            "message_id": "msg_01ARZ3NDEKTSV4RRFFQ69G5FAV", "conversation_id": "cnv_01ARZ3NDEKTSV4RRFFQ69G5FAV",
            "conversation_seq": 1, "sender_type": "agent", "sender_id": AGENT,
            "client_message_id": "01ARZ3NDEKTSV4RRFFQ69G5FAV", "msg_subtype": "artifact_tool_call",
            "content_type": "artifact", "envelope": "AAAA", "created_at": "2026-05-08T00:00:00Z" }),
        RelayEventType::MessageAck => json!({
            "client_message_id": "m1", "message_id": "msg_01ARZ3NDEKTSV4RRFFQ69G5FAV",
            "conversation_id": "cnv_01ARZ3NDEKTSV4RRFFQ69G5FAV", "conversation_seq": 2 }),
        RelayEventType::RelationEstablished
        | RelayEventType::RelationUpdated
        | RelayEventType::RelationRevoked
        | RelayEventType::RelationSuspended
        | RelayEventType::RelationRestored => json!({
            "relation_id": "rel_01ARZ3NDEKTSV4RRFFQ69G5FAV", "user_id": USER, "agent_id": AGENT,
            "granted_scopes": ["filesystem:read"], "manifest_hash": hash, "manifest_version": 3 }),
        RelayEventType::ReauthRequired => json!({
            "agent_id": AGENT, "new_manifest_version": 7, "new_manifest_hash": hash,
            "scopes_requiring_reauth": ["location:read"] }),
        RelayEventType::CapabilityChanged => json!({
            "agent_id": AGENT, "manifest_version": 7, "manifest_hash": hash, "user_id": USER, "accepted": false }),
        RelayEventType::AgentKeysChanged => json!({
            "agent_id": AGENT, "registered_at": "2026-01-02T03:04:05.678Z" }),
        RelayEventType::Telemetry => {
            json!({ "agent_id": AGENT, "code": "MANIFEST_LARGE", "message": "m" })
        }
        RelayEventType::SessionInvalidated => json!({ "reason": "token_reused" }),
    }
}

#[test]
fn every_event_comes_back_with_its_unknown_fields() {
    for kind in RelayEventType::ALL {
        let mut data = data(*kind);
        data["x_new"] = json!({ "a": null });
        let frame = json!({ "type": kind.as_str(), "event_id": 9, "data": data });
        let event: RelayEvent = serde_json::from_value(frame.clone()).unwrap();
        assert_eq!(event.body.event_type(), kind.as_str());
        assert!(!matches!(event.body, EventBody::Other { .. }), "{kind}");
        assert_eq!(serde_json::to_value(event).unwrap(), frame);
    }
}

#[test]
fn an_unknown_event_survives() {
    let frame = json!({ "type": "stars.aligned", "event_id": 1, "data": [1, 2] });
    let event: RelayEvent = serde_json::from_value(frame.clone()).unwrap();
    assert_eq!(
        event.body,
        EventBody::Other { event_type: "stars.aligned".to_owned(), data: json!([1, 2]) }
    );
    assert_eq!(serde_json::to_value(event).unwrap(), frame);
}

#[test]
fn known_events_with_wrong_data_are_refused() {
    for kind in RelayEventType::ALL {
        let frame = json!({ "type": kind.as_str(), "event_id": 1, "data": { "agent_id": 5 } });
        assert!(serde_json::from_value::<RelayEvent>(frame).is_err(), "{kind}");
    }
}
