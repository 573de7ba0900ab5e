//! Limits of requests, connections and rates: what is allowed is served, and one more is not.

use std::time::{Duration, Instant};

use assent_relay::Settings;
use assent_relay_api::{
    admin_operations, operations,
    socket::{MAX_FIRST_FRAME_BYTES, MAX_FRAME_BYTES},
};
use assent_test_relay::{Address, Answer, Socket};
use bytes::Bytes;
use http::{Method, Request};
use http_body_util::Full;
use hyper_util::rt::{TokioExecutor, TokioIo};
use serde_json::{Value, json};
use tokio::{
    io::{AsyncRead, AsyncReadExt as _, AsyncWrite, AsyncWriteExt as _},
    net::{TcpStream, UnixStream},
    task::JoinSet,
    time::{sleep, timeout},
};

use crate::{
    asker::Asker,
    messages::Pair,
    world::{World, on_both_with},
};

/// Longer than any step of these tests takes.
const TIMEOUT: Duration = Duration::from_secs(20);

#[tokio::test(flavor = "multi_thread")]
async fn every_body_has_as_many_bytes_as_its_operation_allows_and_not_one_more() {
    let asker = Asker::start().await;
    let all = operations().iter().chain(admin_operations());
    for operation in all.filter(|operation| operation.takes_body()) {
        // Nothing happens but reading: it is a number.
        let body = |bytes: usize| format!("{}7", " ".repeat(bytes - 1));
        let fits = asker.ask(operation, body(operation.body_limit)).await;
        assert_eq!(fits.refusal(), (400, "BAD_REQUEST"), "{}", operation.id);
        let long = asker.ask(operation, body(operation.body_limit + 1)).await;
        assert_eq!(long.refusal(), (413, "PAYLOAD_TOO_LARGE"), "{}", operation.id);
        assert_eq!(long.body["error"]["params"]["limit_bytes"], operation.body_limit);
    }
    asker.stop().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_body_that_does_not_say_how_long_it_is_has_the_same_limit() {
    let world = World::start(false, |_| {}).await;
    for (bytes, status) in [(64 * 1024, "400"), (64 * 1024 + 1, "413")] {
        let mut stream = TcpStream::connect(world.address()).await.unwrap();
        let head = "POST /auth/login HTTP/1.1\r\nhost: x\r\ncontent-type: application/json\r\n\
            transfer-encoding: chunked\r\nconnection: close\r\n\r\n";
        let body = format!("{bytes:x}\r\n{}7\r\n0\r\n\r\n", " ".repeat(bytes - 1));
        stream.write_all(head.as_bytes()).await.unwrap();
        // The relay may answer before it has read everything.
        let _ = stream.write_all(body.as_bytes()).await;
        let answer = said(&mut stream).await;
        assert!(answer.starts_with(&format!("HTTP/1.1 {status} ")), "{bytes}: {answer}");
    }
    world.stop().await;
}

/// Everything that comes over a connection until it ends.
async fn said(stream: &mut (impl AsyncRead + Unpin)) -> String {
    let mut bytes = Vec::new();
    // A connection that is reset has ended as well.
    let _ = timeout(TIMEOUT, stream.read_to_end(&mut bytes)).await.expect("an end");
    String::from_utf8_lossy(&bytes).into_owned()
}

/// Whether requests are served on a connection, which is kept open.
async fn is_served(stream: &mut (impl AsyncRead + AsyncWrite + Unpin)) -> bool {
    // What is closed already may be written to or not.
    let _ = stream.write_all(b"GET /admin/none HTTP/1.1\r\nhost: x\r\n\r\n").await;
    let mut first = [0; 12];
    let read = timeout(TIMEOUT, stream.read_exact(&mut first)).await.expect("an answer or an end");
    read.is_ok_and(|_| first == *b"HTTP/1.1 404")
}

/// Whether there is room for one more within a moment.
async fn becomes_free<S: AsyncRead + AsyncWrite + Unpin>(connect: impl AsyncFn() -> S) -> bool {
    for _ in 0..200 {
        if is_served(&mut connect().await).await {
            return true;
        }
        sleep(Duration::from_millis(20)).await;
    }
    false
}

#[tokio::test(flavor = "multi_thread")]
async fn so_many_connections_are_served_at_once_and_one_more_is_hung_up_on() {
    let world = World::start(false, |settings| settings.limits.connections = 3).await;
    let connect = async || TcpStream::connect(world.address()).await.unwrap();
    let mut open = Vec::new();
    for _ in 0..3 {
        let mut stream = connect().await;
        assert!(is_served(&mut stream).await);
        open.push(stream);
    }
    assert!(!is_served(&mut connect().await).await);
    // A connection that became a socket keeps its place.
    open.pop();
    assert!(becomes_free(&connect).await);
    let socket = raw_socket(&world).await;
    assert!(!is_served(&mut connect().await).await);
    drop(socket);
    assert!(becomes_free(&connect).await);
    drop(open);
    assert!(becomes_free(&connect).await);
    let figures = figures_with_patience(&world).await;
    let refused = figures.lines().find_map(|line| {
        line.strip_prefix("assent_connections_refused_total ")?.parse::<u64>().ok()
    });
    assert!(refused.unwrap() >= 2, "{figures}");
    world.stop().await;
}

/// A socket before its first frame, once there is room for it.
async fn raw_socket(world: &World) -> impl Sized + use<> {
    for _ in 0..200 {
        let stream = TcpStream::connect(world.address()).await.unwrap();
        let url = format!("ws://{}/ws/human", world.address());
        if let Ok((socket, _)) = tokio_tungstenite::client_async(url, stream).await {
            return socket;
        }
        sleep(Duration::from_millis(20)).await;
    }
    panic!("there is no room");
}

async fn figures_with_patience(world: &World) -> String {
    for _ in 0..200 {
        let mut stream = TcpStream::connect(world.address()).await.unwrap();
        let ask = b"GET /metrics HTTP/1.1\r\nhost: x\r\nconnection: close\r\n\r\n";
        let _ = stream.write_all(ask).await;
        let text = said(&mut stream).await;
        if text.starts_with("HTTP/1.1 200 ") {
            return text;
        }
        sleep(Duration::from_millis(20)).await;
    }
    panic!("there are no figures");
}

#[tokio::test(flavor = "multi_thread")]
async fn sixty_four_operators_are_served_at_once_and_one_more_is_hung_up_on() {
    let world = World::start(false, |_| {}).await;
    let connect = async || UnixStream::connect(world.data().join("admin.sock")).await.unwrap();
    let mut open = Vec::new();
    for _ in 0..64 {
        let mut stream = connect().await;
        assert!(is_served(&mut stream).await);
        open.push(stream);
    }
    assert!(!is_served(&mut connect().await).await);
    open.pop();
    assert!(becomes_free(&connect).await);
    world.stop().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_head_that_does_not_arrive_is_waited_for_ten_seconds() {
    let world = World::start(false, |_| {}).await;
    let mut stream = TcpStream::connect(world.address()).await.unwrap();
    let begun = Instant::now();
    stream.write_all(b"GET /health HTTP/1.1\r\nhost: x\r\n").await.unwrap();
    sleep(Duration::from_secs(9)).await;
    stream.write_all(b"x-late: but in time\r\n").await.unwrap();
    let answer = said(&mut stream).await;
    let took = begun.elapsed();
    assert!((10..15).contains(&took.as_secs()), "{took:?}");
    assert!(!answer.contains("200"), "{answer}");
    world.stop().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_connection_without_requests_is_closed_after_ten_seconds() {
    let world = World::start(false, |_| {}).await;
    let mut waiting = JoinSet::new();
    // Nothing; what may become either protocol; and nothing after the greeting of one.
    for begins in ["", "P", "PRI * HTTP/2.0\r\n", "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n"] {
        let mut stream = TcpStream::connect(world.address()).await.unwrap();
        waiting.spawn(async move {
            let begun = Instant::now();
            stream.write_all(begins.as_bytes()).await.unwrap();
            said(&mut stream).await;
            (begins, begun.elapsed())
        });
    }
    for (begins, took) in waiting.join_all().await {
        assert!((9..15).contains(&took.as_secs()), "{begins:?}: {took:?}");
    }
    world.stop().await;
}

/// One of the figures.
async fn figure(world: &World, name: &str) -> String {
    let text = world.call(Method::GET, "/metrics", None, None).await.text;
    let line = text.lines().find_map(|line| line.strip_prefix(&format!("{name} ")));
    line.unwrap_or_else(|| panic!("there is no {name}")).to_owned()
}

async fn becomes(world: &World, name: &str, value: &str) {
    for _ in 0..500 {
        if figure(world, name).await == value {
            return;
        }
        sleep(Duration::from_millis(20)).await;
    }
    panic!("{name} does not become {value}");
}

fn poll_path(pair: &Pair) -> String {
    format!("/agents/{}/messages/poll?after=1&wait_s=20", pair.agent.agent_id)
}

fn poll(pair: &Pair) -> impl Future<Output = Answer> + Send + use<> {
    let (relay, path, token) = (pair.relay, poll_path(pair), pair.agent.token.clone());
    async move { relay.call(Method::GET, &path, Some(&token), None).await.unwrap() }
}

fn refused(answer: &Answer) -> (u16, &str) {
    (answer.status.as_u16(), answer.code())
}

#[tokio::test(flavor = "multi_thread")]
async fn an_agent_waits_in_so_many_long_polls_and_they_are_no_sockets() {
    let few = |settings: &mut Settings| {
        settings.limits.polls_per_agent = 2;
        settings.limits.sockets_per_party = 1;
    };
    on_both_with(few, async |world| {
        let pair = Pair::meet(world, "ada").await;
        let mut waiting = JoinSet::new();
        waiting.spawn(poll(&pair));
        waiting.spawn(poll(&pair));
        becomes(world, "assent_long_polls", "2").await;
        assert_eq!(figure(world, "assent_sockets").await, "0");
        let one_more = poll(&pair).await;
        assert_eq!(refused(&one_more), (429, "RATE_LIMITED"));
        assert_eq!(one_more.body["error"]["params"]["retry_after"], 1);
        // To look without waiting is no long poll, and a socket has a place of its own.
        let path = format!("/agents/{}/messages/poll?after=1&wait_s=0", pair.agent.agent_id);
        let token = Some(pair.agent.token.as_str());
        let looked = pair.relay.call(Method::GET, &path, token, None).await.unwrap();
        assert_eq!(looked.status, 200);
        let _socket = Socket::connect(pair.relay, "agent", &pair.agent.token, None).await.unwrap();
        assert_eq!(figure(world, "assent_sockets").await, "1");
        assert_eq!(pair.say("m1", "hello").await.status, 201);
        for answer in waiting.join_all().await {
            assert_eq!(answer.data()[0]["type"], "message.new");
        }
        becomes(world, "assent_long_polls", "0").await;
        let again = poll(&pair).await;
        assert_eq!(again.data()[0]["type"], "message.new", "there is room again");
    })
    .await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_connection_of_http_2_carries_128_requests_at_once_and_one_more_waits() {
    let world = World::start(false, |settings| settings.limits.polls_per_agent = 1000).await;
    let pair = Pair::meet(&world, "ada").await;
    let stream = TcpStream::connect(world.address()).await.unwrap();
    let (sender, connection) =
        hyper::client::conn::http2::handshake(TokioExecutor::new(), TokioIo::new(stream))
            .await
            .unwrap();
    tokio::spawn(connection);
    let send = |path: &str| {
        let uri = format!("http://{}{path}", world.address());
        let request = Request::builder().uri(uri);
        let request = request.header("authorization", format!("Bearer {}", pair.agent.token));
        let mut sender = sender.clone();
        let request = request.body(Full::new(Bytes::new())).unwrap();
        async move { sender.send_request(request).await.unwrap().status() }
    };
    let mut waiting = JoinSet::new();
    for _ in 0..128 {
        waiting.spawn(send(&poll_path(&pair)));
    }
    becomes(&world, "assent_long_polls", "128").await;
    let one_more = tokio::spawn(send("/health"));
    sleep(Duration::from_millis(500)).await;
    assert!(!one_more.is_finished());
    assert_eq!(pair.say("m1", "hello").await.status, 201);
    assert_eq!(one_more.await.unwrap(), 200);
    assert!(waiting.join_all().await.into_iter().all(|status| status == 200));
    world.stop().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_frame_of_a_client_has_at_most_sixty_four_kibibytes() {
    let world = World::start(false, |_| {}).await;
    let pair = Pair::meet(&world, "ada").await;
    let frame = |bytes: usize| {
        let bare = json!({ "type": "ping", "x": "" }).to_string().len();
        json!({ "type": "ping", "x": "x".repeat(bytes - bare) })
    };
    assert_eq!(frame(MAX_FRAME_BYTES).to_string().len(), 64 * 1024);
    let token = &pair.person.token;
    let mut socket = Socket::connect(pair.relay, "human", token, Some(1000)).await.unwrap();
    socket.send(&frame(MAX_FRAME_BYTES)).await.unwrap();
    assert_eq!(socket.next_json().await.unwrap()["type"], "pong");
    socket.send(&frame(MAX_FRAME_BYTES + 1)).await.unwrap();
    assert_eq!(socket.close_code().await, Some(1009));
    world.stop().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn the_first_frame_of_a_client_has_at_most_sixteen_kibibytes() {
    let world = World::start(false, |_| {}).await;
    let pair = Pair::meet(&world, "ada").await;
    let padded = |bytes: usize| {
        let auth =
            |padding: String| json!({ "type": "auth", "token": pair.person.token, "x": padding });
        let bare = auth(String::new()).to_string().len();
        auth("x".repeat(bytes - bare))
    };
    assert_eq!(MAX_FIRST_FRAME_BYTES, 16 * 1024);
    let mut socket = Socket::open(pair.relay, "human").await.unwrap();
    socket.send(&padded(MAX_FIRST_FRAME_BYTES)).await.unwrap();
    assert_eq!(socket.next_json().await.unwrap()["type"], "auth.ok");
    let mut socket = Socket::open(pair.relay, "human").await.unwrap();
    socket.send(&padded(MAX_FIRST_FRAME_BYTES + 1)).await.unwrap();
    assert_eq!(socket.close_code().await, Some(1009));
    world.stop().await;
}

/// Sends as the agent of a pair, to the one relay or the other by turns; all at once.
async fn send_all(pair: &Pair, relays: [Address; 2], subtype: &str, ids: &[String]) -> Vec<Answer> {
    let path = format!("/conversations/{}/messages", pair.relation.conversation_id);
    let mut sending = JoinSet::new();
    for (id, relay) in ids.iter().zip(relays.into_iter().cycle()) {
        let body: Value = json!({
            "client_message_id": id, "msg_subtype": subtype, "content_type": "artifact",
            "envelope": "aGk=",
        });
        let (path, token) = (path.clone(), pair.agent.token.clone());
        sending.spawn(async move {
            relay.call(Method::POST, &path, Some(&token), Some(&body)).await.unwrap()
        });
    }
    sending.join_all().await
}

fn stored(answers: &[Answer]) -> usize {
    for answer in answers.iter().filter(|answer| answer.status != 201) {
        assert_eq!(refused(answer), (429, "RATE_LIMITED"));
    }
    answers.iter().filter(|answer| answer.status == 201).count()
}

#[tokio::test(flavor = "multi_thread")]
async fn sixty_tool_calls_in_any_minute_are_sixty_on_two_nodes_together() {
    let world = World::start(true, |settings| settings.limits.messages_per_second = 1000).await;
    let node = world.second_node().await;
    let pair = Pair::meet(&world, "ada").await;
    let relays = [pair.relay, Address(node.address())];
    let ids: Vec<String> = (0..70).map(|number| format!("c{number}")).collect();
    let begun = Instant::now();
    assert_eq!(stored(&send_all(&pair, relays, "artifact_tool_call", &ids).await), 60);
    // Another node, and one that was started again, know as much.
    node.stop().await;
    let node = world.second_node().await;
    let relays = [pair.relay, Address(node.address())];
    let more = ["d1".to_owned(), "d2".to_owned()];
    assert_eq!(stored(&send_all(&pair, relays, "artifact_tool_call", &more).await), 0);
    assert!(begun.elapsed() < Duration::from_secs(60), "too slow to tell");
    world.advance(Duration::from_secs(60));
    assert_eq!(stored(&send_all(&pair, relays, "artifact_tool_call", &more).await), 2);
    node.stop().await;
    world.stop().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn five_messages_in_any_second_are_five_on_two_nodes_together() {
    let world = World::start(true, |_| {}).await;
    let node = world.second_node().await;
    let pair = Pair::meet(&world, "ada").await;
    let relays = [pair.relay, Address(node.address())];
    let ids: Vec<String> = (0..40).map(|number| format!("m{number}")).collect();
    let begun = Instant::now();
    let stored = stored(&send_all(&pair, relays, "artifact", &ids).await);
    let seconds = usize::try_from(begun.elapsed().as_secs()).unwrap();
    assert!(stored >= 5 && stored <= 5 * (seconds + 1), "{stored} in {:?}", begun.elapsed());
    node.stop().await;
    world.stop().await;
}
