//! HTTP upgrades.

use http::{
    HeaderMap, HeaderValue, StatusCode,
    header::{CONNECTION, UPGRADE},
};
use hyper::upgrade::Upgraded;
use hyper_util::rt::TokioIo;

use crate::{Answer, CallError, Client, Request, error::describe};

/// An upgraded connection.
pub type Stream = TokioIo<Upgraded>;

/// The outcome of an upgrade request.
pub enum Upgrade {
    /// The server switched protocols.
    Switched {
        /// The headers of the answer.
        headers: HeaderMap,
        /// The connection, which has no time limit.
        stream: Box<Stream>,
    },
    /// The server refused, with this answer.
    Answered(Box<Answer>),
}

impl Client {
    /// Requests an upgrade to another protocol, such as `websocket`.
    ///
    /// # Errors
    /// If there is no answer.
    pub async fn upgrade(
        &self,
        request: Request,
        protocol: HeaderValue,
    ) -> Result<Upgrade, CallError> {
        let mut request = request.into_http()?;
        request.headers_mut().insert(CONNECTION, HeaderValue::from_static("upgrade"));
        request.headers_mut().insert(UPGRADE, protocol);
        let mut answer = self.begin_http(request).await?;
        if answer.status() != StatusCode::SWITCHING_PROTOCOLS {
            return Ok(Upgrade::Answered(Box::new(answer)));
        }
        let upgrading = hyper::upgrade::on(&mut answer.response);
        let upgraded =
            async { upgrading.await.map_err(|error| CallError::Answer(describe(&error))) };
        let stream = answer.deadline.keep(upgraded).await?;
        let headers = std::mem::take(answer.response.headers_mut());
        Ok(Upgrade::Switched { headers, stream: Box::new(TokioIo::new(stream)) })
    }
}
