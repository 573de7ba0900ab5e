//! Checks of requests before they are routed.

use std::{net::SocketAddr, sync::Arc};

use assent_http::{
    AllowedHosts, AllowedOrigins, App, Connection, Peer, Refused, Target, bearer, check_fetch_site,
    is_json,
};
use assent_ids::{Clock as _, Minter};
use assent_protocol::a2h::{ApiCode, ApiError};
use http::{Method, request::Parts};

use crate::{routes::API, sessions::TokenError, socket_owner, state::ConsoleState};

/// The route that begins a session. It is the only one of the interface that needs none.
const SESSION: &str = "/api/v1/session";

/// The console for browsers.
pub(crate) struct Browsers {
    state: Arc<ConsoleState>,
    address: SocketAddr,
    hosts: AllowedHosts,
    origins: AllowedOrigins,
    checks_owner: bool,
}

/// The Unix socket for commands. Its peers run as the same user.
pub(crate) struct Commands(pub(crate) Arc<ConsoleState>);

/// Whether a connection belongs to the user that this process runs as.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct IsOwn(bool);

impl Browsers {
    pub(crate) fn new(state: Arc<ConsoleState>, address: SocketAddr) -> Self {
        let port = address.port();
        let hosts = ["127.0.0.1", "localhost", "[::1]"].map(|host| format!("{host}:{port}"));
        let checks_owner = socket_owner::is_known();
        if !checks_owner {
            tracing::warn!(
                "the owner of a connection cannot be read here: any local user who sees a console link can use it"
            );
        }
        let origins = AllowedOrigins::default();
        Self { state, address, hosts: AllowedHosts::new(hosts), origins, checks_owner }
    }

    fn is_own(&self, peer: Peer) -> bool {
        let Peer::Tcp(client) = peer else { return false };
        if !self.checks_owner {
            return true;
        }
        let own = rustix::process::geteuid().as_raw();
        match socket_owner::owner(client, self.address) {
            Ok(owner) => owner == Some(own),
            Err(error) => {
                tracing::warn!(%error, "the owner of a connection cannot be read");
                false
            }
        }
    }

    fn check_session(&self, head: &Parts) -> Result<(), Refused> {
        let now = self.state.clock.now();
        let token = bearer(&head.headers).unwrap_or_default();
        self.state.sessions.check(token, now).map_err(|error| token_error(error).into())
    }
}

/// The error for a token that is refused.
pub(crate) fn token_error(error: TokenError) -> ApiError {
    match error {
        TokenError::Wrong => {
            let text = "the session or link is not valid; run `assent device open` for a new link";
            ApiError::new(ApiCode::Unauthenticated, text)
        }
        TokenError::TooMany(seconds) => {
            let text = "there were too many wrong tokens; wait, then use a new link";
            ApiError::new(ApiCode::RateLimited, text).retry_after(seconds)
        }
    }
}

impl App for Browsers {
    type Connection = IsOwn;

    fn minter(&self) -> &Minter {
        &self.state.minter
    }

    async fn connect(&self, peer: Peer) -> IsOwn {
        IsOwn(self.is_own(peer))
    }

    fn check(&self, head: &mut Parts, connection: &Connection<IsOwn>) -> Result<(), Refused> {
        self.hosts.check(&head.headers)?;
        self.origins.check(&head.headers)?;
        let is_api = head.uri.path().starts_with(API);
        check_fetch_site(&head.headers, if is_api { Target::Api } else { Target::Page })?;
        if *connection.state() != IsOwn(true) {
            return Err(Refused::Forbidden);
        }
        check_method(head)?;
        if is_api && head.uri.path() != SESSION { self.check_session(head) } else { Ok(()) }
    }
}

impl App for Commands {
    type Connection = ();

    fn minter(&self) -> &Minter {
        &self.0.minter
    }

    async fn connect(&self, _: Peer) {}

    fn check(&self, head: &mut Parts, _: &Connection<()>) -> Result<(), Refused> {
        check_method(head)
    }
}

/// Requests with effects must be declared as JSON, which a form of another page cannot do.
fn check_method(head: &Parts) -> Result<(), Refused> {
    match head.method {
        Method::GET | Method::HEAD => Ok(()),
        Method::POST | Method::PUT | Method::PATCH | Method::DELETE => {
            if is_json(&head.headers) {
                return Ok(());
            }
            let text = "send `Content-Type: application/json`";
            Err(ApiError::new(ApiCode::UnsupportedMediaType, text).into())
        }
        _ => {
            let text = "this method is not supported";
            Err(ApiError::new(ApiCode::MethodNotAllowed, text).into())
        }
    }
}
