//! Sockets of people in a world.

use std::time::Duration;

use futures_util::{SinkExt as _, StreamExt as _};
use serde_json::{Value, json};
use tokio::{net::TcpStream, time::timeout};
use tokio_tungstenite::{WebSocketStream, client_async, tungstenite::Message};

use crate::person::Person;

/// Longer than any step of these tests takes.
const TIMEOUT: Duration = Duration::from_secs(20);

/// A connection, after its first frame.
pub(crate) struct Socket(WebSocketStream<TcpStream>);

/// What came.
#[derive(Debug, PartialEq)]
pub(crate) enum Came {
    Frame(Value),
    Close(u16),
}

impl Person {
    /// Connects, and sends the first frame.
    pub(crate) async fn socket(&self, device_id: Option<&str>) -> Socket {
        let address = self.client.address();
        let stream = TcpStream::connect(address).await.unwrap();
        let (stream, _) = client_async(format!("ws://{address}/ws/human"), stream).await.unwrap();
        let mut socket = Socket(stream);
        let mut auth = json!({ "type": "auth", "token": self.token, "resume_after": 0 });
        if let Some(device_id) = device_id {
            auth["device_id"] = device_id.into();
        }
        socket.0.send(Message::text(auth.to_string())).await.unwrap();
        socket
    }
}

impl Socket {
    /// Says that everything up to `event` was handled.
    pub(crate) async fn acknowledge(&mut self, event: u64) {
        let ack = json!({ "type": "ack", "event_id": event });
        self.0.send(Message::text(ack.to_string())).await.unwrap();
    }

    /// The next frame.
    pub(crate) async fn next(&mut self) -> Came {
        loop {
            let message = timeout(TIMEOUT, self.0.next()).await.expect("something comes");
            match message.expect("the connection is open").unwrap() {
                Message::Text(text) => return Came::Frame(serde_json::from_str(&text).unwrap()),
                Message::Close(frame) => return Came::Close(frame.unwrap().code.into()),
                _ => {}
            }
        }
    }

    /// The next frame, which has to be of this type.
    pub(crate) async fn expect(&mut self, kind: &str) -> Value {
        match self.next().await {
            Came::Frame(frame) if frame["type"] == kind => frame,
            other => panic!("expected {kind}, found {other:?}"),
        }
    }
}
