//! Bodies and queries of requests.

use std::time::Duration;

use assent_http::read_json;
use assent_relay_api::read::{read_optional_body, read_query};
use axum::extract::{FromRequest, FromRequestParts, Request};
use http::request::Parts;
use serde::de::DeserializeOwned;

use crate::error::ConsoleError;

/// The most bytes of a body, unless a route says otherwise.
const MAX_BODY: usize = 256 * 1024;

/// How long a body may take to arrive.
const BODY_WAIT: Duration = Duration::from_secs(10);

/// The body of a request, which is JSON. No body is the same as `{}`.
pub(crate) struct Body<T, const MAX: usize = MAX_BODY>(pub(crate) T);

impl<S: Send + Sync, T: DeserializeOwned, const MAX: usize> FromRequest<S> for Body<T, MAX> {
    type Rejection = ConsoleError;

    async fn from_request(request: Request, _: &S) -> Result<Self, ConsoleError> {
        let (parts, body) = request.into_parts();
        let bytes = read_json(&parts.headers, body, MAX, BODY_WAIT).await?;
        Ok(Self(read_optional_body(&bytes)?))
    }
}

/// The query of a request.
pub(crate) struct Query<T>(pub(crate) T);

impl<S: Send + Sync, T: DeserializeOwned> FromRequestParts<S> for Query<T> {
    type Rejection = ConsoleError;

    async fn from_request_parts(parts: &mut Parts, _: &S) -> Result<Self, ConsoleError> {
        Ok(Self(read_query(parts.uri.query().unwrap_or_default())?))
    }
}
