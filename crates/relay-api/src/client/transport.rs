//! The ways to a relay.

use http::{HeaderMap, StatusCode};
use http_body_util::Full;
use hyper::body::Bytes;

use super::{AdminSocket, ClientError, Refusal, Web};

/// A way to a relay.
#[derive(Debug)]
pub(super) enum Transport {
    /// Over the network.
    Web(Box<Web>),
    /// Over the local admin socket.
    Admin(AdminSocket),
}

/// What came back.
#[derive(Clone, Debug)]
pub(super) struct Received {
    pub(super) status: StatusCode,
    pub(super) headers: HeaderMap,
    pub(super) body: Vec<u8>,
}

impl Transport {
    pub(super) async fn send(
        &self,
        target: &str,
        request: http::Request<Full<Bytes>>,
    ) -> Result<Received, ClientError> {
        match self {
            Self::Web(web) => web.send(target, request).await,
            Self::Admin(socket) => socket.send(target, request).await,
        }
    }
}

impl Received {
    /// The answer, if it is one of success.
    pub(super) fn checked(self) -> Result<Self, ClientError> {
        if self.status.is_success() {
            return Ok(self);
        }
        Err(ClientError::Refused(Box::new(Refusal::read(self.status, &self.headers, &self.body))))
    }
}
