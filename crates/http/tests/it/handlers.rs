//! What handlers do, and what becomes of their requests.

use std::{sync::atomic::Ordering, time::Duration};

use assent_http::{Connection, Limits, Peer};
use axum::{
    Extension,
    body::Body,
    response::{Response, Sse, sse::Event},
    routing::get,
};
use futures_util::{Stream, StreamExt as _, stream};
use http::{HeaderValue, header::CONTENT_SECURITY_POLICY};
use tokio::net::TcpStream;
use tokio_util::sync::CancellationToken;

use crate::{
    client::{read, read_until, send},
    service::{Number, POLICY, Service},
};

async fn broken() -> &'static str {
    panic!("a secret that no response contains")
}

async fn endless() -> &'static str {
    std::future::pending().await
}

async fn other_policy() -> Response {
    let mut response = Response::new(Body::from("other"));
    let policy = HeaderValue::from_static("default-src *");
    response.headers_mut().insert(CONTENT_SECURITY_POLICY, policy);
    response
}

#[tokio::test(flavor = "multi_thread")]
async fn a_handler_that_panics_ends_its_own_request_only() {
    let service = Service::start(Limits::default(), |router, _| {
        router.route("/broken", get(broken)).route("/", get(|| async { "fine" }))
    })
    .await;
    let answer = service.call("GET /broken", &[]).await;
    assert_eq!(answer.status, 500);
    assert!(answer.body.contains("INTERNAL_ERROR") && !answer.body.contains("secret"));
    assert_eq!(answer.header("content-security-policy"), Some(POLICY));
    assert_eq!(service.call("GET /", &[]).await.status, 200);
    let counters = &service.console;
    assert_eq!(counters.panicked.load(Ordering::SeqCst), 1);
    assert_eq!(counters.began.load(Ordering::SeqCst), 2);
    assert_eq!(counters.answered.load(Ordering::SeqCst), 2);
    service.stop().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_handler_that_takes_too_long_is_given_up() {
    let mut limits = Limits::default();
    limits.response = Duration::from_millis(50);
    let service = Service::start(limits, |router, _| router.route("/", get(endless))).await;
    let answer = service.call("GET /", &[]).await;
    assert_eq!((answer.status, answer.header("retry-after")), (503, Some("1")));
    service.stop().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_client_that_goes_away_is_reported() {
    let service =
        Service::start(Limits::default(), |router, _| router.route("/", get(endless))).await;
    let mut stream = TcpStream::connect(service.address).await.unwrap();
    send(&mut stream, "GET /", &[&service.host()]).await;
    while service.console.began.load(Ordering::SeqCst) == 0 {
        tokio::time::sleep(Duration::from_millis(5)).await;
    }
    drop(stream);
    while service.console.abandoned.load(Ordering::SeqCst) == 0 {
        tokio::time::sleep(Duration::from_millis(5)).await;
    }
    assert_eq!(service.console.answered.load(Ordering::SeqCst), 0);
    service.stop().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn headers_of_the_server_replace_those_of_handlers() {
    let service =
        Service::start(Limits::default(), |router, _| router.route("/", get(other_policy))).await;
    let answer = service.call("GET /", &["x-request-id: trace-7"]).await;
    assert_eq!(answer.body, "other");
    assert_eq!(answer.header("content-security-policy"), Some(POLICY));
    assert_eq!(answer.header("x-request-id"), Some("trace-7"));
    service.stop().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_handler_knows_its_connection() {
    let service = Service::start(Limits::default(), |router, _| {
        let about = |Extension(connection): Extension<Connection<Number>>| async move {
            let Peer::Tcp(peer) = connection.peer() else { panic!("a network address") };
            format!("{} {peer}", connection.state().0)
        };
        router.route("/", get(about))
    })
    .await;
    for number in 1..3 {
        let mut stream = TcpStream::connect(service.address).await.unwrap();
        let expected = format!("{number} {}", stream.local_addr().unwrap());
        // Requests of one connection see the same.
        send(&mut stream, "GET /", &[&service.host()]).await;
        read_until(&mut stream, &expected).await;
        send(&mut stream, "GET /", &[&service.host(), "connection: close"]).await;
        assert_eq!(read(&mut stream).await.body, expected);
    }
    service.stop().await;
}

/// Events without an end, but for that of the service.
fn events(
    stopping: CancellationToken,
) -> Sse<impl Stream<Item = Result<Event, std::convert::Infallible>>> {
    let numbers = stream::iter(1..).then(|number| async move {
        tokio::time::sleep(Duration::from_millis(10)).await;
        Ok(Event::default().id(number.to_string()).data("tick"))
    });
    Sse::new(numbers.take_until(stopping.cancelled_owned()))
}

#[tokio::test(flavor = "multi_thread")]
async fn events_are_streamed_beyond_the_time_limit_until_the_service_stops() {
    let mut limits = Limits::default();
    limits.response = Duration::from_millis(50);
    let service = Service::start(limits, |router, stopping| {
        router.route("/events", get(move || async move { events(stopping.clone()) }))
    })
    .await;
    let mut stream = TcpStream::connect(service.address).await.unwrap();
    send(&mut stream, "GET /events", &[&service.host()]).await;
    let text = read_until(&mut stream, "id: 20\n").await;
    assert!(text.contains("content-type: text/event-stream") && text.contains("data: tick\n"));
    service.stop().await;
    let rest = read(&mut stream).await;
    assert!(rest.head.ends_with("0") || rest.body.ends_with("0\r\n\r\n"), "{rest:?}");
}
