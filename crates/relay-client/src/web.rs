//! The way over the network: HTTP/1.1, TLS, connections that are kept.

use std::fmt;

use assent_outbound::{
    Body, Client, ClientOptions as Options, Limits, Reach, Request, Target, Upgrade,
};
use http::{HeaderMap, HeaderValue, Method};
use http_body_util::{BodyExt, Full};
use hyper::body::Bytes;

use crate::{BaseUrl, ClientError, ClientOptions, transport::Received};

/// The way to one relay.
pub(crate) struct Web {
    base: BaseUrl,
    client: Client,
    max_answer_bytes: usize,
}

impl Web {
    pub(crate) fn new(base: BaseUrl, options: &ClientOptions) -> Result<Self, ClientError> {
        let max_answer_bytes = options.max_answer_bytes;
        let limits = Limits {
            call: Some(options.call_timeout),
            body: max_answer_bytes,
            ..Limits::default()
        };
        let options = Options { roots: options.roots.clone(), limits, ..Options::for_the_owner() };
        Ok(Self { base, client: Client::new(options)?, max_answer_bytes })
    }

    pub(crate) async fn send(
        &self,
        target: &str,
        request: http::Request<Full<Bytes>>,
    ) -> Result<Received, ClientError> {
        let target = self.target(target)?;
        let (head, body) = request.into_parts();
        let Ok(body) = body.collect().await;
        let request =
            Request { method: head.method, target, headers: head.headers, body: body.to_bytes() };
        let response = self.client.send(request).await.map_err(ClientError::Unreachable)?;
        match response.body {
            Body::Whole(body) => {
                Ok(Received { status: response.status, headers: response.headers, body })
            }
            Body::Cut(_) => Err(ClientError::TooLarge(self.max_answer_bytes)),
        }
    }
}

impl Web {
    /// Asks for another protocol on a connection of its own.
    pub(crate) async fn upgrade(
        &self,
        target: &str,
        headers: HeaderMap,
        protocol: HeaderValue,
    ) -> Result<Upgrade, ClientError> {
        let target = self.target(target)?;
        let request = Request { method: Method::GET, target, headers, body: Bytes::new() };
        self.client.upgrade(request, protocol).await.map_err(ClientError::Unreachable)
    }

    /// The owner of this client wrote the address down, and `BaseUrl` has checked it.
    fn target(&self, target: &str) -> Result<Target, ClientError> {
        Target::parse(&self.base.join(target), &Reach::Anywhere)
            .map_err(|error| ClientError::Unreachable(error.into()))
    }
}

impl fmt::Debug for Web {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Web").field("base", &self.base).finish_non_exhaustive()
    }
}
