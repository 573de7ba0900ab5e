//! What holds for every request.

use std::time::Duration;

use bytes::Bytes;
use http::{Method, Request, header};
use http_body_util::Full;
use hyper_util::rt::{TokioExecutor, TokioIo};
use tokio::{
    io::{AsyncReadExt as _, AsyncWriteExt as _},
    net::{TcpStream, UnixStream},
};

use crate::world::{World, on_both, read};

fn get(path: &str) -> http::request::Builder {
    Request::builder().uri(path).header(header::HOST, "localhost")
}

fn nothing() -> Full<Bytes> {
    Full::default()
}

#[tokio::test(flavor = "multi_thread")]
async fn every_answer_has_a_number_and_headers_that_tame_browsers() {
    on_both(async |world| {
        for path in ["/health", "/nowhere", "/auth/me", "/health?x=%ff"] {
            let answer = world.call(Method::GET, path, None, None).await;
            let number = answer.headers["x-request-id"].to_str().unwrap();
            assert!(number.starts_with("req_") && number.len() == 30, "{number}");
            assert_eq!(answer.headers["x-content-type-options"], "nosniff");
            assert_eq!(
                answer.headers["content-security-policy"],
                "default-src 'none'; frame-ancestors 'none'"
            );
            assert_eq!(answer.headers["referrer-policy"], "no-referrer");
            assert_eq!(answer.headers["cache-control"], "no-store");
        }
    })
    .await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_number_that_came_along_goes_back_unless_it_looks_like_anything_else() {
    let world = World::start(false, |_| {}).await;
    let with = |number: &str| get("/health").header("x-request-id", number).body(nothing());
    let answer = world.send(with("trace-7.a_B").unwrap()).await;
    assert_eq!(answer.headers["x-request-id"], "trace-7.a_B");
    for strange in ["a b", "<script>", "\"", &"x".repeat(65)] {
        let answer = world.send(with(strange).unwrap()).await;
        assert!(answer.headers["x-request-id"].as_bytes().starts_with(b"req_"), "{strange}");
    }
    world.stop().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn other_methods_are_refused_with_those_that_there_are() {
    let world = World::start(false, |_| {}).await;
    for method in [Method::POST, Method::OPTIONS, Method::TRACE, "BREW".parse().unwrap()] {
        let answer = world.call(method.clone(), "/health", None, None).await;
        assert_eq!((answer.status.as_u16(), answer.code()), (405, "METHOD_NOT_ALLOWED"));
        assert_eq!(answer.headers["allow"], "GET,HEAD", "{method}");
    }
    let head = world.call(Method::HEAD, "/health", None, None).await;
    assert_eq!((head.status.as_u16(), head.text.as_str()), (200, ""));
    assert_ne!(head.headers["content-length"], "0");
    world.stop().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_head_that_is_too_long_is_answered_at_the_limit_and_not_before() {
    let world = World::start(false, |_| {}).await;
    let path = |length: usize| format!("/health?{}", "x".repeat(length - "/health?".len()));
    let fits = world.send(get(&path(8 * 1024)).body(nothing()).unwrap()).await;
    assert_eq!(fits.status.as_u16(), 200);
    let long = world.send(get(&path(8 * 1024 + 1)).body(nothing()).unwrap()).await;
    assert_eq!((long.status.as_u16(), long.code()), (414, "URI_TOO_LONG"));
    assert_eq!(long.body["error"]["params"]["limit_bytes"], 8 * 1024);

    // `host: localhost` and the name `x` are counted as well.
    let room = 32 * 1024 - "hostlocalhostx".len();
    let with = |length: usize| get("/health").header("x", "y".repeat(length)).body(nothing());
    assert_eq!(world.send(with(room).unwrap()).await.status.as_u16(), 200);
    let large = world.send(with(room + 1).unwrap()).await;
    assert_eq!((large.status.as_u16(), large.code()), (431, "HEADERS_TOO_LARGE"));
    assert!(large.headers.contains_key("x-request-id"));
    world.stop().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_body_can_be_left_out_only_where_the_operation_says_so() {
    let world = World::start(false, |_| {}).await;
    let ada = world.person("ada").await;
    let missing = ada.call(Method::POST, "/keys/prekeys", None).await;
    assert_eq!((missing.status.as_u16(), missing.code()), (400, "MALFORMED_JSON"));
    assert!(ada.call(Method::POST, "/auth/logout", None).await.status.is_success());
    world.stop().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_body_that_does_not_arrive_is_not_waited_for() {
    let impatient = |settings: &mut assent_relay::Settings| {
        settings.limits.body = Duration::from_millis(100);
    };
    let world = World::start(false, impatient).await;
    let mut stream = UnixStream::connect(world.data().join("admin.sock")).await.unwrap();
    let head = "POST /admin/backup HTTP/1.1\r\nhost: x\r\ncontent-length: 9\r\n\r\n{";
    stream.write_all(head.as_bytes()).await.unwrap();
    let mut answer = String::new();
    let reading = stream.read_to_string(&mut answer);
    tokio::time::timeout(Duration::from_secs(5), reading).await.unwrap().unwrap();
    assert!(answer.starts_with("HTTP/1.1 408 "), "{answer}");
    assert!(answer.contains("REQUEST_TIMEOUT"), "{answer}");
    world.stop().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn an_operation_that_takes_no_body_does_not_look_at_any() {
    let world = World::start(false, |_| {}).await;
    let request = get("/health").body(Full::new(Bytes::from_static(b"\xff not JSON"))).unwrap();
    assert_eq!(world.send(request).await.data()["status"], "ok");
    world.stop().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn http_2_is_spoken_without_being_asked_for() {
    let world = World::start(false, |_| {}).await;
    let stream = TcpStream::connect(world.address()).await.unwrap();
    let (mut sender, connection) =
        hyper::client::conn::http2::handshake(TokioExecutor::new(), TokioIo::new(stream))
            .await
            .unwrap();
    tokio::spawn(connection);
    let uri = format!("http://{}/health", world.address());
    let ask = || Request::builder().uri(&uri).body(nothing()).unwrap();
    let (one, two) = tokio::join!(sender.clone().send_request(ask()), sender.send_request(ask()));
    for response in [one.unwrap(), two.unwrap()] {
        assert_eq!(response.version(), http::Version::HTTP_2);
        assert_eq!(read(response).await.data()["status"], "ok");
    }
    world.stop().await;
}

/// Opens a connection, sends `head`, and returns everything that comes back until the relay closes it.
async fn send_and_read(world: &World, head: &str, body: &[u8]) -> String {
    let mut stream = TcpStream::connect(world.address()).await.unwrap();
    stream.write_all(head.as_bytes()).await.unwrap();
    let (mut reader, mut writer) = stream.split();
    let mut bytes = Vec::new();
    // The relay may answer before it has read everything, but the answer must arrive.
    let (_, read) = tokio::join!(writer.write_all(body), reader.read_to_end(&mut bytes));
    read.unwrap();
    String::from_utf8(bytes).unwrap()
}

#[tokio::test(flavor = "multi_thread")]
async fn a_body_that_declares_too_many_bytes_is_refused_before_it_arrives() {
    let world = World::start(false, |_| {}).await;
    let head = |length: usize| {
        format!(
            "POST /auth/login HTTP/1.1\r\nhost: x\r\ncontent-type: application/json\r\n\
             content-length: {length}\r\n\r\n"
        )
    };
    let begun = std::time::Instant::now();
    for sent in [0, 1, 64 * 1024, 8 * 1024 * 1024] {
        let answer = send_and_read(&world, &head(8 * 1024 * 1024), &vec![b' '; sent]).await;
        assert!(answer.starts_with("HTTP/1.1 413 "), "{sent}: {answer}");
        assert!(answer.contains("PAYLOAD_TOO_LARGE"), "{answer}");
        assert!(answer.contains("connection: close\r\n"), "{answer}");
    }
    assert!(begun.elapsed() < Duration::from_secs(20), "{:?}", begun.elapsed());
    world.stop().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_request_has_exactly_one_host_and_it_is_well_formed() {
    let world = World::start(false, |_| {}).await;
    let ask = async |version: &str, headers: &str| {
        let head = format!("GET /health HTTP/{version}\r\n{headers}connection: close\r\n\r\n");
        send_and_read(&world, &head, b"").await
    };
    for good in ["localhost", "127.0.0.1:8700", "[::1]:8700", "Relay.example.org", "a_b.internal"] {
        let answer = ask("1.1", &format!("host: {good}\r\n")).await;
        assert!(answer.starts_with("HTTP/1.1 200 "), "{good}: {answer}");
    }
    for bad in ["", "a b", "a,b", "a@b", "a/b", "a?b", "a:b", "a:99999", "[::1", "::1", "a:", ":1"]
    {
        let answer = ask("1.1", &format!("host: {bad}\r\n")).await;
        assert!(answer.starts_with("HTTP/1.1 400 "), "{bad}: {answer}");
        assert!(answer.contains("BAD_REQUEST"), "{answer}");
    }
    for wrong in ["", "host: x\r\nhost: x\r\n", "host: x\r\nhost: y\r\n"] {
        assert!(ask("1.1", wrong).await.starts_with("HTTP/1.1 400 "), "{wrong}");
    }
    // HTTP/1.0 has no such rule, and some health checks still use it.
    assert!(ask("1.0", "").await.starts_with("HTTP/1.0 200 "));
    assert!(ask("1.0", "host: x\r\nhost: x\r\n").await.starts_with("HTTP/1.0 400 "));
    world.stop().await;
}

/// One answer on a connection that is kept open: its first line.
async fn next_answer(stream: &mut TcpStream) -> Option<String> {
    let mut text = String::new();
    // Every answer here ends with two braces.
    while !text.ends_with("}}") {
        let mut bytes = [0; 4096];
        let length = stream.read(&mut bytes).await.ok().filter(|length| *length > 0)?;
        text.push_str(std::str::from_utf8(&bytes[..length]).unwrap());
    }
    text.lines().next().map(str::to_owned)
}

#[tokio::test(flavor = "multi_thread")]
async fn a_body_that_the_relay_does_not_need_does_not_cost_the_connection() {
    let world = World::start(false, |_| {}).await;
    let requests = [
        ("GET /health", "HTTP/1.1 200 OK"),
        ("GET /auth/me", "HTTP/1.1 401 Unauthorized"),
        ("POST /auth/logout/", "HTTP/1.1 404 Not Found"),
        ("PUT /health", "HTTP/1.1 405 Method Not Allowed"),
    ];
    for number in 0..500 {
        let mut stream = TcpStream::connect(world.address()).await.unwrap();
        stream.set_nodelay(true).unwrap();
        for (request, expected) in requests {
            let head = format!("{request} HTTP/1.1\r\nhost: x\r\ncontent-length: 7\r\n\r\n");
            stream.write_all(head.as_bytes()).await.unwrap();
            // The body comes at any moment: while the relay reads, answers, or has answered.
            tokio::time::sleep(Duration::from_micros(number % 16 * 100)).await;
            stream.write_all(b"{\"a\":1}").await.unwrap();
            let answer = next_answer(&mut stream).await;
            assert_eq!(answer.as_deref(), Some(expected), "connection {number}: {request}");
        }
    }
    world.stop().await;
}

/// The first line and the body of what comes back for these headers.
async fn answer_to(world: &World, headers: &str) -> (String, String) {
    let mut stream = TcpStream::connect(world.address()).await.unwrap();
    let head = format!("GET /health HTTP/1.1\r\nhost: x\r\nconnection: close\r\n{headers}\r\n");
    // The relay may hang up before it has read everything.
    let _ = stream.write_all(head.as_bytes()).await;
    let mut bytes = Vec::new();
    let _ = stream.read_to_end(&mut bytes).await;
    let text = String::from_utf8_lossy(&bytes).into_owned();
    let (head, body) = text.split_once("\r\n\r\n").unwrap_or((&text, ""));
    (head.lines().next().unwrap_or_default().to_owned(), body.to_owned())
}

/// The library that reads HTTP answers before there is a request, and allows no more.
#[tokio::test(flavor = "multi_thread")]
async fn an_unreadable_head_is_answered_without_a_body() {
    let world = World::start(false, |_| {}).await;
    let too_large = "HTTP/1.1 431 Request Header Fields Too Large".to_owned();
    // Two are there already.
    let many =
        |count: usize| (2..count).map(|number| format!("x{number}: y\r\n")).collect::<String>();
    assert_eq!(answer_to(&world, &many(100)).await.0, "HTTP/1.1 200 OK");
    assert_eq!(answer_to(&world, &many(101)).await, (too_large.clone(), String::new()));
    let long = |length: usize| format!("x: {}\r\n", "y".repeat(length));
    let (head, body) = answer_to(&world, &long(60 * 1024)).await;
    assert_eq!((head.as_str(), body.contains("HEADERS_TOO_LARGE")), (too_large.as_str(), true));
    assert_eq!(answer_to(&world, &long(64 * 1024)).await, (too_large, String::new()));
    world.stop().await;
}
