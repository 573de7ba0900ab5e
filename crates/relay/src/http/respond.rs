//! Responses.

use assent_http::error_response;
use assent_protocol::a2h::ApiCode;
use assent_relay_api::{Operation, Reply as _};
use axum::{body::Body, response::Response};
use http::{
    HeaderValue, StatusCode,
    header::{CACHE_CONTROL, CONTENT_TYPE},
};

use crate::http::{Answer, Refusal};

/// What was asked for.
pub(super) fn answered<O: Operation>(answer: Answer<O>) -> Result<Response, Refusal> {
    let failed = |_| Refusal::new(ApiCode::InternalError, "the answer could not be written");
    let body = answer.reply.write().map_err(failed)?;
    let usual = StatusCode::from_u16(O::SUCCESS).unwrap_or(StatusCode::OK);
    let mut response = Response::new(Body::from(body));
    *response.status_mut() = answer.status.unwrap_or(usual);
    *response.headers_mut() = answer.headers;
    if let Some(media_type) = <O::Reply as assent_relay_api::Reply>::SHAPE.media_type() {
        response.headers_mut().insert(CONTENT_TYPE, HeaderValue::from_static(media_type));
    }
    // Answers are for the caller, and some hold secrets.
    response.headers_mut().insert(CACHE_CONTROL, HeaderValue::from_static("no-store"));
    Ok(response)
}

/// Why it is not given.
pub(crate) fn refused(refusal: Refusal) -> Response {
    error_response(refusal.into_error())
}
