//! Messages on an event stream, at a relay that sends what a test says.

use std::{collections::BTreeSet, time::Duration};

use assent_ids::EventSeq;
use assent_protocol::a2h::{ApiCode, ContentType, MsgSubtype};
use assent_relay_api::{operations::conversations::NewMessage, socket::MessageSend};
use assent_relay_client::{ConnectOptions, EventStreamHandle, SendError, StreamEvent};
use serde_json::{Value, json};
use tokio::time::{sleep, timeout};

use crate::{
    scripted_relay::{HUMAN, ScriptedRelay, TIMEOUT, next, next_event},
    service::{Say, Script, serve},
};

const CONVERSATION: &str = "cnv_01JZ8Q5A1B2C3D4E5F6G7H8J9K";

fn message(id: &str, envelope: &str) -> MessageSend {
    MessageSend {
        conversation_id: CONVERSATION.parse().unwrap(),
        message: NewMessage {
            client_message_id: id.parse().unwrap(),
            msg_subtype: MsgSubtype::Text,
            content_type: ContentType::Text,
            envelope: envelope.to_owned().try_into().unwrap(),
        },
    }
}

/// Sends a message in a task of its own. Gives the number that the relay gave it.
fn sending(
    handle: &EventStreamHandle,
    id: &str,
) -> tokio::task::JoinHandle<Result<u64, SendError>> {
    let (handle, message) = (handle.clone(), message(id, "aGk="));
    let id = id.to_owned();
    tokio::spawn(async move {
        let sent = handle.send(message).await?;
        assert_eq!(sent.client_message_id.as_str(), id);
        Ok(sent.sent.conversation_seq.0)
    })
}

/// A script that stores every message.
fn storing() -> std::sync::Arc<Script> {
    let body = r#"{"data":{"message_id":"msg_01JZ8Q4Y7N3M5K2B9C6D1E0F4G","conversation_seq":8}}"#;
    Script::new([Say(201, &[("content-type", "application/json")], body.to_owned())])
}

#[tokio::test]
async fn many_tasks_send_at_once_and_each_gets_its_own_answer() {
    const TASKS: usize = 600;
    let relay = ScriptedRelay::start().await;
    let (events, mut peer) = relay.connected(HUMAN).await;
    let handle = events.handle();
    let tasks: Vec<_> = (0..TASKS).map(|number| sending(&handle, &format!("m{number}"))).collect();
    let mut seen = BTreeSet::new();
    // Answers come in another order, as those of conversations do.
    let mut held: Vec<Value> = Vec::new();
    while seen.len() < TASKS {
        let frame = peer.frame().await;
        assert!(seen.insert(frame["client_message_id"].to_string()), "each is sent once");
        held.push(frame);
        if held.len() == 100 {
            for frame in held.drain(..).rev() {
                peer.answer(&frame).await;
            }
        }
    }
    for task in tasks {
        assert_eq!(task.await.unwrap().unwrap(), 7);
    }
}

#[tokio::test]
async fn a_message_survives_a_broken_connection_under_the_same_id() {
    let relay = ScriptedRelay::start().await;
    let (mut events, mut peer) = relay.connected(HUMAN).await;
    let handle = events.handle();
    let first = sending(&handle, "m1");
    let frame = peer.frame().await;
    let second = sending(&handle, "m2");
    peer.frame().await;
    drop(peer);
    assert!(matches!(next(&mut events).await, Ok(StreamEvent::Disconnected { .. })));
    let third = sending(&handle, "m3");
    let mut peer = relay.peer().await;
    peer.welcome(0).await;
    for id in ["m1", "m2", "m3"] {
        let again = peer.frame().await;
        assert_eq!(again["client_message_id"], id, "in the order in which they were sent");
        if id == "m1" {
            assert_eq!(again, frame);
        }
        peer.answer(&again).await;
    }
    for task in [first, second, third] {
        assert_eq!(task.await.unwrap().unwrap(), 7);
    }
}

#[tokio::test]
async fn a_refused_message_reports_the_error_and_the_connection_goes_on() {
    let relay = ScriptedRelay::start().await;
    let (mut events, mut peer) = relay.connected(HUMAN).await;
    let refused = sending(&events.handle(), "m1");
    let frame = peer.frame().await;
    peer.send(json!({
        "type": "message.refused",
        "conversation_id": frame["conversation_id"],
        "client_message_id": "m1",
        "error": {
            "code": "RATE_LIMITED", "message": "slow down", "i18n_key": "x",
            "params": { "retry_after": 3 },
        },
    }))
    .await;
    let Err(SendError::Refused(refusal)) = refused.await.unwrap() else { panic!() };
    assert_eq!(refusal.code.as_ref().and_then(|code| code.known()), Some(ApiCode::RateLimited));
    assert_eq!(refusal.status.as_u16(), 429);
    assert_eq!(refusal.retry_after, Some(Duration::from_secs(3)));
    peer.event(1).await;
    assert_eq!(next_event(&mut events).await, EventSeq(1));
}

#[tokio::test]
async fn a_message_that_is_given_up_is_not_sent_again() {
    let relay = ScriptedRelay::start().await;
    let options = ConnectOptions { send_timeout: Duration::from_millis(200), ..HUMAN };
    let (events, mut peer) = relay.connected(options).await;
    let handle = events.handle();
    let given_up = sending(&handle, "m1");
    peer.frame().await;
    assert!(matches!(given_up.await.unwrap(), Err(SendError::Timeout)));
    drop(peer);
    let mut peer = relay.peer().await;
    peer.welcome(0).await;
    let sent = sending(&handle, "m2");
    let frame = peer.frame().await;
    assert_eq!(frame["client_message_id"], "m2");
    peer.answer(&frame).await;
    sent.await.unwrap().unwrap();
}

#[tokio::test]
async fn a_late_answer_is_not_taken_for_the_one_to_the_next_try() {
    let relay = ScriptedRelay::start().await;
    let options = ConnectOptions { send_timeout: Duration::from_millis(500), ..HUMAN };
    let (events, mut peer) = relay.connected(options).await;
    let first = sending(&events.handle(), "m1");
    let frame = peer.frame().await;
    assert!(matches!(first.await.unwrap(), Err(SendError::Timeout)));
    let again = sending(&events.handle(), "m1");
    peer.frame().await;
    peer.answer(&frame).await;
    sleep(Duration::from_millis(100)).await;
    assert!(!again.is_finished());
    peer.answer(&frame).await;
    again.await.unwrap().unwrap();
}

#[tokio::test]
async fn a_message_that_does_not_fit_into_a_frame_goes_by_http() {
    let relay = ScriptedRelay::start().await;
    let (events, _peer) = relay.connected(HUMAN).await;
    let script = storing();
    let handle = events.handle();
    let long =
        tokio::spawn(async move { handle.send(message("m1", &"AAAA".repeat(17 * 1024))).await });
    tokio::spawn(serve(relay.accept().await, script.clone()));
    let sent = long.await.unwrap().unwrap();
    assert_eq!((sent.client_message_id.as_str(), sent.sent.conversation_seq.0), ("m1", 8));
    let request = script.last();
    assert_eq!(request.target, format!("/conversations/{CONVERSATION}/messages"));
    assert_eq!(request.headers["authorization"], "Bearer token");
}

#[tokio::test]
async fn a_consumer_that_sends_before_it_takes_more_events_is_not_locked_up() {
    let relay = ScriptedRelay::start().await;
    let (mut events, mut peer) = relay.connected(HUMAN).await;
    for event_id in 1..=200 {
        peer.event(event_id).await;
    }
    // The buffer is full of events before the answer could come.
    sleep(Duration::from_millis(50)).await;
    let reply = sending(&events.handle(), "m1");
    let script = storing();
    tokio::spawn(serve(relay.accept().await, script.clone()));
    assert_eq!(timeout(TIMEOUT, reply).await.unwrap().unwrap().unwrap(), 8);
    // Acknowledgements leave all the same.
    assert_eq!(next_event(&mut events).await, EventSeq(1));
    events.handle().acknowledge(EventSeq(1));
    while peer.frame().await != json!({ "type": "ack", "event_id": 1 }) {}
    for event_id in 2..=200 {
        assert_eq!(next_event(&mut events).await, EventSeq(event_id));
    }
    // The consumer has caught up: messages go on the socket again.
    let sent = sending(&events.handle(), "m2");
    let frame = peer.frame().await;
    assert_eq!(frame["client_message_id"], "m2");
    peer.answer(&frame).await;
    assert_eq!(sent.await.unwrap().unwrap(), 7);
}

#[tokio::test]
async fn sending_fails_at_once_when_the_stream_needs_a_token_or_was_dropped() {
    let relay = ScriptedRelay::start().await;
    let (mut events, mut peer) = relay.connected(HUMAN).await;
    let handle = events.handle();
    let on_its_way = sending(&handle, "m1");
    peer.frame().await;
    peer.close(4401).await;
    assert!(next(&mut events).await.is_err());
    assert!(matches!(on_its_way.await.unwrap(), Err(SendError::Disconnected)));
    let error = timeout(TIMEOUT, sending(&handle, "m2")).await.unwrap().unwrap();
    assert!(matches!(error, Err(SendError::Disconnected)));

    let (events, mut peer) = relay.connected(HUMAN).await;
    let handle = events.handle();
    let on_its_way = sending(&handle, "m1");
    peer.frame().await;
    drop(events);
    assert!(matches!(on_its_way.await.unwrap(), Err(SendError::Closed)));
    assert!(matches!(sending(&handle, "m2").await.unwrap(), Err(SendError::Closed)));
    let long = handle.send(message("m3", &"AAAA".repeat(17 * 1024))).await;
    assert!(matches!(long, Err(SendError::Closed)));
}
