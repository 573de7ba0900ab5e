//! TLS, with certificates of our own making.

use std::sync::{Arc, Mutex};

use assent_outbound::{CallError, Client, Roots};
use rcgen::{CertificateParams, KeyPair};
use rustls::{ServerConfig, pki_types::PrivateKeyDer};
use tokio::{
    io::{AsyncReadExt, AsyncWriteExt},
    net::TcpListener,
};
use tokio_rustls::TlsAcceptor;

use crate::{
    desk::{SHORT, Script, options, request},
    server::read_request,
};

const NAME: &str = "hooks.example.com";

/// The name that a service was asked for, and the request.
type Heard = (Option<String>, String);

/// A service that only speaks TLS.
struct Service {
    port: u16,
    certificate: Vec<u8>,
    heard: Arc<Mutex<Vec<Heard>>>,
}

impl Service {
    async fn new(change: impl FnOnce(&mut CertificateParams)) -> Self {
        let mut params = CertificateParams::new([NAME.to_owned()]).unwrap();
        change(&mut params);
        let key = KeyPair::generate().unwrap();
        let der = params.self_signed(&key).unwrap().der().clone();
        let key = PrivateKeyDer::try_from(key.serialize_der()).unwrap();
        let provider = Arc::new(rustls::crypto::aws_lc_rs::default_provider());
        let config = ServerConfig::builder_with_provider(provider)
            .with_safe_default_protocol_versions()
            .unwrap()
            .with_no_client_auth()
            .with_single_cert(vec![der.clone()], key)
            .unwrap();
        let acceptor = TlsAcceptor::from(Arc::new(config));
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let port = listener.local_addr().unwrap().port();
        let service = Self { port, certificate: der.to_vec(), heard: Arc::default() };
        let heard = Arc::clone(&service.heard);
        tokio::spawn(async move {
            while let Ok((stream, _)) = listener.accept().await {
                let Ok(mut stream) = acceptor.accept(stream).await else { continue };
                let name = stream.get_ref().1.server_name().map(str::to_owned);
                let request = read_request(&mut stream).await;
                heard.lock().unwrap().push((name, request));
                let _written = stream.write_all(b"HTTP/1.1 204 No Content\r\n\r\n").await;
                let _closed = stream.shutdown().await;
            }
        });
        service
    }

    fn trusted(&self) -> Roots {
        Roots::Only(vec![self.certificate.clone()])
    }
}

/// A service that does not speak TLS. Gives back its port.
async fn plain() -> u16 {
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let port = listener.local_addr().unwrap().port();
    tokio::spawn(async move {
        while let Ok((mut stream, _)) = listener.accept().await {
            let _written = stream.write_all(b"HTTP/1.1 400 Bad Request\r\n\r\n").await;
            // It waits for more, as servers do.
            let _read = stream.read(&mut [0; 4096]).await;
        }
    });
    port
}

/// The status of a call to this host, which leads to this machine.
async fn call(host: &str, port: u16, roots: Roots) -> Result<u16, CallError> {
    let origin = format!("https://{host}:{port}");
    let mut options = options(&origin);
    options.resolver = Script::new(&[&["127.0.0.1"]]);
    options.roots = roots;
    options.limits.connect = SHORT * 10;
    let response = Client::new(options).unwrap().send(request(&origin)).await;
    response.map(|response| response.status.as_u16())
}

#[tokio::test]
async fn the_name_is_kept_for_tls_and_for_http_whatever_address_is_dialled() {
    let service = Service::new(|_| {}).await;
    assert_eq!(call(NAME, service.port, service.trusted()).await, Ok(204));
    let heard = service.heard.lock().unwrap();
    let (name, request) = &heard[0];
    assert_eq!(name.as_deref(), Some(NAME));
    assert!(request.contains(&format!("\r\nhost: {NAME}:{}\r\n", service.port)), "{request}");
}

#[tokio::test]
async fn a_server_without_a_valid_certificate_gets_nothing() {
    let service = Service::new(|_| {}).await;
    let expired = Service::new(|params| params.not_after = rcgen::date_time_ymd(2020, 1, 1)).await;
    let plain = plain().await;
    let nobody = Roots::Only(Vec::new());
    for (host, port, roots, told) in [
        ("other.example.com", service.port, service.trusted(), "not valid for name"),
        ("127.0.0.1", service.port, service.trusted(), "not valid for name"),
        (NAME, service.port, nobody, "UnknownIssuer"),
        (NAME, expired.port, expired.trusted(), "expired"),
        (NAME, plain, service.trusted(), "corrupt message"),
    ] {
        let error = call(host, port, roots).await.unwrap_err();
        assert_eq!(error.class(), "tls_failed", "{error}");
        assert!(error.to_string().contains(told), "{error}");
    }
    assert!(service.heard.lock().unwrap().is_empty() && expired.heard.lock().unwrap().is_empty());
}

#[tokio::test]
async fn a_handshake_that_does_not_end_is_given_up() {
    let silent = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let error = call(NAME, silent.local_addr().unwrap().port(), Roots::Only(Vec::new())).await;
    assert_eq!(error, Err(CallError::ConnectTimeout(SHORT * 10)));
}

#[test]
fn a_certificate_that_is_none_is_refused_at_the_start() {
    let mut options = options("");
    options.roots = Roots::Only(vec![b"planted".to_vec()]);
    let error = Client::new(options).err().unwrap().to_string();
    assert!(error.starts_with("TLS cannot be set up") && !error.contains("planted"), "{error}");
}

#[test]
fn the_certificates_of_the_system_are_found() {
    let mut options = options("");
    options.roots = Roots::System;
    assert!(Client::new(options).is_ok());
}
