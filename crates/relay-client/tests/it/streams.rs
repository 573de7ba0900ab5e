//! Event streams at a relay that sends what a test says.

use std::time::Duration;

use assent_ids::EventSeq;
use assent_relay_client::{
    Client, ClientOptions, ConnectOptions, Credentials, EventStream, Roots, StreamError,
    StreamEvent,
};
use futures_util::{FutureExt as _, StreamExt as _};
use serde_json::json;
use tokio::{
    io::{AsyncReadExt as _, AsyncWriteExt as _},
    net::TcpListener,
    time::{sleep, timeout},
};
use tokio_tungstenite::tungstenite::Message;

use crate::{
    scripted_relay::{HUMAN, Peer, ScriptedRelay, TIMEOUT, client, next, next_event},
    service::localhost,
};

#[tokio::test]
async fn no_event_after_a_gap_is_yielded_and_missing_ones_are_fetched() {
    let relay = ScriptedRelay::start().await;
    let mut events = relay.client.event_stream(HUMAN);
    let mut first = relay.peer().await;
    assert_eq!(first.auth, json!({ "type": "auth", "token": "token" }));
    first.welcome(4).await;
    for number in [5, 5, 3, 7] {
        first.event(number).await;
    }
    let mut second = relay.peer().await;
    assert_eq!(second.auth["resume_after"], 5);
    second.welcome(5).await;
    for number in [6, 7] {
        second.event(number).await;
    }
    for number in [5, 6, 7] {
        assert_eq!(next_event(&mut events).await, EventSeq(number));
    }
}

#[tokio::test]
async fn a_stream_resumes_where_a_restored_relay_is() {
    let relay = ScriptedRelay::start().await;
    let mut events =
        relay.client.event_stream(ConnectOptions { resume_after: Some(EventSeq(4)), ..HUMAN });
    let mut restored = relay.peer().await;
    restored.welcome(2).await;
    restored.event(3).await;
    let Ok(StreamEvent::Connected(welcome)) = next(&mut events).await else { panic!() };
    assert_eq!(welcome.resume_after, EventSeq(2));
    assert_eq!(next_event(&mut events).await, EventSeq(3));
}

#[tokio::test]
async fn deleted_events_are_reported_once_and_the_stream_goes_on_after_them() {
    let relay = ScriptedRelay::start().await;
    let mut events =
        relay.client.event_stream(ConnectOptions { resume_after: Some(EventSeq(4)), ..HUMAN });
    let mut first = relay.peer().await;
    first.welcome_with(4, 7).await;
    first.event(7).await;
    first.close(1001).await;
    // A relay may also move the position itself.
    let mut second = relay.peer().await;
    assert_eq!(second.auth["resume_after"], 7);
    second.welcome_with(8, 9).await;
    second.event(9).await;
    let mut seen = Vec::new();
    while seen.len() < 4 {
        match next(&mut events).await.unwrap() {
            StreamEvent::Event(event) => seen.push(event.event_id.0..=event.event_id.0),
            StreamEvent::Skipped { first, last } => seen.push(first.0..=last.0),
            StreamEvent::Connected(_) | StreamEvent::Disconnected { .. } => {}
            other => panic!("{other:?}"),
        }
    }
    assert_eq!(seen, [5..=6, 7..=7, 8..=8, 9..=9]);
}

#[tokio::test]
async fn a_relay_that_goes_down_says_when_to_reconnect() {
    let relay = ScriptedRelay::start().await;
    let (mut events, mut peer) = relay.connected(HUMAN).await;
    peer.send(json!({ "type": "draining", "reconnect_after_ms": 7000 })).await;
    peer.close(1001).await;
    let Ok(StreamEvent::Disconnected { error, retry_in }) = next(&mut events).await else {
        panic!()
    };
    assert!(matches!(error, StreamError::Closed(Some(1001))), "{error}");
    assert!(retry_in > Duration::from_secs(6) && retry_in <= Duration::from_secs(7));
}

#[tokio::test]
async fn a_stream_yields_an_error_when_reconnecting_would_not_help_and_waits_for_a_token() {
    let relay = ScriptedRelay::start().await;
    let (mut events, peer) = relay.connected(HUMAN).await;
    peer.close(4401).await;
    let error = next(&mut events).await.unwrap_err();
    assert!(matches!(error, StreamError::Closed(Some(4401))), "{error}");
    assert!(timeout(Duration::from_millis(300), relay.accept()).await.is_err());
    events.handle().renew("another".to_owned().into());
    let mut again = relay.peer().await;
    assert_eq!(again.auth["token"], "another");
    again.welcome(0).await;
    assert!(matches!(next(&mut events).await, Ok(StreamEvent::Connected(_))));
    // On a connection, a person's token is replaced.
    again.send(json!({ "type": "auth.expiring", "expires_in_seconds": 30 })).await;
    let Ok(StreamEvent::TokenExpiring(expiring)) = next(&mut events).await else { panic!() };
    assert_eq!(expiring.expires_in_seconds, 30);
    events.handle().renew("third".to_owned().into());
    assert_eq!(again.frame().await, json!({ "type": "auth.renew", "access_token": "third" }));
}

#[tokio::test]
async fn acknowledgements_only_grow_and_are_repeated_on_the_next_connection() {
    let relay = ScriptedRelay::start().await;
    let (mut events, mut peer) = relay.connected(HUMAN).await;
    let handle = events.handle();
    for number in [1, 2, 3] {
        peer.event(number).await;
        next_event(&mut events).await;
    }
    handle.acknowledge(EventSeq(2));
    assert_eq!(peer.frame().await, json!({ "type": "ack", "event_id": 2 }));
    handle.acknowledge(EventSeq(1));
    handle.acknowledge(EventSeq(3));
    assert_eq!(peer.frame().await, json!({ "type": "ack", "event_id": 3 }));
    drop(peer);
    let mut peer = relay.peer().await;
    assert_eq!(peer.auth["resume_after"], 3);
    peer.welcome(3).await;
    assert_eq!(peer.frame().await, json!({ "type": "ack", "event_id": 3 }));
}

#[tokio::test]
async fn a_slow_consumer_makes_the_relay_wait_and_gets_every_event() {
    const EVENTS: u64 = 400;
    let relay = ScriptedRelay::start().await;
    let (mut events, mut peer) = relay.connected(HUMAN).await;
    let reason = "x".repeat(64 * 1024);
    let sent = std::sync::Arc::new(std::sync::atomic::AtomicU64::new(0));
    let counter = std::sync::Arc::clone(&sent);
    tokio::spawn(async move {
        for event_id in 1..=EVENTS {
            let data = json!({ "reason": reason });
            peer.send(json!({ "type": "new.kind", "event_id": event_id, "data": data })).await;
            counter.store(event_id, std::sync::atomic::Ordering::SeqCst);
        }
        std::future::pending::<()>().await;
    });
    // What fits into the buffers of the kernel, and 64 events.
    let mut before = 0;
    loop {
        sleep(Duration::from_millis(300)).await;
        let now = sent.load(std::sync::atomic::Ordering::SeqCst);
        if now == before && now > 0 {
            break;
        }
        before = now;
    }
    assert!(before < EVENTS, "the relay had to wait");
    for event_id in 1..=EVENTS {
        assert_eq!(next_event(&mut events).await, EventSeq(event_id));
    }
}

#[tokio::test]
async fn dropping_the_stream_closes_the_connection_after_the_last_acknowledgement() {
    let relay = ScriptedRelay::start().await;
    let (mut events, mut peer) = relay.connected(HUMAN).await;
    peer.event(1).await;
    next_event(&mut events).await;
    let handle = events.handle();
    handle.acknowledge(EventSeq(1));
    drop(events);
    assert_eq!(peer.frame().await, json!({ "type": "ack", "event_id": 1 }));
    loop {
        match timeout(TIMEOUT, peer.stream.next()).await.expect("the task ends") {
            Some(Ok(Message::Close(_))) => break,
            Some(Ok(Message::Text(_))) => {}
            other => panic!("{other:?}"),
        }
    }
    // No task is left that would reconnect.
    drop(peer);
    assert!(timeout(Duration::from_millis(600), relay.accept()).await.is_err());
    drop(handle);
}

#[tokio::test]
async fn dropping_the_stream_ends_a_task_that_waits_to_reconnect_or_for_the_consumer() {
    let relay = ScriptedRelay::start().await;
    let (mut events, peer) = relay.connected(HUMAN).await;
    drop(peer);
    assert!(matches!(next(&mut events).await, Ok(StreamEvent::Disconnected { .. })));
    drop(events);
    assert!(timeout(Duration::from_millis(600), relay.accept()).await.is_err());

    let (events, mut peer) = relay.connected(HUMAN).await;
    for event_id in 1..=100 {
        peer.event(event_id).await;
    }
    sleep(Duration::from_millis(200)).await;
    drop(events);
    while timeout(TIMEOUT, peer.stream.next()).await.expect("the task ends").is_some() {}
}

#[tokio::test]
async fn a_stream_is_opened_over_tls() {
    let (acceptor, certificate) = localhost();
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let url = format!("https://localhost:{}", listener.local_addr().unwrap().port());
    tokio::spawn(async move {
        let stream = acceptor.accept(listener.accept().await.unwrap().0).await.unwrap();
        let mut peer = Peer::over(stream).await;
        peer.welcome(3).await;
        std::future::pending::<()>().await;
    });
    let roots = Roots::Only(vec![certificate]);
    let options = ClientOptions { roots, ..ClientOptions::default() };
    let token = Credentials::bearer("token".to_owned());
    let client = Client::with_options(&url, token, &options).unwrap();
    let Ok(StreamEvent::Connected(welcome)) = next(&mut client.event_stream(HUMAN)).await else {
        panic!()
    };
    assert_eq!(welcome.resume_after, EventSeq(3));
}

/// A stream at a server that answers one request with these bytes.
async fn answering(bytes: &'static str) -> EventStream {
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let url = format!("http://{}", listener.local_addr().unwrap());
    tokio::spawn(async move {
        let (mut stream, _) = listener.accept().await.unwrap();
        let mut request = [0; 4096];
        let _some = stream.read(&mut request).await.unwrap();
        stream.write_all(bytes.as_bytes()).await.unwrap();
        std::future::pending::<()>().await;
    });
    client(&url).event_stream(HUMAN)
}

#[tokio::test]
async fn a_server_that_is_no_relay_is_recognized() {
    let replayed = "HTTP/1.1 101 Switching Protocols\r\nconnection: upgrade\r\n\
        upgrade: websocket\r\nsec-websocket-accept: s3pPLMBiTxaQ9kYGzzhZRbK+xOo=\r\n\r\n";
    let error = next(&mut answering(replayed).await).await.unwrap_err();
    assert!(matches!(error, StreamError::NotASocket), "{error}");

    let page = "HTTP/1.1 200 OK\r\ncontent-length: 2\r\n\r\nhi";
    let error = next(&mut answering(page).await).await.unwrap_err();
    assert!(matches!(error, StreamError::NotASocket), "{error}");

    let busy = "HTTP/1.1 503 Service Unavailable\r\ncontent-length: 2\r\n\r\nhi";
    let Ok(StreamEvent::Disconnected { error, .. }) = next(&mut answering(busy).await).await else {
        panic!()
    };
    assert!(matches!(error, StreamError::Client(_)), "{error}");
}

#[tokio::test]
async fn a_stream_without_a_token_says_so() {
    let relay = ScriptedRelay::start().await;
    let client = relay.client.with_credentials(Credentials::None);
    let mut events = client.event_stream(HUMAN);
    assert!(matches!(next(&mut events).await, Err(StreamError::NoToken)));
    // It waits for a token.
    assert!(events.next().now_or_never().is_none());
}
