//! Responses to requests that failed.

use assent_protocol::a2h::{ApiCode, ApiError};
use axum::{body::Body, response::Response};
use http::{
    HeaderValue, StatusCode,
    header::{CACHE_CONTROL, CONTENT_TYPE, RETRY_AFTER},
};

use crate::redact::without_tokens;

/// The response for an error: its envelope with the status of its code, and `Retry-After` if it says when to try
/// again. Anything that looks like a token is left out.
#[must_use]
pub fn error_response(error: ApiError) -> Response {
    let code = error.code.known().unwrap_or(ApiCode::InternalError);
    let status = StatusCode::from_u16(code.http_status());
    error_response_with(status.unwrap_or(StatusCode::INTERNAL_SERVER_ERROR), error)
}

/// The same with another status, for a service with codes of its own.
#[must_use]
pub fn error_response_with(status: StatusCode, error: ApiError) -> Response {
    let retry_after = error.params.get("retry_after").and_then(serde_json::Value::as_u64);
    let body = serde_json::to_string(&error.envelope()).unwrap_or_default();
    let mut response = Response::new(Body::from(without_tokens(&body).into_owned()));
    *response.status_mut() = status;
    let headers = response.headers_mut();
    headers.insert(CONTENT_TYPE, HeaderValue::from_static("application/json"));
    headers.insert(CACHE_CONTROL, HeaderValue::from_static("no-store"));
    if let Some(seconds) = retry_after {
        headers.insert(RETRY_AFTER, seconds.into());
    }
    response
}

#[cfg(test)]
mod tests {
    use assent_protocol::a2h::{ApiCode, ApiError};
    use http_body_util::BodyExt as _;

    use http::StatusCode;

    use super::{error_response, error_response_with};

    #[tokio::test]
    async fn an_error_has_the_status_of_its_code_and_repeats_no_token() {
        let token = "hsk_0123456789ABCDEFGHIJ";
        let error = ApiError::new(ApiCode::RateLimited, format!("`{token}` is too fast"));
        let response = error_response(error.retry_after(7));
        assert_eq!(response.status(), 429);
        assert_eq!(response.headers()["retry-after"], "7");
        assert_eq!(response.headers()["cache-control"], "no-store");
        assert_eq!(response.headers()["content-type"], "application/json");
        let body = response.into_body().collect().await.unwrap().to_bytes();
        let body: serde_json::Value = serde_json::from_slice(&body).unwrap();
        let expected = serde_json::json!({"error": {
            "code": "RATE_LIMITED",
            "message": "`…` is too fast",
            "i18n_key": "error.rate_limited",
            "params": {"retry_after": 7},
        }});
        assert_eq!(body, expected);
    }

    #[test]
    fn a_service_may_choose_the_status() {
        let error = ApiError::new(ApiCode::BadRequest, "answered before");
        assert_eq!(error_response_with(StatusCode::CONFLICT, error).status(), 409);
    }
}
