//! Sends requests.

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
    error::{causes, told},
    limits::MAX_HEAD_BYTES,
};

/// How long a connection is kept that nobody uses.
const IDLE: Duration = Duration::from_secs(60);

/// How a client behaves.
#[derive(Clone)]
pub struct ClientOptions {
    /// Whose certificates are trusted.
    pub roots: Roots,
    /// How far calls may go.
    pub reach: Reach,
    /// What a call may cost.
    pub limits: Limits,
    /// What becomes of connections.
    pub reuse: Reuse,
    /// Who looks names up.
    pub resolver: Arc<dyn Resolve>,
}

impl ClientOptions {
    /// For addresses of strangers, with these exceptions.
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

    /// For addresses that the owner of this machine wrote down. He gives up on calls by himself.
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

/// Sends requests over HTTP/1.1. Cloning it is cheap and shares its connections.
#[derive(Clone)]
pub struct Client {
    http: legacy::Client<Connector, Full<Bytes>>,
    dialer: Dialer,
    limits: Limits,
}

impl Client {
    /// A client that behaves like this. The certificates of the system are read from disk.
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

    /// Sends a request and reads the whole answer, of its body as much as [`Limits::body`] says.
    ///
    /// Dropping the call closes its connection.
    ///
    /// # Errors
    /// If there is no answer. A status that reports a failure is an answer.
    pub async fn send(&self, request: Request) -> Result<Response, CallError> {
        self.begin(request).await?.whole(self.limits.body).await
    }

    /// Sends a request and reads the head of the answer, for whoever wants to look at it first.
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

    /// Looks a target up and judges where it leads right now, without connecting to it. Whoever registers
    /// an address hears of a bad one at once; every call judges again.
    ///
    /// # Errors
    /// If it may not be called, has no address, or looking it up takes too long.
    pub async fn vet(&self, target: &Target) -> Result<(), CallError> {
        let limit = self.limits.connect;
        let looked_up = tokio::time::timeout(limit, self.dialer.addresses(target.origin())).await;
        looked_up.map_err(|_| CallError::ConnectTimeout(limit))?.map(drop)
    }
}

/// While a head is read, its length is bounded by a buffer, give or take a read; here it is exact.
fn check_head(headers: &HeaderMap) -> Result<(), CallError> {
    let separators = ": \r\n".len();
    let lengths =
        headers.iter().map(|(name, value)| name.as_str().len() + value.len() + separators);
    match lengths.sum::<usize>() {
        ..=MAX_HEAD_BYTES => Ok(()),
        _ => Err(CallError::Answer(format!("its head is longer than {MAX_HEAD_BYTES} bytes"))),
    }
}

/// What our connector said, or else what is wrong with the conversation.
fn failure(error: &legacy::Error) -> CallError {
    let ours = causes(error).find_map(|cause| cause.downcast_ref::<CallError>());
    ours.cloned().unwrap_or_else(|| CallError::Answer(told(error)))
}

/// The moment at which a call is given up, if there is one.
#[derive(Clone, Copy)]
pub(crate) struct Deadline(Option<(Instant, Duration)>);

impl Deadline {
    fn within(limit: Option<Duration>) -> Self {
        // A time beyond what a clock can show does not come.
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
