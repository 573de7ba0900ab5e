//! Bodies of requests that are JSON.

use std::time::Duration;

use assent_protocol::a2h::{ApiCode, ApiError};
use axum::body::Body;
use bytes::Bytes;
use http::{HeaderMap, header::CONTENT_TYPE};
use http_body_util::{BodyExt as _, LengthLimitError, Limited};
use hyper::body::Body as _;
use tokio::time::timeout;

/// Reads a body of at most `limit` bytes that is declared as JSON and arrives within `patience`. An empty body needs
/// no declaration.
///
/// # Errors
///
/// With what the client is to be sent.
pub async fn read_json(
    headers: &HeaderMap,
    body: Body,
    limit: usize,
    patience: Duration,
) -> Result<Bytes, ApiError> {
    // A declared length is refused before the body is sent.
    if body.size_hint().lower() > u64::try_from(limit).unwrap_or(u64::MAX) {
        return Err(too_large(limit));
    }
    let collected = timeout(patience, Limited::new(body, limit).collect()).await;
    let collected = collected.map_err(|_| {
        let text = format!("the body did not arrive within {} s", patience.as_secs());
        ApiError::new(ApiCode::RequestTimeout, text)
    })?;
    let bytes = collected.map_err(|error| unread(&*error, limit))?.to_bytes();
    if !bytes.is_empty() && !is_json(headers) {
        let text = "the body must be JSON: send `Content-Type: application/json`";
        return Err(ApiError::new(ApiCode::UnsupportedMediaType, text));
    }
    Ok(bytes)
}

/// Returns `true` if the headers declare a body of JSON.
#[must_use]
pub fn is_json(headers: &HeaderMap) -> bool {
    let value = headers.get(CONTENT_TYPE).and_then(|value| value.to_str().ok());
    let essence = value.unwrap_or_default().split(';').next().unwrap_or_default().trim();
    essence.eq_ignore_ascii_case("application/json")
}

fn unread(error: &(dyn std::error::Error + Send + Sync + 'static), limit: usize) -> ApiError {
    if error.downcast_ref::<LengthLimitError>().is_some() {
        return too_large(limit);
    }
    ApiError::new(ApiCode::BadRequest, "the body ended before it was complete")
}

fn too_large(limit: usize) -> ApiError {
    let text = format!("the body has more than {limit} bytes");
    ApiError::new(ApiCode::PayloadTooLarge, text).with("limit_bytes", limit)
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use assent_protocol::a2h::ApiCode;
    use axum::body::Body;
    use futures_util::stream::{self, StreamExt as _};
    use http::{HeaderMap, HeaderValue, header::CONTENT_TYPE};

    use super::read_json;

    async fn read(
        media_type: Option<&'static str>,
        body: Body,
        limit: usize,
    ) -> Result<usize, ApiCode> {
        let mut headers = HeaderMap::new();
        if let Some(media_type) = media_type {
            headers.insert(CONTENT_TYPE, HeaderValue::from_static(media_type));
        }
        let read = read_json(&headers, body, limit, Duration::from_millis(50)).await;
        read.map(|bytes| bytes.len()).map_err(|error| error.code.known().unwrap())
    }

    fn streamed(chunks: &'static [&'static str]) -> Body {
        Body::from_stream(stream::iter(chunks).map(|chunk| Ok::<_, std::io::Error>(*chunk)))
    }

    #[tokio::test]
    async fn a_body_has_as_many_bytes_as_allowed_and_not_one_more() {
        let json = Some("application/json");
        for body in [|| Body::from("1234"), || streamed(&["12", "34"])] {
            assert_eq!(read(json, body(), 4).await, Ok(4));
            assert_eq!(read(json, body(), 3).await, Err(ApiCode::PayloadTooLarge));
        }
    }

    #[tokio::test]
    async fn a_body_is_declared_as_json_unless_it_is_empty() {
        for good in ["application/json", "Application/JSON; charset=utf-8"] {
            assert_eq!(read(Some(good), Body::from("{}"), 9).await, Ok(2), "{good}");
        }
        for bad in [None, Some("text/plain"), Some("application/jsonx"), Some("")] {
            let unsupported = Err(ApiCode::UnsupportedMediaType);
            assert_eq!(read(bad, Body::from("{}"), 9).await, unsupported, "{bad:?}");
            assert_eq!(read(bad, Body::empty(), 9).await, Ok(0), "{bad:?}");
        }
    }

    #[tokio::test]
    async fn a_body_that_stops_arriving_is_given_up() {
        let endless = Body::from_stream(stream::pending::<Result<&str, std::io::Error>>());
        assert_eq!(read(None, endless, 9).await, Err(ApiCode::RequestTimeout));
        let broken = stream::iter([Ok("1"), Err(std::io::Error::other("reset"))]);
        assert_eq!(read(None, Body::from_stream(broken), 9).await, Err(ApiCode::BadRequest));
    }
}
