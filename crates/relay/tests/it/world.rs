//! A relay with a database of its own, and people who talk to it.

use std::{
    net::SocketAddr,
    path::Path,
    sync::{
        Arc,
        atomic::{AtomicI64, Ordering},
    },
    time::Duration,
};

use assent_ids::{Clock, SystemClock, SystemEntropy, UnixMillis};
use assent_relay::{Server, Settings, StartError};
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
    settings: Settings,
    clock: Arc<ShiftedClock>,
    data: TempDir,
    database: Option<Database>,
}

/// A relay that does not run.
pub(crate) struct Stopped {
    pub(crate) settings: Settings,
    clock: Arc<ShiftedClock>,
    data: TempDir,
    pub(crate) database: Option<Database>,
}

/// A client of a relay.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Client {
    address: SocketAddr,
}

/// The time of the machine, and as much more or less as a test asks for.
#[derive(Default)]
struct ShiftedClock(AtomicI64);

impl Clock for ShiftedClock {
    fn now(&self) -> UnixMillis {
        let shift = self.0.load(Ordering::SeqCst);
        UnixMillis::new(SystemClock.now().get().saturating_add_signed(shift))
    }
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

    /// The status and the code of a refusal.
    pub(crate) fn refusal(&self) -> (u16, &str) {
        (self.status.as_u16(), self.code())
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
        let mut settings = Settings::new(data.path().join("data"));
        settings.listen = SocketAddr::from(([127, 0, 0, 1], 0));
        settings.database = database.as_ref().map(|database| database.url().parse().unwrap());
        change(&mut settings);
        let clock = Arc::new(ShiftedClock::default());
        let server = serve(&settings, &clock).await;
        Self { server, settings, clock, data, database }
    }

    pub(crate) async fn stop(self) {
        self.server.stop().await;
    }

    /// The same relay after a stop and a start: another port, the same data.
    pub(crate) async fn restarted(self) -> Self {
        self.stopped().await.start().await
    }

    /// What is left of it when it does not run.
    pub(crate) async fn stopped(self) -> Stopped {
        let Self { server, settings, clock, data, database } = self;
        server.stop().await;
        Stopped { settings, clock, data, database }
    }

    /// Another node on the same database, which has to be a PostgreSQL.
    pub(crate) async fn second_node(&self) -> Server {
        let mut settings = self.settings.clone();
        settings.data = self.data.path().join("second");
        serve(&settings, &self.clock).await
    }

    /// Lets time pass.
    pub(crate) fn advance(&self, by: Duration) {
        self.clock.0.fetch_add(i64::try_from(by.as_millis()).unwrap(), Ordering::SeqCst);
    }

    /// Sets the clock of the machine back.
    pub(crate) fn set_back(&self, by: Duration) {
        self.clock.0.fetch_sub(i64::try_from(by.as_millis()).unwrap(), Ordering::SeqCst);
    }

    pub(crate) fn address(&self) -> SocketAddr {
        self.server.address()
    }

    /// Where the relay keeps its files.
    pub(crate) fn data(&self) -> &Path {
        &self.settings.data
    }

    /// The address of the PostgreSQL, if it is on one.
    pub(crate) fn database_url(&self) -> Option<&str> {
        self.database.as_ref().map(Database::url)
    }

    /// A client of this relay that can be sent to another task.
    pub(crate) fn client(&self) -> Client {
        Client { address: self.address() }
    }

    /// Sends JSON and reads JSON.
    pub(crate) async fn call(
        &self,
        method: Method,
        path: &str,
        token: Option<&str>,
        body: Option<Value>,
    ) -> Response {
        self.client().call(method, path, token, body).await
    }

    /// Sends any request.
    pub(crate) async fn send(&self, request: Request<Full<Bytes>>) -> Response {
        self.client().send(request).await
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
        self.send_as_operator(request.body(Full::new(body)).unwrap()).await
    }

    /// Sends any request to the admin socket.
    pub(crate) async fn send_as_operator(&self, request: Request<Full<Bytes>>) -> Response {
        let stream = UnixStream::connect(self.server.admin_socket()).await.unwrap();
        exchange(stream, request).await
    }
}

impl Stopped {
    pub(crate) async fn start(self) -> World {
        let server = serve(&self.settings, &self.clock).await;
        let Self { settings, clock, data, database } = self;
        World { server, settings, clock, data, database }
    }

    /// Why it does not start.
    pub(crate) async fn start_error(&self) -> StartError {
        match try_serve(&self.settings, &self.clock).await {
            Ok(_) => panic!("it starts"),
            Err(error) => error,
        }
    }
}

async fn serve(settings: &Settings, clock: &Arc<ShiftedClock>) -> Server {
    try_serve(settings, clock).await.unwrap()
}

async fn try_serve(settings: &Settings, clock: &Arc<ShiftedClock>) -> Result<Server, StartError> {
    let clock = Arc::clone(clock);
    let entropy = Arc::new(SystemEntropy::new().unwrap());
    Server::start_with(settings.clone(), clock, entropy).await
}

impl Client {
    /// Reaches the relay at `address`.
    pub(crate) const fn of(address: SocketAddr) -> Self {
        Self { address }
    }

    pub(crate) const fn address(&self) -> SocketAddr {
        self.address
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
        request = request.header(header::HOST, self.address.to_string());
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
        exchange(TcpStream::connect(self.address).await.unwrap(), request).await
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
