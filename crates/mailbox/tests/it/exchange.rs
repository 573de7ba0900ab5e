//! Messages between a device and an agent.

use assent_mailbox::{InboxEntry, MailboxError, Received};

use crate::pair::{Pair, Side};

fn texts(entries: &[InboxEntry]) -> Vec<String> {
    let text = |entry: &InboxEntry| match &entry.received {
        Received::Message(opened) => {
            let content: serde_json::Value = serde_json::from_slice(&opened.content).unwrap();
            content["text"]
                .as_str()
                .unwrap_or_else(|| content["event"]["kind"].as_str().unwrap())
                .to_owned()
        }
        Received::Refused(refused) => format!("refused: {}", refused.reason),
        Received::Event(event) => event.body.event_type().to_owned(),
    };
    entries.iter().map(text).collect()
}

/// Delivers everything that `from` has sealed.
async fn deliver(from: &Side, to: &mut Side) {
    for message in from.sealed().await {
        let event = to.event(from.principal, &message);
        assert!(to.receive(&event).await);
        from.acknowledge(&message).await;
    }
}

#[tokio::test]
async fn messages_arrive_in_order_in_both_directions() {
    let mut pair = Pair::new().await;
    for (name, text) in [("m1", "one"), ("m2", "two")] {
        pair.agent.enqueue(pair.text(name, text, pair.device.endpoint)).await.unwrap();
    }
    pair.agent.seal_all(&pair.device).await;
    deliver(&pair.agent, &mut pair.device).await;
    assert_eq!(texts(&pair.device.entries().await), ["one", "two"]);
    assert!(pair.agent.sealed().await.is_empty());

    pair.device.enqueue(pair.text("m1", "three", pair.agent.endpoint)).await.unwrap();
    pair.device.seal_all(&pair.agent).await;
    deliver(&pair.device, &mut pair.agent).await;
    assert_eq!(texts(&pair.agent.entries().await), ["three"]);
}

#[tokio::test]
async fn an_event_is_stored_once_and_handed_out_until_it_is_removed() {
    let mut pair = Pair::new().await;
    pair.agent.enqueue(pair.text("m1", "once", pair.device.endpoint)).await.unwrap();
    pair.agent.seal_all(&pair.device).await;
    let sealed = pair.agent.sealed().await;
    let event = pair.device.event(pair.agent.principal, &sealed[0]);
    assert!(pair.device.receive(&event).await);
    assert!(!pair.device.receive(&event).await);
    assert_eq!(texts(&pair.device.entries().await), ["once"]);
    pair.device.remove_entry(event.event_id).await;
    assert!(pair.device.entries().await.is_empty());
    assert_eq!(pair.device.own().await.last_event_id, event.event_id);
}

#[tokio::test]
async fn the_same_message_under_another_event_is_a_replay() {
    let mut pair = Pair::new().await;
    pair.agent.enqueue(pair.text("m1", "once", pair.device.endpoint)).await.unwrap();
    pair.agent.seal_all(&pair.device).await;
    let sealed = pair.agent.sealed().await;
    for _ in 0..2 {
        let event = pair.device.event(pair.agent.principal, &sealed[0]);
        assert!(pair.device.receive(&event).await);
    }
    assert_eq!(texts(&pair.device.entries().await), ["once", "refused: replay"]);
}

#[tokio::test]
async fn a_changed_envelope_is_refused_and_the_session_goes_on() {
    let mut pair = Pair::new().await;
    for name in ["m1", "m2"] {
        pair.agent.enqueue(pair.text(name, name, pair.device.endpoint)).await.unwrap();
    }
    pair.agent.seal_all(&pair.device).await;
    let sealed = pair.agent.sealed().await;
    let mut changed = sealed[0].clone();
    *changed.envelope.last_mut().unwrap() ^= 1;
    for message in [&changed, &sealed[0], &sealed[1]] {
        let event = pair.device.event(pair.agent.principal, message);
        pair.device.receive(&event).await;
    }
    assert_eq!(texts(&pair.device.entries().await), ["refused: bad_signature", "m1", "m2"]);
}

#[tokio::test]
async fn a_message_of_another_sender_than_announced_is_refused() {
    let mut pair = Pair::new().await;
    pair.agent.enqueue(pair.text("m1", "hello", pair.device.endpoint)).await.unwrap();
    pair.agent.seal_all(&pair.device).await;
    let sealed = pair.agent.sealed().await;
    let stranger = Pair::new().await.agent.principal;
    let event = pair.device.event(stranger, &sealed[0]);
    pair.device.receive(&event).await;
    assert_eq!(texts(&pair.device.entries().await), ["refused: routing_mismatch"]);
}

#[tokio::test]
async fn the_same_id_takes_the_same_message_again_but_no_other() {
    let pair = Pair::new().await;
    let message = pair.text("m1", "first", pair.device.endpoint);
    pair.agent.enqueue(message.clone()).await.unwrap();
    pair.agent.enqueue(message).await.unwrap();
    let other = pair.text("m1", "second", pair.device.endpoint);
    assert!(matches!(pair.agent.enqueue(other).await, Err(MailboxError::IdReused)));
    pair.agent.seal_all(&pair.device).await;
    assert_eq!(pair.agent.sealed().await.len(), 1);
}

#[tokio::test]
async fn a_sealed_message_stays_the_same_until_it_is_acknowledged() {
    let pair = Pair::new().await;
    pair.agent.enqueue(pair.text("m1", "hello", pair.device.endpoint)).await.unwrap();
    pair.agent.seal_all(&pair.device).await;
    let first = pair.agent.sealed().await;
    pair.agent.seal_all(&pair.device).await;
    assert_eq!(first[0].envelope, pair.agent.sealed().await[0].envelope);
    pair.agent.acknowledge(&first[0]).await;
    pair.agent.enqueue(pair.text("m2", "later", pair.device.endpoint)).await.unwrap();
    pair.agent.seal_all(&pair.device).await;
    let second = pair.agent.sealed().await;
    assert!(second[0].position > first[0].position);
}

#[tokio::test]
async fn a_lost_session_is_replaced_by_a_reset_of_the_receiver() {
    let mut pair = Pair::new().await;
    pair.agent.enqueue(pair.text("m1", "one", pair.device.endpoint)).await.unwrap();
    pair.agent.seal_all(&pair.device).await;
    deliver(&pair.agent, &mut pair.device).await;
    pair.device.enqueue(pair.text("m1", "two", pair.agent.endpoint)).await.unwrap();
    pair.device.seal_all(&pair.agent).await;
    deliver(&pair.device, &mut pair.agent).await;

    // The device forgets its sessions, as after its data was restored from a copy.
    pair.device.knows(&pair.agent).await;
    pair.agent.enqueue(pair.text("m2", "three", pair.device.endpoint)).await.unwrap();
    pair.agent.seal_all(&pair.device).await;
    deliver(&pair.agent, &mut pair.device).await;
    assert_eq!(texts(&pair.device.entries().await), ["one", "refused: no_session"]);

    pair.device.seal_all(&pair.agent).await;
    deliver(&pair.device, &mut pair.agent).await;
    assert_eq!(texts(&pair.agent.entries().await), ["two", "session.reset"]);
    pair.agent.enqueue(pair.text("m3", "three again", pair.device.endpoint)).await.unwrap();
    pair.agent.seal_all(&pair.device).await;
    deliver(&pair.agent, &mut pair.device).await;
    assert_eq!(texts(&pair.device.entries().await).last().unwrap(), "three again");
}

#[tokio::test]
async fn nothing_that_was_said_is_readable_in_the_database() {
    let mut pair = Pair::new().await;
    pair.agent.enqueue(pair.text("m1", "marker-4711", pair.device.endpoint)).await.unwrap();
    pair.agent.seal_all(&pair.device).await;
    deliver(&pair.agent, &mut pair.device).await;
    assert_eq!(texts(&pair.device.entries().await), ["marker-4711"]);
    for side in [&pair.agent, &pair.device] {
        for file in std::fs::read_dir(side.directory.path()).unwrap() {
            let bytes = std::fs::read(file.unwrap().path()).unwrap();
            let found = bytes.windows(11).any(|window| window == b"marker-4711");
            assert!(!found, "plain text on disk");
        }
    }
}

#[tokio::test]
async fn other_keys_of_a_device_are_final_and_those_of_an_agent_can_be_accepted() {
    let pair = Pair::new().await;
    let mut stranger = Pair::new().await;
    stranger.device.endpoint = pair.device.endpoint;
    pair.agent.enqueue(pair.text("m1", "hello", pair.device.endpoint)).await.unwrap();
    pair.agent.seal_all(&stranger.device).await;
    assert_eq!(pair.agent.refusal().await.as_deref(), Some(assent_mailbox::KEYS_CHANGED));
    assert!(pair.agent.sealed().await.is_empty());

    stranger.agent.endpoint = pair.agent.endpoint;
    pair.device.enqueue(pair.text("m1", "hello", pair.agent.endpoint)).await.unwrap();
    pair.device.seal_all(&stranger.agent).await;
    assert_eq!(pair.device.refusal().await, None);
    assert!(pair.device.sealed().await.is_empty());
}
