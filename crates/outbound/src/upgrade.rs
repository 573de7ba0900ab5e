//! From HTTP to another protocol on the same connection.

use http::{
    HeaderMap, HeaderValue, StatusCode,
    header::{CONNECTION, UPGRADE},
};
use hyper::upgrade::Upgraded;
use hyper_util::rt::TokioIo;

use crate::{Answer, CallError, Client, Request, error::told};

/// A connection on which both sides may say what they want.
pub type Stream = TokioIo<Upgraded>;

/// What became of the wish to speak another protocol.
pub enum Upgrade {
    /// It is spoken from now on.
    Switched {
        /// What the other side said to it.
        headers: HeaderMap,
        /// The connection. The time of the call is not counted any more.
        stream: Box<Stream>,
    },
    /// It is not; this is the answer.
    Answered(Box<Answer>),
}

impl Client {
    /// Sends a request to go on in another protocol, such as `websocket`.
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
        let upgraded = async { upgrading.await.map_err(|error| CallError::Answer(told(&error))) };
        let stream = answer.deadline.keep(upgraded).await?;
        let headers = std::mem::take(answer.response.headers_mut());
        Ok(Upgrade::Switched { headers, stream: Box::new(TokioIo::new(stream)) })
    }
}
