//! A JSON client over HTTP that expects the server to die at any moment.

use std::net::SocketAddr;

use bytes::Bytes;
use http::{Method, Request, StatusCode, header};
use http_body_util::{BodyExt as _, Full};
use hyper_util::rt::TokioIo;
use serde_json::Value;
use tokio::net::TcpStream;

/// Where a relay is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Address(pub SocketAddr);

/// The connection broke before there was an answer: the request may or may not have been served.
#[derive(Debug)]
pub struct Lost;

/// What came back.
#[derive(Debug)]
pub struct Answer {
    /// The status.
    pub status: StatusCode,
    /// The body.
    pub body: Value,
}

impl Answer {
    /// What stands in `data`.
    #[track_caller]
    #[must_use]
    pub fn data(&self) -> &Value {
        assert!(self.status.is_success(), "{self:?}");
        &self.body["data"]
    }

    /// The code of a refusal.
    #[must_use]
    pub fn code(&self) -> &str {
        self.body["error"]["code"].as_str().unwrap_or_default()
    }
}

impl Address {
    /// Sends JSON and reads JSON.
    ///
    /// # Errors
    /// If there was no complete answer.
    pub async fn call(
        self,
        method: Method,
        path: &str,
        token: Option<&str>,
        body: Option<&Value>,
    ) -> Result<Answer, Lost> {
        let mut request = Request::builder().method(method).uri(path);
        request = request.header(header::HOST, self.0.to_string());
        if let Some(token) = token {
            request = request.header(header::AUTHORIZATION, format!("Bearer {token}"));
        }
        if body.is_some() {
            request = request.header(header::CONTENT_TYPE, "application/json");
        }
        let body = body.map(|body| Bytes::from(body.to_string())).unwrap_or_default();
        let request = request.body(Full::new(body)).unwrap();
        self.exchange(request).await.ok_or(Lost)
    }

    async fn exchange(self, request: Request<Full<Bytes>>) -> Option<Answer> {
        let stream = TcpStream::connect(self.0).await.ok()?;
        let _ = stream.set_nodelay(true);
        let io = TokioIo::new(stream);
        let (mut sender, connection) = hyper::client::conn::http1::handshake(io).await.ok()?;
        tokio::spawn(connection);
        let (parts, body) = sender.send_request(request).await.ok()?.into_parts();
        let bytes = body.collect().await.ok()?.to_bytes();
        let body = serde_json::from_slice(&bytes).unwrap_or(Value::Null);
        Some(Answer { status: parts.status, body })
    }
}
