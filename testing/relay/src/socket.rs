//! A socket of a person or an agent.

use std::time::Duration;

use futures_util::{SinkExt as _, StreamExt as _};
use serde_json::{Value, json};
use tokio::{net::TcpStream, time::timeout};
use tokio_tungstenite::{WebSocketStream, client_async, tungstenite::Message};

use crate::{Address, Lost, Relation};

/// A socket that was let in.
pub struct Socket {
    stream: WebSocketStream<TcpStream>,
    /// What the server said when it let the client in.
    pub welcome: Value,
}

/// What came.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Event {
    /// What kind of event.
    pub kind: String,
    /// Its number.
    pub event_id: u64,
    /// What it tells.
    pub data: Value,
}

impl Socket {
    /// Connects, behind the event `resume_after`.
    ///
    /// # Errors
    /// If the connection breaks, or if the server does not let the client in.
    pub async fn connect(
        relay: Address,
        path: &str,
        token: &str,
        resume_after: Option<u64>,
    ) -> Result<Self, Lost> {
        let mut socket = Self::open(relay, path).await?;
        let mut auth = json!({ "type": "auth", "token": token });
        if let Some(event) = resume_after {
            auth["resume_after"] = event.into();
        }
        socket.send(&auth).await?;
        socket.welcome = socket.next_json().await.ok_or(Lost)?;
        if socket.welcome["type"] == "auth.ok" { Ok(socket) } else { Err(Lost) }
    }

    /// Connects, and says nothing yet.
    ///
    /// # Errors
    /// If the connection breaks.
    pub async fn open(relay: Address, path: &str) -> Result<Self, Lost> {
        let stream = TcpStream::connect(relay.0).await.map_err(|_| Lost)?;
        let _ = stream.set_nodelay(true);
        let url = format!("ws://{}/ws/{path}", relay.0);
        let (stream, _) = client_async(url, stream).await.map_err(|_| Lost)?;
        Ok(Self { stream, welcome: Value::Null })
    }

    /// The next event; `None` when the connection is gone.
    pub async fn next(&mut self) -> Option<Event> {
        loop {
            let frame = self.next_json().await?;
            if let Some(event_id) = frame["event_id"].as_u64() {
                let kind = frame["type"].as_str().unwrap().to_owned();
                return Some(Event { kind, event_id, data: frame["data"].clone() });
            }
        }
    }

    /// The next event, if it comes soon.
    pub async fn next_within(&mut self, time: Duration) -> Option<Event> {
        timeout(time, self.next()).await.ok().flatten()
    }

    /// The next frame of whatever kind.
    pub async fn next_json(&mut self) -> Option<Value> {
        loop {
            match self.stream.next().await? {
                Ok(Message::Text(text)) => return serde_json::from_str(&text).ok(),
                Ok(Message::Ping(_) | Message::Pong(_)) => {}
                _ => return None,
            }
        }
    }

    /// Sends a message on the socket, and waits for its answer; events that come meanwhile are passed over.
    ///
    /// # Errors
    /// If the connection breaks before there is an answer.
    pub async fn say(&mut self, relation: &Relation, id: &str, text: &str) -> Result<Value, Lost> {
        self.send(&relation.message(id, text)).await?;
        loop {
            let frame = self.next_json().await.ok_or(Lost)?;
            if frame["client_message_id"] == id {
                return Ok(frame);
            }
        }
    }

    /// Acknowledges everything up to an event.
    ///
    /// # Errors
    /// If the connection is gone.
    pub async fn acknowledge(&mut self, event_id: u64) -> Result<(), Lost> {
        self.send(&json!({ "type": "ack", "event_id": event_id })).await
    }

    /// Sends any frame.
    ///
    /// # Errors
    /// If the connection is gone.
    pub async fn send(&mut self, frame: &Value) -> Result<(), Lost> {
        self.stream.send(Message::text(frame.to_string())).await.map_err(|_| Lost)
    }

    /// The code with which the server closes.
    pub async fn close_code(&mut self) -> Option<u16> {
        loop {
            match self.stream.next().await? {
                Ok(Message::Close(Some(frame))) => return Some(frame.code.into()),
                Ok(_) => {}
                Err(_) => return None,
            }
        }
    }
}
