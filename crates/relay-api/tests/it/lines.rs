//! Sockets and lines at a relay that says what it is told to.

use std::time::Duration;

use assent_ids::EventSeq;
use assent_relay_api::client::{
    Client, ClientOptions, Connecting, Credentials, Door, Happened, Line, Roots, Skipped,
    SocketError,
};
use futures_util::{SinkExt as _, StreamExt as _};
use serde_json::{Value, json};
use tokio::{
    io::{AsyncRead, AsyncReadExt as _, AsyncWrite, AsyncWriteExt as _},
    net::TcpListener,
};
use tokio_tungstenite::{
    WebSocketStream, accept_async,
    tungstenite::{Message, protocol::CloseFrame},
};

use crate::service::localhost;

/// A socket at the relay, after its first frame.
struct Guest<S> {
    stream: WebSocketStream<S>,
    auth: Value,
}

impl<S: AsyncRead + AsyncWrite + Unpin> Guest<S> {
    async fn receive(stream: S) -> Self {
        let mut stream = accept_async(stream).await.unwrap();
        let Message::Text(text) = stream.next().await.unwrap().unwrap() else { panic!() };
        Self { stream, auth: serde_json::from_str(&text).unwrap() }
    }

    async fn say(&mut self, frame: Value) {
        self.stream.send(Message::text(frame.to_string())).await.unwrap();
    }

    async fn welcome(&mut self, resume_after: u64) {
        self.welcome_with(resume_after, 1).await;
    }

    async fn welcome_with(&mut self, resume_after: u64, first_event_id: u64) {
        let id = "agt_01JZ8Q5A1B2C3D4E5F6G7H8J9K";
        let welcome = json!({
            "type": "auth.ok", "id": id, "resume_after": resume_after,
            "first_event_id": first_event_id, "latest_event_id": 9,
        });
        self.say(welcome).await;
    }

    async fn tell(&mut self, event_id: u64) {
        let data = json!({ "reason": "logged_out" });
        self.say(json!({ "type": "session.invalidated", "event_id": event_id, "data": data }))
            .await;
    }

    async fn close(mut self, code: u16) {
        let frame = CloseFrame { code: code.into(), reason: "".into() };
        self.stream.close(Some(frame)).await.unwrap();
        while self.stream.next().await.is_some_and(|message| message.is_ok()) {}
    }
}

const DOOR: Connecting = Connecting { door: Door::Human, resume_after: None, device_id: None };

fn client(url: &str) -> Client {
    let options = ClientOptions { roots: Roots::Only(Vec::new()), ..ClientOptions::default() };
    Client::with_options(url, Credentials::bearer("token".to_owned()), &options).unwrap()
}

async fn listener() -> (TcpListener, String) {
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let url = format!("http://{}", listener.local_addr().unwrap());
    (listener, url)
}

async fn event(line: &mut Line) -> u64 {
    loop {
        match line.next().await.unwrap() {
            Happened::Event(event) => return event.event_id.0,
            Happened::Connected(_) | Happened::Lost { .. } => {}
            other => panic!("{other:?}"),
        }
    }
}

#[tokio::test]
async fn a_line_hands_out_no_event_behind_a_gap_and_asks_for_what_is_missing() {
    let (listener, url) = listener().await;
    let relay = tokio::spawn(async move {
        let mut first = Guest::receive(listener.accept().await.unwrap().0).await;
        first.welcome(4).await;
        for number in [5, 5, 3, 7] {
            first.tell(number).await;
        }
        let mut second = Guest::receive(listener.accept().await.unwrap().0).await;
        second.welcome(5).await;
        for number in [6, 7] {
            second.tell(number).await;
        }
        (first.auth, second.auth, second.stream)
    });
    let mut line = client(&url).line(DOOR);
    assert_eq!([event(&mut line).await, event(&mut line).await, event(&mut line).await], [5, 6, 7]);
    let (first, second, _open) = relay.await.unwrap();
    assert_eq!(first, json!({ "type": "auth", "token": "token" }));
    assert_eq!(second["resume_after"], 5);
    assert_eq!(line.cursor(), Some(EventSeq(7)));
}

#[tokio::test]
async fn a_line_goes_on_after_a_relay_was_restored_from_a_copy() {
    let (listener, url) = listener().await;
    tokio::spawn(async move {
        let mut restored = Guest::receive(listener.accept().await.unwrap().0).await;
        restored.welcome(2).await;
        restored.tell(3).await;
        std::future::pending::<()>().await;
    });
    let mut line = client(&url).line(Connecting { resume_after: Some(EventSeq(4)), ..DOOR });
    let Happened::Connected(welcome) = line.next().await.unwrap() else { panic!() };
    assert_eq!(welcome.resume_after, EventSeq(2));
    assert_eq!(event(&mut line).await, 3);
}

#[tokio::test]
async fn a_line_reports_deleted_events_once_and_goes_on_after_them() {
    let (listener, url) = listener().await;
    let relay = tokio::spawn(async move {
        let mut first = Guest::receive(listener.accept().await.unwrap().0).await;
        first.welcome_with(4, 7).await;
        first.tell(7).await;
        first.close(1001).await;
        // A relay may also move the position itself.
        let mut second = Guest::receive(listener.accept().await.unwrap().0).await;
        second.welcome_with(8, 9).await;
        second.tell(9).await;
        (second.auth, second.stream)
    });
    let mut line = client(&url).line(Connecting { resume_after: Some(EventSeq(4)), ..DOOR });
    let mut seen = Vec::new();
    while seen.len() < 4 {
        match line.next().await.unwrap() {
            Happened::Event(event) => seen.push(event.event_id.0..=event.event_id.0),
            Happened::Skipped(Skipped { first, last }) => seen.push(first.0..=last.0),
            Happened::Connected(_) | Happened::Lost { .. } => {}
            other => panic!("{other:?}"),
        }
    }
    assert_eq!(seen, [5..=6, 7..=7, 8..=8, 9..=9]);
    assert_eq!(line.cursor(), Some(EventSeq(9)));
    let (auth, _open) = relay.await.unwrap();
    assert_eq!(auth["resume_after"], 7);
}

#[tokio::test]
async fn a_relay_that_goes_down_says_when_to_come_back() {
    let (listener, url) = listener().await;
    tokio::spawn(async move {
        let mut guest = Guest::receive(listener.accept().await.unwrap().0).await;
        guest.welcome(0).await;
        guest.say(json!({ "type": "draining", "reconnect_after_ms": 7000 })).await;
        guest.close(1001).await;
    });
    let mut line = client(&url).line(DOOR);
    assert!(matches!(line.next().await.unwrap(), Happened::Connected(_)));
    let Happened::Lost { why, again_in } = line.next().await.unwrap() else { panic!() };
    assert!(matches!(why, SocketError::Closed(Some(1001))), "{why}");
    assert!(again_in > Duration::from_secs(6) && again_in <= Duration::from_secs(7));
}

#[tokio::test]
async fn a_line_is_over_when_connecting_again_would_not_help() {
    let (listener, url) = listener().await;
    tokio::spawn(async move {
        let mut guest = Guest::receive(listener.accept().await.unwrap().0).await;
        guest.welcome(0).await;
        guest.close(4401).await;
        let mut again = Guest::receive(listener.accept().await.unwrap().0).await;
        assert_eq!(again.auth["token"], "another");
        again.welcome(0).await;
        std::future::pending::<()>().await;
    });
    let mut line = client(&url).line(DOOR);
    assert!(matches!(line.next().await.unwrap(), Happened::Connected(_)));
    let error = line.next().await.unwrap_err();
    assert!(matches!(error, SocketError::Closed(Some(4401))), "{error}");
    // With another token it goes on.
    line.renew("another".to_owned().into()).unwrap();
    assert!(matches!(line.next().await.unwrap(), Happened::Connected(_)));
}

#[tokio::test]
async fn a_socket_is_opened_over_tls() {
    let (acceptor, certificate) = localhost();
    let (listener, _) = listener().await;
    let url = format!("https://localhost:{}", listener.local_addr().unwrap().port());
    tokio::spawn(async move {
        let stream = acceptor.accept(listener.accept().await.unwrap().0).await.unwrap();
        let mut guest = Guest::receive(stream).await;
        guest.welcome(3).await;
        std::future::pending::<()>().await;
    });
    let roots = Roots::Only(vec![certificate]);
    let options = ClientOptions { roots, ..ClientOptions::default() };
    let token = Credentials::bearer("token".to_owned());
    let client = Client::with_options(&url, token, &options).unwrap();
    let socket = client.connect(&DOOR).await.unwrap();
    assert_eq!(socket.welcome().resume_after, EventSeq(3));
}

/// Answers one request with these bytes.
async fn answering(bytes: &'static str) -> String {
    let (listener, url) = listener().await;
    tokio::spawn(async move {
        let (mut stream, _) = listener.accept().await.unwrap();
        let mut request = [0; 4096];
        let _some = stream.read(&mut request).await.unwrap();
        stream.write_all(bytes.as_bytes()).await.unwrap();
        std::future::pending::<()>().await;
    });
    url
}

#[tokio::test]
async fn what_does_not_open_a_socket_is_told_apart() {
    let replayed = "HTTP/1.1 101 Switching Protocols\r\nconnection: upgrade\r\n\
        upgrade: websocket\r\nsec-websocket-accept: s3pPLMBiTxaQ9kYGzzhZRbK+xOo=\r\n\r\n";
    let error = client(&answering(replayed).await).connect(&DOOR).await.unwrap_err();
    assert!(matches!(error, SocketError::NotASocket), "{error}");

    let page = "HTTP/1.1 200 OK\r\ncontent-length: 2\r\n\r\nhi";
    let error = client(&answering(page).await).connect(&DOOR).await.unwrap_err();
    assert!(matches!(error, SocketError::NotASocket), "{error}");

    let busy = "HTTP/1.1 503 Service Unavailable\r\ncontent-length: 2\r\n\r\nhi";
    let error = client(&answering(busy).await).connect(&DOOR).await.unwrap_err();
    assert!(matches!(error, SocketError::Client(_)) && error.is_passing(), "{error}");
}
