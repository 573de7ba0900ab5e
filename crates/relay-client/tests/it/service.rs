//! A relay for tests of the client: it gives scripted answers and records requests.

use std::{
    collections::VecDeque,
    convert::Infallible,
    sync::{Arc, Mutex},
};

use http::{HeaderMap, Request, Response, StatusCode};
use http_body_util::{BodyExt, Full};
use hyper::{
    body::{Bytes, Incoming},
    service::service_fn,
};
use hyper_util::rt::TokioIo;
use rustls::{ServerConfig, pki_types::PrivateKeyDer};
use tokio::{
    io::{AsyncRead, AsyncWrite},
    net::{TcpListener, UnixListener},
};
use tokio_rustls::TlsAcceptor;

/// A request that came.
pub struct Seen {
    pub method: http::Method,
    pub target: String,
    pub headers: HeaderMap,
    pub body: String,
}

/// An answer to give: status, headers, body.
#[derive(Clone)]
pub struct Say(pub u16, pub &'static [(&'static str, &'static str)], pub String);

/// What was asked, and what is still to be answered; the last answer is given for ever.
#[derive(Default)]
pub struct Script {
    pub seen: Mutex<Vec<Seen>>,
    answers: Mutex<VecDeque<Say>>,
}

impl Script {
    pub fn new(answers: impl IntoIterator<Item = Say>) -> Arc<Self> {
        Arc::new(Self {
            seen: Mutex::default(),
            answers: Mutex::new(answers.into_iter().collect()),
        })
    }

    pub fn count(&self) -> usize {
        self.seen.lock().unwrap().len()
    }

    pub fn last(&self) -> Seen {
        self.seen.lock().unwrap().pop().unwrap()
    }

    fn next(&self) -> Say {
        let mut answers = self.answers.lock().unwrap();
        if answers.len() > 1 { answers.pop_front().unwrap() } else { answers[0].clone() }
    }
}

/// Speaks HTTP over anything.
pub async fn serve(
    stream: impl AsyncRead + AsyncWrite + Unpin + Send + 'static,
    script: Arc<Script>,
) {
    let service = service_fn(|request: Request<Incoming>| {
        let script = Arc::clone(&script);
        async move {
            let (head, body) = request.into_parts();
            let body = body.collect().await.unwrap().to_bytes();
            script.seen.lock().unwrap().push(Seen {
                method: head.method,
                target: head.uri.to_string(),
                headers: head.headers,
                body: String::from_utf8(body.to_vec()).unwrap(),
            });
            let Say(status, headers, body) = script.next();
            let mut response = Response::new(Full::new(Bytes::from(body)));
            *response.status_mut() = StatusCode::from_u16(status).unwrap();
            for (name, value) in headers {
                response.headers_mut().insert(*name, value.parse().unwrap());
            }
            Ok::<_, Infallible>(response)
        }
    });
    let connection =
        hyper::server::conn::http1::Builder::new().serve_connection(TokioIo::new(stream), service);
    // A client that goes away is no concern of the service.
    let _gone = connection.await;
}

/// A relay on this machine. Gives back its address.
pub async fn on_loopback(script: &Arc<Script>) -> String {
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let port = listener.local_addr().unwrap().port();
    let script = Arc::clone(script);
    tokio::spawn(async move {
        while let Ok((stream, _)) = listener.accept().await {
            tokio::spawn(serve(stream, Arc::clone(&script)));
        }
    });
    format!("http://127.0.0.1:{port}")
}

/// Speaks TLS as `localhost`. Gives back the certificate as well.
pub fn localhost() -> (TlsAcceptor, Vec<u8>) {
    let made = rcgen::generate_simple_self_signed(["localhost".to_owned()]).unwrap();
    let certificate = made.cert.der().clone();
    let key = PrivateKeyDer::try_from(made.signing_key.serialize_der()).unwrap();
    let provider = Arc::new(rustls::crypto::aws_lc_rs::default_provider());
    let config = ServerConfig::builder_with_provider(provider)
        .with_safe_default_protocol_versions()
        .unwrap()
        .with_no_client_auth()
        .with_single_cert(vec![certificate.clone()], key)
        .unwrap();
    (TlsAcceptor::from(Arc::new(config)), certificate.to_vec())
}

/// An admin socket at this path.
pub fn on_socket(path: &std::path::Path, script: &Arc<Script>) {
    let listener = UnixListener::bind(path).unwrap();
    let script = Arc::clone(script);
    tokio::spawn(async move {
        while let Ok((stream, _)) = listener.accept().await {
            tokio::spawn(serve(stream, Arc::clone(&script)));
        }
    });
}
