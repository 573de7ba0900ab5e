//! What the relay adds to the HTTP server.

use std::{
    net::IpAddr,
    sync::{Arc, Once},
};

use assent_http::{
    Answered, App, Connection, Limits, Peer, Refused, Server, client_address, is_forwarded,
};
use assent_ids::Minter;
use axum::{Router, response::Response};
use http::{
    HeaderMap, HeaderName, HeaderValue,
    header::{CONTENT_SECURITY_POLICY, REFERRER_POLICY, X_CONTENT_TYPE_OPTIONS},
    request::Parts,
};

use crate::{
    http::Caller,
    observability::metrics::{GaugeGuard, NO_OPERATION},
    state::Relay,
};

/// Responses are data: a browser must not sniff, frame, run or share them.
const HEADERS: [(HeaderName, HeaderValue); 4] = [
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

/// A connection, which is counted in the metrics until its last clone is dropped.
pub(crate) type RelayConnection = Connection<GaugeGuard>;

/// What a handler reports about itself, as an extension of its response.
#[derive(Clone, Debug)]
pub(crate) struct Served {
    pub(crate) operation: &'static str,
    pub(crate) caller: Option<Caller>,
}

/// The address of the client, as an extension of a request.
#[derive(Clone, Copy, Debug)]
pub(super) struct ClientAddress(pub(super) IpAddr);

/// A server of `router` with at most `connections` simultaneous connections.
pub(crate) fn server(relay: Arc<Relay>, router: Router, connections: usize) -> Server<Relay> {
    let mut limits = Limits::default();
    limits.connections = connections;
    // Operations have limits of their own.
    limits.response = std::time::Duration::MAX;
    let (tasks, stopping) = (relay.tasks.clone(), relay.stopping.clone());
    let server = Server::new(relay, router, limits, tasks, stopping);
    HEADERS.into_iter().fold(server, |server, (name, value)| server.with_header(name, value))
}

impl App for Relay {
    type Connection = GaugeGuard;

    fn minter(&self) -> &Minter {
        &self.minter
    }

    async fn connect(&self, _: Peer) -> GaugeGuard {
        self.metrics.connections.hold()
    }

    fn check(&self, head: &mut Parts, connection: &RelayConnection) -> Result<(), Refused> {
        warn_of_proxy(self, &head.headers);
        let peer = connection.peer().ip();
        let address = client_address(peer, &self.settings.trusted_proxies, &head.headers);
        head.extensions.insert(ClientAddress(address));
        Ok(())
    }

    fn began(&self) {
        self.metrics.in_flight.add(1);
    }

    fn answered(&self, answered: &Answered<'_>, response: &mut Response) {
        self.metrics.in_flight.add(-1);
        let served = response.extensions_mut().remove::<Served>();
        let (operation, caller) =
            served.map_or((NO_OPERATION, None), |served| (served.operation, served.caller));
        let status = response.status().as_u16();
        self.metrics.answered(operation, status, answered.took);
        tracing::info!(
            method = answered.method,
            operation,
            status,
            ms = answered.took.as_secs_f64() * 1000.0,
            request_id = answered.request_id,
            caller = caller.map(|caller| caller.to_string()),
            "request"
        );
    }

    fn abandoned(&self) {
        self.metrics.in_flight.add(-1);
        self.metrics.abandoned.add(1);
    }

    fn panicked(&self) {
        self.metrics.panics.add(1);
        tracing::error!("a request panicked");
    }

    fn refused(&self, peer: Peer) {
        if matches!(peer, Peer::Tcp(_)) {
            self.metrics.connections_refused.add(1);
        }
    }
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

#[cfg(test)]
mod tests {
    use assent_http::TOKEN_PREFIXES;

    use crate::accounts::secrets::{AGENT_PREFIX, REFRESH_PREFIX};

    #[test]
    fn errors_repeat_no_token_of_the_relay() {
        for prefix in [AGENT_PREFIX, REFRESH_PREFIX] {
            assert!(TOKEN_PREFIXES.contains(&prefix), "{prefix}");
        }
    }
}
