//! Opens connections and negotiates TLS, within one time limit.

use std::{
    error::Error,
    pin::Pin,
    task::{Context, Poll},
    time::Duration,
};

use http::Uri;
use hyper_rustls::{HttpsConnector, HttpsConnectorBuilder, MaybeHttpsStream};
use hyper_util::rt::TokioIo;
use rustls::ClientConfig;
use tokio::{net::TcpStream, time::timeout};
use tower_service::Service;

use crate::{CallError, dial::Dialer, error::describe};

/// Opens connections for HTTP. The certificate must be valid for the name in the URL, whatever address was
/// dialed.
#[derive(Clone)]
pub(crate) struct Connector {
    https: HttpsConnector<Dialer>,
    limit: Duration,
}

impl Connector {
    pub(crate) fn new(dialer: Dialer, tls: ClientConfig, limit: Duration) -> Self {
        let https = HttpsConnectorBuilder::new()
            .with_tls_config(tls)
            // The dialer decides whether a connection may be unencrypted.
            .https_or_http()
            .enable_http1()
            .wrap_connector(dialer);
        Self { https, limit }
    }
}

impl Service<Uri> for Connector {
    type Response = MaybeHttpsStream<TokioIo<TcpStream>>;
    type Error = CallError;
    type Future = Pin<Box<dyn Future<Output = Result<Self::Response, CallError>> + Send>>;

    fn poll_ready(&mut self, context: &mut Context<'_>) -> Poll<Result<(), CallError>> {
        self.https.poll_ready(context).map_err(call_error)
    }

    fn call(&mut self, uri: Uri) -> Self::Future {
        let (connecting, limit) = (self.https.call(uri), self.limit);
        Box::pin(async move {
            match timeout(limit, connecting).await {
                Ok(connected) => connected.map_err(call_error),
                Err(_) => Err(CallError::ConnectTimeout(limit)),
            }
        })
    }
}

/// Errors of the dialer are [`CallError`]s; all others come from TLS.
fn call_error(error: Box<dyn Error + Send + Sync>) -> CallError {
    match error.downcast() {
        Ok(error) => *error,
        Err(error) => CallError::Tls(describe(&*error)),
    }
}
