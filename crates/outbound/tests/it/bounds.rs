//! What the other side can take from us: time, and memory for a head and a body.

use std::time::Duration;

use assent_outbound::{Body, CallError, Response};
use tokio::{io::AsyncWriteExt, time::timeout};

use crate::{
    desk::{LONG, SHORT, to},
    server::Server,
};

const CHUNKED: &[u8] = b"HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n";

/// Sends to a server, keeping so many bytes of the body.
async fn keep(server: &Server, max_body: usize) -> Result<Response, CallError> {
    let (client, request) = to(server.port, |options| options.limits.body = max_body);
    client.send(request).await
}

/// Sends to a server, in a short time.
async fn hurry(server: &Server) -> Result<Response, CallError> {
    let (client, request) = to(server.port, |options| options.limits.call = Some(SHORT));
    timeout(LONG, client.send(request)).await.expect("the client gives up by itself")
}

#[tokio::test]
async fn a_body_is_kept_up_to_the_limit_and_the_rest_is_not_read() {
    let server = Server::saying("HTTP/1.1 200 OK\r\ncontent-length: 10\r\n\r\n0123456789").await;
    assert_eq!(keep(&server, 11).await.unwrap().body, Body::Whole(b"0123456789".to_vec()));
    assert_eq!(keep(&server, 10).await.unwrap().body, Body::Whole(b"0123456789".to_vec()));
    assert_eq!(keep(&server, 9).await.unwrap().body, Body::Cut(b"012345678".to_vec()));
    assert_eq!(keep(&server, 0).await.unwrap().body, Body::Cut(Vec::new()));
    let empty = Server::saying("HTTP/1.1 200 OK\r\ncontent-length: 0\r\n\r\n").await;
    assert_eq!(keep(&empty, 0).await.unwrap().body, Body::Whole(Vec::new()));
}

#[tokio::test]
async fn an_endless_body_is_cut() {
    let chunked = Server::new(|mut stream| async move {
        let _head = stream.write_all(CHUNKED).await;
        let chunk = [b"10000\r\n".as_slice(), &[b' '; 0x10000], b"\r\n"].concat();
        while stream.write_all(&chunk).await.is_ok() {}
    });
    let until_close = Server::new(|mut stream| async move {
        let _head = stream.write_all(b"HTTP/1.1 200 OK\r\n\r\n").await;
        while stream.write_all(&[b' '; 0x10000]).await.is_ok() {}
    });
    let announced = Server::new(|mut stream| async move {
        let head = format!("HTTP/1.1 200 OK\r\ncontent-length: {}\r\n\r\n", u64::MAX - 2);
        let _head = stream.write_all(head.as_bytes()).await;
        while stream.write_all(&[b' '; 0x10000]).await.is_ok() {}
    });
    for server in [chunked.await, until_close.await, announced.await] {
        let response = keep(&server, 100_000).await.unwrap();
        assert_eq!(response.body, Body::Cut(vec![b' '; 100_000]));
    }
}

#[tokio::test]
async fn bytes_beyond_the_announced_length_are_not_part_of_the_answer() {
    let server = Server::new(|mut stream| async move {
        let _head = stream.write_all(b"HTTP/1.1 200 OK\r\ncontent-length: 10\r\n\r\n").await;
        while stream.write_all(&[b'a'; 0x10000]).await.is_ok() {}
    });
    let response = keep(&server.await, 100_000).await.unwrap();
    assert_eq!(response.body, Body::Whole(vec![b'a'; 10]));
}

#[tokio::test]
async fn nothing_is_unpacked() {
    for encoding in ["gzip", "zstd", "br", "deflate", "gzip, gzip"] {
        let head = format!("HTTP/1.1 200 OK\r\ncontent-encoding: {encoding}\r\ncontent-length: 4");
        let server = Server::saying([head.as_bytes(), b"\r\n\r\n\x1f\x8b\x08\x00"].concat()).await;
        let response = keep(&server, 100).await.unwrap();
        assert_eq!(response.body, Body::Whole(b"\x1f\x8b\x08\x00".to_vec()));
        let asked = server.requests.lock().unwrap()[0].to_lowercase();
        assert!(!asked.contains("accept-encoding"), "nobody asked for it");
    }
}

#[tokio::test]
async fn a_body_that_drips_is_given_up_in_time() {
    let server = Server::new(|mut stream| async move {
        let _head = stream.write_all(CHUNKED).await;
        while stream.write_all(b"1\r\na\r\n").await.is_ok() {
            tokio::time::sleep(Duration::from_millis(20)).await;
        }
    });
    let error = hurry(&server.await).await.unwrap_err();
    assert_eq!(error, CallError::Timeout(SHORT));
    assert_eq!(error.to_string(), "there was no complete answer within 0.3 s");
}

#[tokio::test]
async fn a_head_that_drips_is_given_up_in_time() {
    let server = Server::new(|mut stream| async move {
        let _status = stream.write_all(b"HTTP/1.1 200 OK\r\n").await;
        while stream.write_all(b"x").await.is_ok() {
            tokio::time::sleep(Duration::from_millis(20)).await;
        }
    });
    assert_eq!(hurry(&server.await).await, Err(CallError::Timeout(SHORT)));
}

#[tokio::test]
async fn promises_of_an_answer_are_no_answer() {
    let server = Server::new(|mut stream| async move {
        while stream.write_all(b"HTTP/1.1 100 Continue\r\n\r\n").await.is_ok() {
            tokio::task::yield_now().await;
        }
    });
    assert_eq!(hurry(&server.await).await, Err(CallError::Timeout(SHORT)));
}

#[tokio::test]
async fn a_server_that_hangs_is_given_up_in_time() {
    let server = Server::new(|stream| async move {
        std::future::pending::<()>().await;
        drop(stream);
    });
    let error = hurry(&server.await).await.unwrap_err();
    assert_eq!((error.class(), error), ("timeout", CallError::Timeout(SHORT)));
}

#[tokio::test]
async fn a_head_may_be_long_but_not_without_end() {
    // Of so many bytes, with both headers and what separates them.
    let head = |bytes: usize| {
        let value = "a".repeat(bytes - "x: \r\ncontent-length: 0\r\n".len());
        format!("HTTP/1.1 200 OK\r\nx: {value}\r\ncontent-length: 0\r\n\r\n")
    };
    assert!(keep(&Server::saying(head(64 * 1024)).await, 0).await.is_ok());
    for bytes in [64 * 1024 + 1, 100_000, 1_000_000] {
        let error = keep(&Server::saying(head(bytes)).await, 0).await.unwrap_err();
        assert_eq!(error.class(), "bad_answer", "{error}");
    }

    let headers = |count: usize| format!("HTTP/1.1 204 x\r\n{}\r\n", "x: y\r\n".repeat(count));
    assert!(keep(&Server::saying(headers(100)).await, 0).await.is_ok());
    let error = keep(&Server::saying(headers(101)).await, 0).await.unwrap_err();
    assert_eq!(error.class(), "bad_answer", "{error}");

    let endless = Server::new(|mut stream| async move {
        let _status = stream.write_all(b"HTTP/1.1 200 OK\r\nx: ").await;
        while stream.write_all(&[b'a'; 4096]).await.is_ok() {}
    });
    let error = keep(&endless.await, 0).await.unwrap_err();
    assert_eq!(error.class(), "bad_answer", "{error}");
}

/// Reading the head first does not extend the time.
#[tokio::test]
async fn looking_at_the_head_first_gives_no_more_time() {
    let server = Server::new(|mut stream| async move {
        let _head = stream.write_all(CHUNKED).await;
        std::future::pending::<()>().await;
    });
    let server = server.await;
    let (client, request) = to(server.port, |options| options.limits.call = Some(SHORT));
    let answer = client.begin(request).await.unwrap();
    assert_eq!((answer.status().as_u16(), answer.headers().len()), (200, 1));
    let body = timeout(LONG, answer.body(100)).await.expect("the client gives up by itself");
    assert_eq!(body, Err(CallError::Timeout(SHORT)));
}

/// Slow receivers take nothing from the others.
#[tokio::test]
async fn two_hundred_that_hang_do_not_hold_up_one_that_answers() {
    let hanging = Server::new(|stream| async move {
        std::future::pending::<()>().await;
        drop(stream);
    });
    let hanging = hanging.await;
    let quick = Server::saying("HTTP/1.1 204 No Content\r\n\r\n").await;
    let (client, request) = to(hanging.port, |_| {});
    let calls: Vec<_> = (0..200)
        .map(|_| {
            let (client, request) = (client.clone(), request.clone());
            tokio::spawn(async move { client.send(request).await })
        })
        .collect();
    while hanging.connections() < 200 {
        tokio::time::sleep(Duration::from_millis(5)).await;
    }
    assert_eq!(hurry(&quick).await.unwrap().status.as_u16(), 204);
    calls.iter().for_each(tokio::task::JoinHandle::abort);
}
