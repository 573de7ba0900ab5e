//! Calls of operations.

use std::{path::PathBuf, sync::Arc, time::Duration};

use assent_outbound::Roots;
use assent_relay_api::{Operation, Reply, write};
use http::{
    HeaderMap, HeaderValue, StatusCode,
    header::{ACCEPT, CONTENT_TYPE, USER_AGENT},
};
use http_body_util::Full;
use hyper::body::Bytes;

use crate::{
    BaseUrl, ClientError, Credentials, Retries,
    admin_socket::AdminSocket,
    transport::{Received, Transport},
    web::Web,
};

const JSON: HeaderValue = HeaderValue::from_static("application/json");
const AGENT: HeaderValue = HeaderValue::from_static(concat!("assent/", env!("CARGO_PKG_VERSION")));

/// How a client behaves.
#[derive(Clone, Debug)]
pub struct ClientOptions {
    /// Whose certificates are trusted.
    pub roots: Roots,
    /// Whether the relay may be reached without encryption on another machine. On this machine it may.
    pub allow_plain_http: bool,
    /// How long a call may take; more than a long poll waits.
    pub call_timeout: Duration,
    /// The most bytes of an answer.
    pub max_answer_bytes: usize,
    /// Whether what failed is tried again.
    pub retries: Retries,
}

impl Default for ClientOptions {
    fn default() -> Self {
        Self {
            roots: Roots::System,
            allow_plain_http: false,
            call_timeout: Duration::from_secs(60),
            max_answer_bytes: 64 * 1024 * 1024,
            retries: Retries::NONE,
        }
    }
}

/// Calls operations. Cloning it is cheap and shares its connections.
#[derive(Clone, Debug)]
pub struct Client {
    pub(crate) transport: Arc<Transport>,
    pub(crate) credentials: Credentials,
    retries: Retries,
}

/// A whole answer.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Answer<R> {
    /// The status: it tells `201`, done now, from `200`, done before.
    pub status: StatusCode,
    /// The headers, such as `ETag`.
    pub headers: HeaderMap,
    /// What was answered.
    pub reply: R,
}

impl Client {
    /// A client of the relay at this address: `https`, or `http` on this machine.
    ///
    /// # Errors
    /// If the address cannot be used, or there are no certificates to trust.
    pub fn new(base_url: &str, credentials: Credentials) -> Result<Self, ClientError> {
        Self::with_options(base_url, credentials, &ClientOptions::default())
    }

    /// A client that behaves like this.
    ///
    /// # Errors
    /// As for [`Self::new`].
    pub fn with_options(
        base_url: &str,
        credentials: Credentials,
        options: &ClientOptions,
    ) -> Result<Self, ClientError> {
        let base = BaseUrl::parse(base_url, options.allow_plain_http)?;
        let transport = Transport::Web(Box::new(Web::new(base, options)?));
        Ok(Self { transport: Arc::new(transport), credentials, retries: options.retries })
    }

    /// A client of the local admin socket at this path.
    #[must_use]
    pub fn admin(socket: impl Into<PathBuf>, options: &ClientOptions) -> Self {
        let transport = Transport::Admin(AdminSocket::new(socket.into(), options));
        let credentials = Credentials::None;
        Self { transport: Arc::new(transport), credentials, retries: options.retries }
    }

    /// The same client with other credentials, such as a newer token. Connections are shared.
    #[must_use]
    pub fn with_credentials(&self, credentials: Credentials) -> Self {
        Self { credentials, ..self.clone() }
    }

    pub(crate) fn with_retries(&self, retries: Retries) -> Self {
        Self { retries, ..self.clone() }
    }

    /// Calls an operation.
    ///
    /// # Errors
    /// If the request cannot be sent, the relay refuses it, or the answer is not understood.
    pub async fn call<O: Operation>(
        &self,
        path: &O::Path,
        query: &O::Query,
        body: &O::Body,
    ) -> Result<O::Reply, ClientError> {
        let answer = self.call_with::<O>(path, query, body, HeaderMap::new()).await?;
        Ok(answer.reply)
    }

    /// Calls an operation with headers such as `If-Match`, and gives the status and the headers of the answer.
    ///
    /// # Errors
    /// As for [`Self::call`].
    pub async fn call_with<O: Operation>(
        &self,
        path: &O::Path,
        query: &O::Query,
        body: &O::Body,
        mut headers: HeaderMap,
    ) -> Result<Answer<O::Reply>, ClientError> {
        let target = write::write_target::<O>(path, query)?;
        let body = write::write_body::<O>(body)?;
        headers.extend([(ACCEPT, JSON), (USER_AGENT, AGENT)]);
        if body.is_some() {
            headers.insert(CONTENT_TYPE, JSON);
        }
        self.credentials.put_into(&mut headers)?;
        let mut request = http::Request::new(Full::new(Bytes::from(body.unwrap_or_default())));
        *request.method_mut() = O::METHOD;
        *request.headers_mut() = headers;
        let received = self.send(&target, &request, O::IDEMPOTENT).await?;
        understood::<O>(received)
    }

    /// Sends a request, and again if that may help and does no harm.
    async fn send(
        &self,
        target: &str,
        request: &http::Request<Full<Bytes>>,
        idempotent: bool,
    ) -> Result<Received, ClientError> {
        let mut attempt = 0;
        loop {
            let outcome = self.transport.send(target, request.clone()).await;
            let outcome = outcome.and_then(Received::checked);
            let wait = match &outcome {
                Err(error) if idempotent => self.retries.wait(attempt, error),
                _ => None,
            };
            let Some(wait) = wait else { return outcome };
            tokio::time::sleep(wait).await;
            attempt += 1;
        }
    }
}

fn understood<O: Operation>(received: Received) -> Result<Answer<O::Reply>, ClientError> {
    let Received { status, headers, body } = received;
    match O::Reply::read(&body) {
        Ok(reply) => Ok(Answer { status, headers, reply }),
        Err(error) => Err(ClientError::Answer { operation: O::ID, reason: error.to_string() }),
    }
}
