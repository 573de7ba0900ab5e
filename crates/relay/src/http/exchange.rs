//! One exchange: a request gets an id and is served; its response gets headers and is counted and logged.

use std::{
    convert::Infallible,
    sync::{Arc, Once},
};

use axum::{Router, body::Body, response::Response};
use http::{
    HeaderMap, HeaderName, HeaderValue, Method, Request, StatusCode, Version,
    header::{CONNECTION, CONTENT_SECURITY_POLICY, REFERRER_POLICY, X_CONTENT_TYPE_OPTIONS},
};
use hyper::body::{Body as _, Incoming};
use tokio::time::Instant;
use tower_service::Service as _;

use super::{
    Peer, head,
    origin::is_forwarded,
    request_number, respond,
    unread::{MustClose, RequestBody},
};
use crate::{
    caller::Caller,
    metrics::{Held, NO_OPERATION},
    relay::Relay,
};

/// What a handler reports about itself, as an extension of its response.
#[derive(Clone, Debug)]
pub(crate) struct Served {
    pub(crate) operation: &'static str,
    pub(crate) caller: Option<Caller>,
}

/// Responses are data: a browser must not sniff, frame, run or share them.
const GUARDS: [(HeaderName, HeaderValue); 4] = [
    (X_CONTENT_TYPE_OPTIONS, HeaderValue::from_static("nosniff")),
    (
        CONTENT_SECURITY_POLICY,
        HeaderValue::from_static("default-src 'none'; frame-ancestors 'none'"),
    ),
    (REFERRER_POLICY, HeaderValue::from_static("no-referrer")),
    (
        HeaderName::from_static("cross-origin-resource-policy"),
        HeaderValue::from_static("same-origin"),
    ),
];

/// Serves one request.
pub(super) async fn exchange(
    relay: Arc<Relay>,
    mut router: Router,
    request: Request<Incoming>,
    peer: Peer,
) -> Result<Response, Infallible> {
    let record = Record::begin(Arc::clone(&relay), &request);
    let (mut parts, body) = request.into_parts();
    let (is_http_1, must_close) = (parts.version < Version::HTTP_2, MustClose::default());
    let body = if is_http_1 && !body.is_end_stream() {
        Body::new(RequestBody::new(body, &parts.headers, must_close.clone()))
    } else {
        Body::new(body)
    };
    let mut response = match head::check(&mut parts) {
        Ok(()) => {
            warn_of_proxy(&relay, &parts.headers);
            let peer = peer.behind(&relay.settings.trusted_proxies, &parts.headers);
            parts.extensions.insert(peer);
            router.call(Request::from_parts(parts, body)).await?
        }
        Err(refusal) => {
            drop(body);
            respond::refused(refusal)
        }
    };
    let timed_out = response.status() == StatusCode::REQUEST_TIMEOUT;
    if is_http_1 && (must_close.get() || timed_out) {
        response.headers_mut().insert(CONNECTION, HeaderValue::from_static("close"));
    }
    record.end(&mut response);
    Ok(response)
}

/// Warns once if requests come through a proxy that the settings do not mention.
fn warn_of_proxy(relay: &Relay, headers: &HeaderMap) {
    static WARN: Once = Once::new();
    if relay.settings.public_url.is_none() && is_forwarded(headers) {
        WARN.call_once(|| {
            tracing::warn!(
                "requests come through a proxy, but `public_url` is not set: limits per network address may not hold, \
                 and refresh cookies may not be `Secure`"
            );
        });
    }
}

/// What is known about a request from its first moment.
struct Record {
    relay: Arc<Relay>,
    number: HeaderValue,
    method: &'static str,
    began: Instant,
    answered: bool,
    _in_flight: Held,
}

impl Record {
    fn begin(relay: Arc<Relay>, request: &Request<Incoming>) -> Self {
        Self {
            number: request_number::of(request.headers(), &relay.minter),
            method: word(request.method()),
            began: Instant::now(),
            answered: false,
            _in_flight: relay.metrics.in_flight.hold(),
            relay,
        }
    }

    fn end(mut self, response: &mut Response) {
        self.answered = true;
        let took = self.began.elapsed();
        let served = response.extensions_mut().remove::<Served>();
        let (operation, caller) =
            served.map_or((NO_OPERATION, None), |served| (served.operation, served.caller));
        let status = response.status().as_u16();
        self.relay.metrics.answered(operation, status, took);
        tracing::info!(
            method = self.method,
            operation,
            status,
            ms = took.as_secs_f64() * 1000.0,
            request_id = self.number.to_str().unwrap_or_default(),
            caller = caller.map(|caller| caller.to_string()),
            "request"
        );
        let headers = response.headers_mut();
        for (name, value) in GUARDS {
            headers.insert(name, value);
        }
        headers.insert(request_number::HEADER, self.number.clone());
    }
}

impl Drop for Record {
    /// Whoever asked has gone.
    fn drop(&mut self) {
        if !self.answered {
            self.relay.metrics.abandoned.add(1);
        }
    }
}

/// The method as a word of ours: a stranger's word stays out of the log.
const fn word(method: &Method) -> &'static str {
    match *method {
        Method::GET => "GET",
        Method::HEAD => "HEAD",
        Method::POST => "POST",
        Method::PUT => "PUT",
        Method::PATCH => "PATCH",
        Method::DELETE => "DELETE",
        Method::OPTIONS => "OPTIONS",
        _ => "other",
    }
}
