//! Heads of requests that are longer than anybody needs.

use assent_protocol::a2h::{ApiCode, ApiError};
use http::{HeaderMap, Uri, request::Parts};

use crate::refusal::Refusal;

/// The most bytes of a path with its query.
const MAX_URI: usize = 8 * 1024;

/// The most bytes of all headers, names included.
const MAX_HEADERS: usize = 32 * 1024;

/// What the connection reads of a head. More than the two limits together, so that who exceeds one of
/// them is told which; who exceeds this as well gets a bare 431.
pub(super) const MAX_READ: u32 = 64 * 1024;

/// Whether the head is one that is looked at.
pub(super) fn check(parts: &Parts) -> Result<(), Refusal> {
    if uri_bytes(&parts.uri) > MAX_URI {
        return Err(too_long(ApiCode::UriTooLong, "the address of the request", MAX_URI));
    }
    if header_bytes(&parts.headers) > MAX_HEADERS {
        return Err(too_long(ApiCode::HeadersTooLarge, "the headers of the request", MAX_HEADERS));
    }
    Ok(())
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
