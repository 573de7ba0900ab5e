//! A relay that accepts sockets and sends what a test says.

use std::time::Duration;

use assent_ids::EventSeq;
use assent_relay_client::{
    Client, ClientOptions, ConnectOptions, Credentials, EventStream, Roots, SocketRole,
    StreamError, StreamEvent,
};
use futures_util::{SinkExt as _, StreamExt as _};
use serde_json::{Value, json};
use tokio::{
    io::{AsyncRead, AsyncWrite},
    net::{TcpListener, TcpStream},
    time::timeout,
};
use tokio_tungstenite::{
    WebSocketStream, accept_async,
    tungstenite::{Message, protocol::CloseFrame},
};

/// Longer than any step of these tests takes.
pub const TIMEOUT: Duration = Duration::from_secs(20);

pub const HUMAN: ConnectOptions = ConnectOptions::new(SocketRole::Human);

/// A socket at the relay, after its first frame.
pub struct Peer<S = TcpStream> {
    pub stream: WebSocketStream<S>,
    pub auth: Value,
}

impl<S: AsyncRead + AsyncWrite + Unpin> Peer<S> {
    pub async fn over(stream: S) -> Self {
        let stream = accept_async(stream).await.unwrap();
        let mut peer = Self { stream, auth: Value::Null };
        peer.auth = peer.frame().await;
        peer
    }

    /// The next frame of the client.
    pub async fn frame(&mut self) -> Value {
        let frame = timeout(TIMEOUT, self.stream.next()).await.expect("a frame comes");
        let Message::Text(text) = frame.unwrap().unwrap() else { panic!() };
        serde_json::from_str(&text).unwrap()
    }

    pub async fn send(&mut self, frame: Value) {
        self.stream.send(Message::text(frame.to_string())).await.unwrap();
    }

    pub async fn welcome(&mut self, resume_after: u64) {
        self.welcome_with(resume_after, 1).await;
    }

    pub async fn welcome_with(&mut self, resume_after: u64, first_event_id: u64) {
        let id = "agt_01JZ8Q5A1B2C3D4E5F6G7H8J9K";
        let welcome = json!({
            "type": "auth.ok", "id": id, "resume_after": resume_after,
            "first_event_id": first_event_id, "latest_event_id": 9,
        });
        self.send(welcome).await;
    }

    pub async fn event(&mut self, event_id: u64) {
        let data = json!({ "reason": "logged_out" });
        self.send(json!({ "type": "session.invalidated", "event_id": event_id, "data": data }))
            .await;
    }

    /// Answers a `message.send`.
    pub async fn answer(&mut self, frame: &Value) {
        self.send(json!({
            "type": "message.sent",
            "conversation_id": frame["conversation_id"],
            "client_message_id": frame["client_message_id"],
            "message_id": "msg_01JZ8Q4Y7N3M5K2B9C6D1E0F4G",
            "conversation_seq": 7,
        }))
        .await;
    }

    pub async fn close(mut self, code: u16) {
        let frame = CloseFrame { code: code.into(), reason: "".into() };
        self.stream.close(Some(frame)).await.unwrap();
        while self.stream.next().await.is_some_and(|message| message.is_ok()) {}
    }
}

pub struct ScriptedRelay {
    listener: TcpListener,
    pub client: Client,
}

impl ScriptedRelay {
    pub async fn start() -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let client = client(&format!("http://{}", listener.local_addr().unwrap()));
        Self { listener, client }
    }

    pub async fn accept(&self) -> TcpStream {
        timeout(TIMEOUT, self.listener.accept()).await.expect("a client connects").unwrap().0
    }

    pub async fn peer(&self) -> Peer {
        Peer::over(self.accept().await).await
    }

    /// A client that was let in after event 0, and what the relay sees of it.
    pub async fn connected(&self, options: ConnectOptions) -> (EventStream, Peer) {
        let mut events = self.client.event_stream(options);
        let mut peer = self.peer().await;
        peer.welcome(0).await;
        assert!(matches!(next(&mut events).await, Ok(StreamEvent::Connected(_))));
        (events, peer)
    }
}

pub fn client(url: &str) -> Client {
    let options = ClientOptions { roots: Roots::Only(Vec::new()), ..ClientOptions::default() };
    Client::with_options(url, Credentials::bearer("token".to_owned()), &options).unwrap()
}

pub async fn next(events: &mut EventStream) -> Result<StreamEvent, StreamError> {
    timeout(TIMEOUT, events.next()).await.expect("something happens").unwrap()
}

/// The next event, whatever happens to the connection.
pub async fn next_event(events: &mut EventStream) -> EventSeq {
    loop {
        match next(events).await.unwrap() {
            StreamEvent::Event(event) => return event.event_id,
            StreamEvent::Connected(_) | StreamEvent::Disconnected { .. } => {}
            other => panic!("{other:?}"),
        }
    }
}
