//! The HTTP client.

use std::{sync::Arc, time::Duration};

use http::HeaderMap;
use http_body_util::Full;
use hyper::body::Bytes;
use hyper_util::{
    client::legacy,
    rt::{TokioExecutor, TokioTimer},
};
use tokio::time::{Instant, timeout_at};

use crate::{
    Answer, CallError, Limits, Origins, Reach, Request, Resolve, Response, Reuse, Roots,
    SystemResolver, Target,
    connector::Connector,
    dial::Dialer,
    error::{causes, describe},
    limits::MAX_HEAD_BYTES,
};

/// How long an idle connection is kept.
const IDLE: Duration = Duration::from_secs(60);

/// The settings of a client.
#[derive(Clone)]
pub struct ClientOptions {
    /// The certificate authorities that are trusted.
    pub roots: Roots,
    /// The addresses that may be called.
    pub reach: Reach,
    /// The limits of a call.
    pub limits: Limits,
    /// Whether connections are kept.
    pub reuse: Reuse,
    /// The resolver of names.
    pub resolver: Arc<dyn Resolve>,
}

impl ClientOptions {
    /// Settings for untrusted addresses, with these exceptions.
    #[must_use]
    pub fn for_strangers(excepted: Origins) -> Self {
        Self {
            roots: Roots::System,
            reach: Reach::Public(excepted),
            limits: Limits::default(),
            reuse: Reuse::Never,
            resolver: Arc::new(SystemResolver::default()),
        }
    }

    /// Settings for addresses that the operator configured. The caller limits the time of calls.
    #[must_use]
    pub fn for_the_owner() -> Self {
        Self {
            reach: Reach::Anywhere,
            limits: Limits { call: None, ..Limits::default() },
            reuse: Reuse::PerHost(16),
            ..Self::for_strangers(Origins::default())
        }
    }
}

/// Why a client cannot be created.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum ClientError {
    /// The system has no certificate authorities.
    #[error(
        "no trusted certificates were found; install those of the system, or set `SSL_CERT_FILE`"
    )]
    NoRoots,
    /// A certificate or the cryptographic library cannot be used.
    #[error("TLS cannot be set up: {0}")]
    Tls(#[from] rustls::Error),
}

/// Sends requests over HTTP/1.1. Clones share the connections.
#[derive(Clone)]
pub struct Client {
    http: legacy::Client<Connector, Full<Bytes>>,
    dialer: Dialer,
    limits: Limits,
}

impl Client {
    /// Creates a client. The certificates of the system are read from disk.
    ///
    /// # Errors
    /// If there are none, or one cannot be used.
    pub fn new(options: ClientOptions) -> Result<Self, ClientError> {
        let ClientOptions { roots, reach, limits, reuse, resolver } = options;
        let dialer = Dialer { reach: Arc::new(reach), resolver };
        let connector = Connector::new(dialer.clone(), roots.tls()?, limits.connect);
        let kept = match reuse {
            Reuse::Never => 0,
            Reuse::PerHost(connections) => connections,
        };
        let http = legacy::Client::builder(TokioExecutor::new())
            .pool_timer(TokioTimer::new())
            .pool_idle_timeout(IDLE)
            .pool_max_idle_per_host(kept)
            .http1_max_buf_size(MAX_HEAD_BYTES)
            .build(connector);
        Ok(Self { http, dialer, limits })
    }

    /// Sends a request and reads the answer, with at most [`Limits::body`] bytes of the body.
    ///
    /// Dropping the call closes its connection.
    ///
    /// # Errors
    /// If there is no answer. A status that reports a failure is an answer.
    pub async fn send(&self, request: Request) -> Result<Response, CallError> {
        self.begin(request).await?.whole(self.limits.body).await
    }

    /// Sends a request and reads only the head of the answer.
    ///
    /// # Errors
    /// If there is no answer.
    pub async fn begin(&self, request: Request) -> Result<Answer, CallError> {
        self.begin_http(request.into_http()?).await
    }

    pub(crate) async fn begin_http(
        &self,
        request: http::Request<Full<Bytes>>,
    ) -> Result<Answer, CallError> {
        let deadline = Deadline::within(self.limits.call);
        let calling = async { self.http.request(request).await.map_err(|error| failure(&error)) };
        let response = deadline.keep(calling).await?;
        check_head(response.headers())?;
        Ok(Answer { response, deadline })
    }

    /// Resolves a target and checks its addresses without connecting, so that a wrong address is refused when it
    /// is registered. Every call checks again.
    ///
    /// # Errors
    /// If the target may not be called, has no address, or cannot be resolved in time.
    pub async fn vet(&self, target: &Target) -> Result<(), CallError> {
        let limit = self.limits.connect;
        let looked_up = tokio::time::timeout(limit, self.dialer.addresses(target.origin())).await;
        looked_up.map_err(|_| CallError::ConnectTimeout(limit))?.map(drop)
    }
}

/// Checks the exact length of the head. While it is read, a buffer bounds it approximately.
fn check_head(headers: &HeaderMap) -> Result<(), CallError> {
    let separators = ": \r\n".len();
    let lengths =
        headers.iter().map(|(name, value)| name.as_str().len() + value.len() + separators);
    match lengths.sum::<usize>() {
        ..=MAX_HEAD_BYTES => Ok(()),
        _ => Err(CallError::Answer(format!("its head is longer than {MAX_HEAD_BYTES} bytes"))),
    }
}

/// Returns the error of the connector, or else of the HTTP connection.
fn failure(error: &legacy::Error) -> CallError {
    let ours = causes(error).find_map(|cause| cause.downcast_ref::<CallError>());
    ours.cloned().unwrap_or_else(|| CallError::Answer(describe(error)))
}

/// The deadline of a call, if there is one.
#[derive(Clone, Copy)]
pub(crate) struct Deadline(Option<(Instant, Duration)>);

impl Deadline {
    fn within(limit: Option<Duration>) -> Self {
        // A deadline beyond the range of the clock never comes.
        Self(limit.and_then(|limit| Some((Instant::now().checked_add(limit)?, limit))))
    }

    pub(crate) async fn keep<T>(
        self,
        work: impl Future<Output = Result<T, CallError>>,
    ) -> Result<T, CallError> {
        match self.0 {
            None => work.await,
            Some((end, limit)) => {
                timeout_at(end, work).await.unwrap_or(Err(CallError::Timeout(limit)))
            }
        }
    }
}
