//! The ways to a relay.

use http::{HeaderMap, StatusCode};
use http_body_util::Full;
use hyper::body::Bytes;

use crate::{ClientError, Refusal, admin_socket::AdminSocket, web::Web};

/// A way to a relay.
#[derive(Debug)]
pub(crate) enum Transport {
    /// Over the network.
    Web(Box<Web>),
    /// Over the local admin socket.
    Admin(AdminSocket),
}

/// What came back.
#[derive(Clone, Debug)]
pub(crate) struct Received {
    pub(crate) status: StatusCode,
    pub(crate) headers: HeaderMap,
    pub(crate) body: Vec<u8>,
}

impl Transport {
    pub(crate) async fn send(
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
    pub(crate) fn checked(self) -> Result<Self, ClientError> {
        if self.status.is_success() {
            return Ok(self);
        }
        Err(ClientError::Refused(Box::new(Refusal::read(self.status, &self.headers, &self.body))))
    }
}
