//! Requests.

use http::{HeaderMap, HeaderName, Method, header};
use http_body_util::Full;
use hyper::body::Bytes;

use crate::{CallError, Target};

/// Headers that control the framing and routing of a message. If callers could set them, two parsers could
/// disagree about the end or the host of a request.
const NOT_THE_CALLERS: [HeaderName; 10] = [
    header::CONNECTION,
    header::CONTENT_LENGTH,
    header::EXPECT,
    header::HOST,
    header::PROXY_AUTHORIZATION,
    HeaderName::from_static("proxy-connection"),
    header::TE,
    header::TRAILER,
    header::TRANSFER_ENCODING,
    header::UPGRADE,
];

/// A request.
#[derive(Clone)]
pub struct Request {
    /// The method.
    pub method: Method,
    /// The target.
    pub target: Target,
    /// The headers, without those for framing and routing.
    pub headers: HeaderMap,
    /// The body.
    pub body: Bytes,
}

impl Request {
    /// Creates a POST request.
    #[must_use]
    pub fn post(target: Target, headers: HeaderMap, body: impl Into<Bytes>) -> Self {
        Self { method: Method::POST, target, headers, body: body.into() }
    }

    pub(crate) fn into_http(self) -> Result<http::Request<Full<Bytes>>, CallError> {
        if self.method == Method::CONNECT {
            return Err(CallError::Method(self.method));
        }
        if let Some(name) = NOT_THE_CALLERS.iter().find(|name| self.headers.contains_key(*name)) {
            return Err(CallError::Header(name.clone()));
        }
        let mut request = http::Request::new(Full::new(self.body));
        *request.method_mut() = self.method;
        *request.uri_mut() = self.target.uri().clone();
        *request.headers_mut() = self.headers;
        Ok(request)
    }
}
