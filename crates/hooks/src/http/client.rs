//! The client that all HTTP hooks share: HTTP/1.1 over TLS, connections kept, no proxies, no redirects.

use std::{error::Error, sync::Arc, time::Duration};

use assent_json::{shorten, visible};
use http::{Request, Response};
use http_body_util::{BodyExt, Full};
use hyper::body::{Body, Bytes, Incoming};
use hyper_rustls::{HttpsConnector, HttpsConnectorBuilder};
use hyper_util::{
    client::legacy::{Client, connect::HttpConnector},
    rt::{TokioExecutor, TokioTimer},
};
use rustls::{ClientConfig, RootCertStore, pki_types::CertificateDer};

use super::HttpError;
use crate::conversation::ConversationError;

/// How long a connection may take to be made.
const CONNECT: Duration = Duration::from_secs(10);
/// How long an idle connection is kept.
const IDLE: Duration = Duration::from_secs(60);
/// How many idle connections to one host are kept.
const MAX_IDLE: usize = 16;
/// The longest head of a response, in bytes.
const MAX_HEAD: usize = 64 * 1024;
/// The longest message about a request, in characters.
const MAX_MESSAGE: usize = 400;

/// Whose certificates are trusted.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub enum Roots {
    /// The authorities that the system trusts; `SSL_CERT_FILE` and `SSL_CERT_DIR` name others.
    #[default]
    System,
    /// Only these, each as the DER of a certificate.
    Only(Vec<Vec<u8>>),
}

/// Why there is no client.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum ClientError {
    /// The system trusts nobody.
    #[error(
        "no trusted certificates were found; install those of the system, or set `SSL_CERT_FILE`"
    )]
    NoRoots,
    /// A certificate or the library of cryptography is not usable.
    #[error("TLS cannot be set up: {0}")]
    Tls(#[from] rustls::Error),
}

/// Sends requests and keeps connections. Cloning it is cheap and shares them.
#[derive(Clone)]
pub struct HttpClient(Client<HttpsConnector<HttpConnector>, Full<Bytes>>);

impl HttpClient {
    /// A client that trusts these authorities. Those of the system are read from disk.
    ///
    /// # Errors
    /// If there are none, or one cannot be used.
    pub fn new(roots: &Roots) -> Result<Self, ClientError> {
        let provider = Arc::new(rustls::crypto::aws_lc_rs::default_provider());
        let config = ClientConfig::builder_with_provider(provider)
            .with_safe_default_protocol_versions()?
            .with_root_certificates(store(roots)?)
            .with_no_client_auth();
        let mut tcp = HttpConnector::new();
        // The connector around this one looks at the scheme; which ones are allowed, `HookUrl` says.
        tcp.enforce_http(false);
        tcp.set_nodelay(true);
        tcp.set_connect_timeout(Some(CONNECT));
        let connector = HttpsConnectorBuilder::new()
            .with_tls_config(config)
            .https_or_http()
            .enable_http1()
            .wrap_connector(tcp);
        let client = Client::builder(TokioExecutor::new())
            .pool_timer(TokioTimer::new())
            .pool_idle_timeout(IDLE)
            .pool_max_idle_per_host(MAX_IDLE)
            .http1_max_buf_size(MAX_HEAD)
            .build(connector);
        Ok(Self(client))
    }

    pub(super) async fn send(
        &self,
        request: Request<Full<Bytes>>,
    ) -> Result<Response<Incoming>, HttpError> {
        self.0.request(request).await.map_err(|error| HttpError::Request(told(&error)))
    }
}

fn store(roots: &Roots) -> Result<RootCertStore, ClientError> {
    let mut store = RootCertStore::empty();
    match roots {
        Roots::System => {
            // What cannot be read is as good as not installed.
            store.add_parsable_certificates(rustls_native_certs::load_native_certs().certs);
            if store.is_empty() {
                return Err(ClientError::NoRoots);
            }
        }
        Roots::Only(certificates) => {
            for der in certificates {
                store.add(CertificateDer::from(der.as_slice()).into_owned())?;
            }
        }
    }
    Ok(store)
}

/// The bytes of a response, if they are not too many. Nothing beyond the limit is kept.
pub(super) async fn body<B>(mut body: B, max_bytes: usize) -> Result<Vec<u8>, HttpError>
where
    B: Body<Data = Bytes, Error = hyper::Error> + Unpin,
{
    let mut bytes = Vec::new();
    while let Some(frame) = body.frame().await {
        let frame = frame.map_err(|error| HttpError::Request(told(&error)))?;
        let Ok(data) = frame.into_data() else { continue };
        if bytes.len().saturating_add(data.len()) > max_bytes {
            return Err(ConversationError::TooLong(max_bytes).into());
        }
        bytes.extend_from_slice(&data);
    }
    Ok(bytes)
}

/// An error with its causes: the outermost alone says nothing.
fn told(error: &(dyn Error + 'static)) -> String {
    let causes = std::iter::successors(Some(error), |&error| error.source());
    let causes: Vec<String> = causes.map(ToString::to_string).collect();
    visible(&shorten(&causes.join(": "), MAX_MESSAGE))
}
