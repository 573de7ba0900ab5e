//! HTTP services for tests.

use std::{
    convert::Infallible,
    sync::{
        Arc, Mutex,
        atomic::{AtomicUsize, Ordering},
    },
};

use assent_hooks::{HookUrl, HttpClient, HttpHook, HttpSpec, Roots, Terms};
use assent_ids::{UnixMillis, deterministic::ManualClock};
use http::{HeaderMap, Request, Response, StatusCode};
use http_body_util::{BodyExt, Full};
use hyper::{
    body::{Bytes, Incoming},
    service::service_fn,
};
use hyper_util::rt::TokioIo;
use tokio::{
    io::{AsyncRead, AsyncReadExt, AsyncWrite, AsyncWriteExt},
    net::{TcpListener, TcpStream},
};

/// A request that a service got.
pub struct Seen {
    pub method: http::Method,
    pub path: String,
    pub headers: HeaderMap,
    pub body: String,
}

pub type Reply = Arc<dyn Fn(&Seen) -> Response<Full<Bytes>> + Send + Sync>;

/// A service on this machine.
pub struct Service {
    pub port: u16,
    pub seen: Arc<Mutex<Vec<Seen>>>,
    pub connections: Arc<AtomicUsize>,
}

pub fn reply(status: u16, body: impl Into<Bytes>) -> Response<Full<Bytes>> {
    let mut response = Response::new(Full::new(body.into()));
    *response.status_mut() = StatusCode::from_u16(status).unwrap();
    response
}

impl Service {
    /// A service that always answers like this.
    pub async fn saying(status: u16, body: &'static str) -> Self {
        Self::new(Arc::new(move |_| reply(status, body))).await
    }

    pub async fn new(answer: Reply) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let service = Self {
            port: listener.local_addr().unwrap().port(),
            seen: Arc::default(),
            connections: Arc::default(),
        };
        let (seen, connections) = (Arc::clone(&service.seen), Arc::clone(&service.connections));
        tokio::spawn(async move {
            while let Ok((stream, _)) = listener.accept().await {
                connections.fetch_add(1, Ordering::SeqCst);
                tokio::spawn(serve(stream, Arc::clone(&seen), Arc::clone(&answer)));
            }
        });
        service
    }

    pub fn url(&self) -> HookUrl {
        HookUrl::parse(&format!("http://127.0.0.1:{}/moments", self.port), true).unwrap()
    }

    pub fn hook(&self) -> HttpHook {
        hook(self.url(), |_, _| {})
    }
}

/// Speaks HTTP over anything.
pub async fn serve(
    stream: impl AsyncRead + AsyncWrite + Unpin + Send + 'static,
    seen: Arc<Mutex<Vec<Seen>>>,
    answer: Reply,
) {
    let service = service_fn(|request: Request<Incoming>| {
        let (seen, answer) = (Arc::clone(&seen), Arc::clone(&answer));
        async move {
            let (head, body) = request.into_parts();
            let body = body.collect().await.unwrap().to_bytes();
            let request = Seen {
                method: head.method,
                path: head.uri.path().to_owned(),
                headers: head.headers,
                body: String::from_utf8(body.to_vec()).unwrap(),
            };
            let response = answer(&request);
            seen.lock().unwrap().push(request);
            Ok::<_, Infallible>(response)
        }
    });
    let connection =
        hyper::server::conn::http1::Builder::new().serve_connection(TokioIo::new(stream), service);
    // A client that goes away is no concern of the service.
    let _gone = connection.await;
}

/// A service that takes a request and then does as it likes. Gives back its port.
pub async fn rude<F, R>(behave: F) -> u16
where
    F: Fn(TcpStream) -> R + Send + 'static,
    R: Future<Output = ()> + Send + 'static,
{
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let port = listener.local_addr().unwrap().port();
    tokio::spawn(async move {
        while let Ok((mut stream, _)) = listener.accept().await {
            let mut head = [0; 4096];
            let _read = stream.read(&mut head).await;
            tokio::spawn(behave(stream));
        }
    });
    port
}

/// The address of a port of this machine.
pub fn at(port: u16) -> HookUrl {
    HookUrl::parse(&format!("http://127.0.0.1:{port}/"), true).unwrap()
}

/// A service that answers with these bytes, whatever they mean, and hangs up.
pub async fn raw(bytes: &'static [u8]) -> u16 {
    rude(move |mut stream| async move {
        let _written = stream.write_all(bytes).await;
        let _closed = stream.shutdown().await;
    })
    .await
}

pub fn hook(url: HookUrl, change: impl FnOnce(&mut Terms, &mut HttpSpec)) -> HttpHook {
    hook_trusting(url, &Roots::Only(Vec::new()), change)
}

pub fn hook_trusting(
    url: HookUrl,
    roots: &Roots,
    change: impl FnOnce(&mut Terms, &mut HttpSpec),
) -> HttpHook {
    let mut terms = Terms::new("service".parse().unwrap());
    let mut spec = HttpSpec { url, bearer: None, signing_secret: None };
    change(&mut terms, &mut spec);
    let clock = Arc::new(ManualClock::starting_at(UnixMillis::new(1_700_000_000_500)));
    HttpHook::new(terms, spec, HttpClient::new(roots).unwrap(), clock)
}
