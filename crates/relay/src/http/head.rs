//! Checks of a request's head before it is routed.

use assent_protocol::a2h::{ApiCode, ApiError};
use http::{HeaderMap, Uri, request::Parts};

use super::host;
use crate::refusal::Refusal;

/// The most bytes of a path with its query.
const MAX_URI: usize = 8 * 1024;

/// The most bytes of all headers, names included.
const MAX_HEADERS: usize = 32 * 1024;

/// The most bytes of a head that a connection reads. More than both limits together, so that a client that exceeds one
/// of them learns which. Beyond this the response is a bare 431.
pub(super) const MAX_READ: u32 = 64 * 1024;

/// Refuses heads that are too long, and those without exactly one well-formed host.
pub(super) fn check(parts: &mut Parts) -> Result<(), Refusal> {
    if uri_bytes(&parts.uri) > MAX_URI {
        return Err(too_long(ApiCode::UriTooLong, "the address of the request", MAX_URI));
    }
    if header_bytes(&parts.headers) > MAX_HEADERS {
        return Err(too_long(ApiCode::HeadersTooLarge, "the headers of the request", MAX_HEADERS));
    }
    host::check(parts).map_err(|host::BadHost| {
        let text = "send exactly one `Host` header with a host name or address, and maybe a port";
        Refusal::new(ApiCode::BadRequest, text)
    })
}

fn uri_bytes(uri: &Uri) -> usize {
    uri.path_and_query().map_or(0, |path| path.as_str().len())
}

fn header_bytes(headers: &HeaderMap) -> usize {
    headers.iter().map(|(name, value)| name.as_str().len().saturating_add(value.len())).sum()
}

fn too_long(code: ApiCode, what: &str, limit: usize) -> Refusal {
    ApiError::new(code, format!("{what} has more than {limit} bytes"))
        .with("limit_bytes", limit)
        .into()
}
