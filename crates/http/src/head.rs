//! Checks of a request's head before it is routed.

use assent_protocol::a2h::{ApiCode, ApiError};
use http::{HeaderMap, Uri, request::Parts};

use crate::{Limits, host};

/// How many bytes of a head are read beyond its limits, so that a client that exceeds one of them learns which.
const BEYOND: usize = 24 * 1024;

/// The most bytes of a head that a connection reads. Beyond this the response is a bare 431.
pub(crate) fn max_read(limits: &Limits) -> u32 {
    let bytes = limits.uri.saturating_add(limits.headers).saturating_add(BEYOND);
    u32::try_from(bytes).unwrap_or(u32::MAX)
}

/// Refuses heads that are too long, and those without exactly one well-formed host.
pub(crate) fn check(parts: &mut Parts, limits: &Limits) -> Result<(), ApiError> {
    if uri_bytes(&parts.uri) > limits.uri {
        return Err(too_long(ApiCode::UriTooLong, "the address of the request", limits.uri));
    }
    if header_bytes(&parts.headers) > limits.headers {
        let what = "the headers of the request";
        return Err(too_long(ApiCode::HeadersTooLarge, what, limits.headers));
    }
    host::check(parts).map_err(|host::BadHost| {
        let text = "send exactly one `Host` header with a host name or address, and maybe a port";
        ApiError::new(ApiCode::BadRequest, text)
    })
}

fn uri_bytes(uri: &Uri) -> usize {
    uri.path_and_query().map_or(0, |path| path.as_str().len())
}

fn header_bytes(headers: &HeaderMap) -> usize {
    headers.iter().map(|(name, value)| name.as_str().len().saturating_add(value.len())).sum()
}

fn too_long(code: ApiCode, what: &str, limit: usize) -> ApiError {
    ApiError::new(code, format!("{what} has more than {limit} bytes")).with("limit_bytes", limit)
}
