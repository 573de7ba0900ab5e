//! Requests and answers.

use std::time::Duration;

use assent_outbound::{Body, CallError, Client, ClientOptions, Response, Reuse};
use http::{HeaderMap, HeaderValue, Method};
use tokio::io::AsyncReadExt;

use crate::{
    desk::{LONG, options, request, to},
    server::Server,
};

async fn send(server: &Server) -> Result<Response, CallError> {
    let (client, request) = to(server.port, |_| {});
    client.send(request).await
}

#[tokio::test]
async fn a_request_is_sent_as_it_is_and_its_answer_comes_back() {
    let server =
        Server::saying("HTTP/1.1 201 Created\r\nx-a: b\r\ncontent-length: 4\r\n\r\nbody").await;
    let (client, mut request) = to(server.port, |_| {});
    request.headers.insert("webhook-id", HeaderValue::from_static("msg_1"));
    let response = client.send(request).await.unwrap();
    let mut headers = HeaderMap::new();
    headers.insert("x-a", HeaderValue::from_static("b"));
    headers.insert("content-length", HeaderValue::from_static("4"));
    let body = Body::Whole(b"body".to_vec());
    assert_eq!(response, Response { status: http::StatusCode::CREATED, headers, body });
    let expected = format!(
        "POST /hook?key=planted HTTP/1.1\r\nwebhook-id: msg_1\r\nhost: 127.0.0.1:{}\r\n\
         content-length: 2\r\n\r\n{{}}",
        server.port
    );
    assert_eq!(*server.requests.lock().unwrap(), [expected]);
}

#[tokio::test]
async fn every_status_is_an_answer() {
    for status in [200, 204, 400, 404, 410, 429, 500, 503] {
        let server = Server::saying(format!("HTTP/1.1 {status} x\r\ncontent-length: 0\r\n\r\n"));
        assert_eq!(send(&server.await).await.unwrap().status.as_u16(), status);
    }
}

#[tokio::test]
async fn no_redirect_is_followed() {
    let inside = Server::saying("HTTP/1.1 200 OK\r\n\r\nplanted").await;
    for status in [301, 302, 303, 307, 308] {
        for location in [
            format!("http://127.0.0.1:{}/", inside.port),
            "http://169.254.169.254/latest/meta-data/".to_owned(),
            "http://public.example/".to_owned(),
            "https://docs.example.org.evil.example/".to_owned(),
            "/elsewhere".to_owned(),
        ] {
            let head = format!("HTTP/1.1 {status} x\r\nlocation: {location}\r\ncontent-length: 0");
            let server = Server::saying(format!("{head}\r\n\r\n")).await;
            let response = send(&server).await.unwrap();
            assert_eq!(response.status.as_u16(), status);
            assert_eq!(response.headers["location"], location);
            assert_eq!(server.connections(), 1);
        }
    }
    assert_eq!(inside.connections(), 0);
}

#[tokio::test]
async fn a_caller_cannot_change_how_a_message_travels() {
    let server = Server::saying("HTTP/1.1 204 No Content\r\n\r\n").await;
    for name in ["host", "content-length", "transfer-encoding", "connection", "upgrade", "expect"] {
        let (client, mut request) = to(server.port, |_| {});
        request.headers.insert(name, HeaderValue::from_static("planted"));
        let error = client.send(request).await.unwrap_err();
        let told = format!("the header `{name}` is set by the connection; leave it out");
        assert_eq!((error.to_string(), error.class()), (told, "request_refused"));
    }
    let (client, mut request) = to(server.port, |_| {});
    request.method = Method::CONNECT;
    assert_eq!(client.send(request).await, Err(CallError::Method(Method::CONNECT)));
    assert_eq!(server.connections(), 0);
}

#[tokio::test]
async fn a_closed_port_is_a_failure() {
    let free = tokio::net::TcpListener::bind("127.0.0.1:0").await.unwrap();
    let port = free.local_addr().unwrap().port();
    drop(free);
    let (client, request) = to(port, |_| {});
    let error = client.send(request).await.unwrap_err();
    assert_eq!(error.class(), "connection_failed");
    assert!(error.to_string().contains("refused") && !error.to_string().contains("planted"));
}

#[tokio::test]
async fn what_is_not_http_is_a_failure() {
    for bytes in [
        b"".as_slice(),
        b"\0\xff\xfe garbage",
        b"SSH-2.0-OpenSSH_9.9\r\n",
        b"+OK ready\r\n",
        b"HTTP/1.1 200 OK\r\ncontent-length: 100\r\n\r\n{}",
        b"HTTP/1.1 200 OK\r\ncontent-length: 1\r\ncontent-length: 2\r\n\r\n{}",
        b"HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\nzz\r\n",
        b"HTTP/2 200 OK\r\n\r\n",
        b"HTTP/1.1 99 x\r\n\r\n",
    ] {
        let error = send(&Server::saying(bytes).await).await.unwrap_err();
        assert_eq!(error.class(), "bad_answer", "{error}");
        assert!(!error.to_string().contains("planted"), "{error}");
    }
}

#[tokio::test]
async fn connections_are_closed_after_a_call_unless_they_are_to_be_kept() {
    const OK: &str = "HTTP/1.1 200 OK\r\ncontent-length: 2\r\n\r\nok";
    for (reuse, connections) in [(Reuse::Never, 5), (Reuse::PerHost(2), 1)] {
        let server = Server::patient(OK).await;
        let (client, request) = to(server.port, |options| options.reuse = reuse);
        for _ in 0..5 {
            assert_eq!(client.send(request.clone()).await.unwrap().body.bytes(), b"ok");
        }
        assert_eq!(server.connections(), connections, "{reuse:?}");
    }
}

/// Also while the client lives: a stranger keeps none of our sockets.
#[tokio::test]
async fn a_connection_is_closed_when_the_call_ends_or_is_given_up() {
    for answer in ["HTTP/1.1 204 No Content\r\n\r\n", "HTTP/1.1 200 OK\r\n", ""] {
        let (sender, mut closed) = tokio::sync::mpsc::channel(1);
        let server = Server::new(move |mut stream| {
            let sender = sender.clone();
            async move {
                let _written =
                    tokio::io::AsyncWriteExt::write_all(&mut stream, answer.as_bytes()).await;
                // Until the other side goes away.
                let _end = stream.read_to_end(&mut Vec::new()).await;
                sender.send(()).await.unwrap();
            }
        });
        let (client, request) = to(server.await.port, |_| {});
        let _call = tokio::time::timeout(Duration::from_millis(200), client.send(request)).await;
        tokio::time::timeout(LONG, closed.recv()).await.expect("it is closed").unwrap();
        drop(client);
    }
}

/// The owner of a machine can call what stands next to it.
#[tokio::test]
async fn the_owner_reaches_anything() {
    let server = Server::saying("HTTP/1.1 204 No Content\r\n\r\n").await;
    let options = ClientOptions { roots: options("").roots, ..ClientOptions::for_the_owner() };
    let url = format!("http://localhost:{}/", server.port);
    let response = Client::new(options).unwrap().send(request(&url)).await.unwrap();
    assert_eq!(response.status.as_u16(), 204);
}
