//! A relay with a database of its own, and people who talk to it.

use std::{net::SocketAddr, path::Path, sync::Arc};

use assent_ids::{SystemClock, SystemEntropy};
use assent_relay::{Server, Settings};
use assent_test_servers::Database;
use bytes::Bytes;
use http::{Method, Request, StatusCode, header};
use http_body_util::{BodyExt as _, Full};
use hyper::body::Incoming;
use hyper_util::rt::TokioIo;
use serde_json::Value;
use tempfile::TempDir;
use tokio::{
    io::{AsyncRead, AsyncWrite},
    net::{TcpStream, UnixStream},
};

/// A running relay.
pub(crate) struct World {
    server: Server,
    data: TempDir,
    _database: Option<Database>,
}

/// What came back.
#[derive(Debug)]
pub(crate) struct Response {
    pub(crate) status: StatusCode,
    pub(crate) headers: http::HeaderMap,
    pub(crate) body: Value,
    /// The body as it came.
    pub(crate) text: String,
}

impl Response {
    /// What stands in `data`.
    #[track_caller]
    pub(crate) fn data(&self) -> &Value {
        assert!(self.status.is_success(), "{self:?}");
        &self.body["data"]
    }

    /// The code of a refusal.
    pub(crate) fn code(&self) -> &str {
        self.body["error"]["code"].as_str().unwrap_or_default()
    }
}

/// Runs a test on SQLite and on PostgreSQL, each with a fresh relay.
pub(crate) async fn on_both(test: impl AsyncFn(&World)) {
    on_both_with(|_| {}, test).await;
}

/// The same, with other settings.
pub(crate) async fn on_both_with(change: impl Fn(&mut Settings), test: impl AsyncFn(&World)) {
    for postgres in [false, true] {
        let world = World::start(postgres, &change).await;
        test(&world).await;
        world.stop().await;
    }
}

impl World {
    pub(crate) async fn start(postgres: bool, change: impl Fn(&mut Settings)) -> Self {
        let data = tempfile::tempdir().unwrap();
        let database = postgres.then(assent_test_servers::database);
        let mut settings = Settings::new(data.path());
        settings.listen = SocketAddr::from(([127, 0, 0, 1], 0));
        settings.database = database.as_ref().map(|database| database.url().parse().unwrap());
        change(&mut settings);
        let entropy = Arc::new(SystemEntropy::new().unwrap());
        let server = Server::start_with(settings, Arc::new(SystemClock), entropy).await.unwrap();
        Self { server, data, _database: database }
    }

    pub(crate) async fn stop(self) {
        self.server.stop().await;
    }

    pub(crate) fn address(&self) -> SocketAddr {
        self.server.address()
    }

    /// Sends JSON and reads JSON.
    pub(crate) async fn call(
        &self,
        method: Method,
        path: &str,
        token: Option<&str>,
        body: Option<Value>,
    ) -> Response {
        let mut request = Request::builder().method(method).uri(path);
        request = request.header(header::HOST, self.address().to_string());
        if let Some(token) = token {
            request = request.header(header::AUTHORIZATION, format!("Bearer {token}"));
        }
        if body.is_some() {
            request = request.header(header::CONTENT_TYPE, "application/json");
        }
        let body = body.map(|body| Bytes::from(body.to_string())).unwrap_or_default();
        self.send(request.body(Full::new(body)).unwrap()).await
    }

    /// Sends any request.
    pub(crate) async fn send(&self, request: Request<Full<Bytes>>) -> Response {
        exchange(TcpStream::connect(self.address()).await.unwrap(), request).await
    }

    /// Does something as operator, on the admin socket.
    pub(crate) async fn operate(
        &self,
        method: Method,
        path: &str,
        body: Option<Value>,
    ) -> Response {
        let mut request = Request::builder().method(method).uri(path);
        request = request.header(header::HOST, "localhost");
        if body.is_some() {
            request = request.header(header::CONTENT_TYPE, "application/json");
        }
        let body = body.map(|body| Bytes::from(body.to_string())).unwrap_or_default();
        let stream = UnixStream::connect(self.server.admin_socket()).await.unwrap();
        exchange(stream, request.body(Full::new(body)).unwrap()).await
    }

    /// Where its data lies.
    pub(crate) fn data(&self) -> &Path {
        self.data.path()
    }
}

/// One request over a connection of its own.
async fn exchange(
    stream: impl AsyncRead + AsyncWrite + Unpin + Send + 'static,
    request: Request<Full<Bytes>>,
) -> Response {
    let (mut sender, connection) =
        hyper::client::conn::http1::handshake(TokioIo::new(stream)).await.unwrap();
    tokio::spawn(connection);
    read(sender.send_request(request).await.unwrap()).await
}

/// The whole of a response.
pub(crate) async fn read(response: http::Response<Incoming>) -> Response {
    let (parts, body) = response.into_parts();
    let bytes = body.collect().await.unwrap().to_bytes();
    let body = serde_json::from_slice(&bytes).unwrap_or(Value::Null);
    let text = String::from_utf8_lossy(&bytes).into_owned();
    Response { status: parts.status, headers: parts.headers, body, text }
}
