//! What HTTP services share: limits, checks before routing, caught panics, errors, graceful shutdown.
//!
//! A service implements [`App`] for its state and makes an axum router. A [`Server`] serves both on a [`Listener`]:
//!
//! - Every request has a [`Connection`] among its extensions, and every response has an `x-request-id`.
//! - Heads that are too long and requests without exactly one well-formed `Host` are refused. Then [`App::check`] looks
//!   at the request, for example with [`AllowedHosts`], [`AllowedOrigins`] and [`check_fetch_site`]. All of that
//!   happens before routing.
//! - A handler that panics or takes too long ends its own request only. The time limit covers the response's head:
//!   a body may be streamed for any time.
//! - When the server stops, connections end after the requests that are being served. A handler that streams must
//!   end its stream itself.
//!
//! ```
//! use std::{sync::Arc, time::Duration};
//!
//! use assent_http::{AllowedHosts, App, Connection, Limits, Peer, Refused, Server};
//! use assent_ids::{Minter, SystemClock, SystemEntropy};
//! use axum::{Router, routing::get};
//! use http::{HeaderValue, header::CONTENT_SECURITY_POLICY, request::Parts};
//! use tokio::net::TcpListener;
//! use tokio_util::{sync::CancellationToken, task::TaskTracker};
//!
//! struct Console {
//!     minter: Minter,
//!     hosts: AllowedHosts,
//! }
//!
//! impl App for Console {
//!     type Connection = ();
//!
//!     fn minter(&self) -> &Minter {
//!         &self.minter
//!     }
//!
//!     async fn connect(&self, _: Peer) {}
//!
//!     fn check(&self, head: &mut Parts, _: &Connection<()>) -> Result<(), Refused> {
//!         self.hosts.check(&head.headers)
//!     }
//! }
//!
//! # #[tokio::main(flavor = "current_thread")]
//! # async fn main() -> Result<(), Box<dyn std::error::Error>> {
//! let listener = TcpListener::bind("127.0.0.1:0").await?;
//! let console = Console {
//!     minter: Minter::new(Arc::new(SystemClock), Arc::new(SystemEntropy::new()?)),
//!     hosts: AllowedHosts::new([listener.local_addr()?.to_string()]),
//! };
//! let router = Router::new().route("/", get(|| async { "hello" }));
//! let (tasks, stopping) = (TaskTracker::new(), CancellationToken::new());
//! let server = Server::new(Arc::new(console), router, Limits::default(), tasks.clone(), stopping.clone())
//!     .with_header(CONTENT_SECURITY_POLICY, HeaderValue::from_static("default-src 'none'"));
//! tasks.spawn(server.serve(listener));
//!
//! // At the end:
//! stopping.cancel();
//! tasks.close();
//! tokio::time::timeout(Duration::from_secs(8), tasks.wait()).await?;
//! # Ok(())
//! # }
//! ```

mod app;
mod bearer;
mod body;
mod connection;
mod error;
mod exchange;
mod forwarded;
mod guard;
mod head;
mod host;
mod limits;
mod listener;
mod panics;
mod peer;
mod redact;
mod request_id;
mod serve_connection;
mod server;
#[cfg(unix)]
mod unix_socket;
mod unread;

#[cfg(unix)]
pub use self::unix_socket::UnixSocket;
pub use self::{
    app::{Answered, App},
    bearer::bearer,
    body::{is_json, read_json},
    connection::Connection,
    error::{error_response, error_response_with},
    forwarded::{client_address, is_forwarded},
    guard::{AllowedHosts, AllowedOrigins, Refused, Target, check_fetch_site},
    limits::Limits,
    listener::Listener,
    panics::{Panicked, catch_panic},
    peer::Peer,
    redact::TOKEN_PREFIXES,
    server::Server,
};
