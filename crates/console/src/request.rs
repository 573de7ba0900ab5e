//! Bodies of requests.

use std::time::Duration;

use assent_http::read_json;
use assent_relay_api::read::read_optional_body;
use axum::extract::{FromRequest, Request};
use serde::de::DeserializeOwned;

use crate::error::ConsoleError;

/// The most bytes of a body.
const MAX_BODY: usize = 256 * 1024;

/// How long a body may take to arrive.
const BODY_WAIT: Duration = Duration::from_secs(10);

/// The body of a request, which is JSON. No body is the same as `{}`.
pub(crate) struct Body<T>(pub(crate) T);

impl<S: Send + Sync, T: DeserializeOwned> FromRequest<S> for Body<T> {
    type Rejection = ConsoleError;

    async fn from_request(request: Request, _: &S) -> Result<Self, ConsoleError> {
        let (parts, body) = request.into_parts();
        let bytes = read_json(&parts.headers, body, MAX_BODY, BODY_WAIT).await?;
        Ok(Self(read_optional_body(&bytes)?))
    }
}
