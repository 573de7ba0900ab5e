//! Answers to requests.

use http::{HeaderMap, StatusCode};
use http_body_util::BodyExt;
use hyper::body::{Bytes, Incoming};

use crate::{CallError, client::Deadline, error::describe};

/// A complete answer. Redirects are not followed; they are answers as well.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Response {
    /// The status.
    pub status: StatusCode,
    /// The headers.
    pub headers: HeaderMap,
    /// The body as it was sent, without decompression.
    pub body: Body,
}

/// The body of an answer.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Body {
    /// The whole body.
    Whole(Vec<u8>),
    /// The beginning of a body that is longer than the limit.
    Cut(Vec<u8>),
}

impl Body {
    /// Returns the bytes that were read.
    #[must_use]
    pub fn bytes(&self) -> &[u8] {
        match self {
            Self::Whole(bytes) | Self::Cut(bytes) => bytes,
        }
    }
}

/// An answer whose body was not read yet. Dropping it closes the connection.
pub struct Answer {
    pub(crate) response: http::Response<Incoming>,
    pub(crate) deadline: Deadline,
}

impl Answer {
    /// The status.
    #[must_use]
    pub fn status(&self) -> StatusCode {
        self.response.status()
    }

    /// The headers.
    #[must_use]
    pub fn headers(&self) -> &HeaderMap {
        self.response.headers()
    }

    /// Reads the body within the remaining time of the call.
    ///
    /// # Errors
    /// If the body takes too long, or ends too early.
    pub async fn body(self, max_bytes: usize) -> Result<Body, CallError> {
        self.deadline.keep(read(self.response.into_body(), max_bytes)).await
    }

    /// Reads the body and returns the complete answer.
    pub(crate) async fn whole(self, max_body: usize) -> Result<Response, CallError> {
        let (head, body) = self.response.into_parts();
        let body = self.deadline.keep(read(body, max_body)).await?;
        Ok(Response { status: head.status, headers: head.headers, body })
    }
}

/// Reads the bytes of a body. Nothing beyond the limit is kept, whatever length was announced.
async fn read(mut body: Incoming, max_bytes: usize) -> Result<Body, CallError> {
    let mut bytes = Vec::new();
    while let Some(frame) = body.frame().await {
        let frame = frame.map_err(|error| CallError::Answer(describe(&error)))?;
        let Ok(data): Result<Bytes, _> = frame.into_data() else { continue };
        let room = max_bytes.saturating_sub(bytes.len());
        match data.get(..room) {
            Some(fitting) if fitting.len() < data.len() => {
                bytes.extend_from_slice(fitting);
                return Ok(Body::Cut(bytes));
            }
            Some(_) | None => bytes.extend_from_slice(&data),
        }
    }
    Ok(Body::Whole(bytes))
}
