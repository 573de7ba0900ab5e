//! What a service adds to the server.

use std::time::Duration;

use assent_ids::Minter;
use axum::response::Response;
use http::request::Parts;

use crate::{Connection, Peer, Refused};

/// The state of a service, with what differs between services. Only [`minter`](App::minter) and
/// [`connect`](App::connect) are required.
pub trait App: Send + Sync + 'static {
    /// What the service knows about a connection.
    type Connection: Send + Sync + 'static;

    /// Makes the ids of requests.
    fn minter(&self) -> &Minter;

    /// Called once for each connection, before its first request is read.
    fn connect(&self, peer: Peer) -> impl Future<Output = Self::Connection> + Send;

    /// Checks a request before it is routed. The request has exactly one well-formed `Host`, unless it is of HTTP/1.0.
    /// What is put into `head.extensions` reaches the handler.
    ///
    /// # Errors
    ///
    /// If the request is refused.
    fn check(
        &self,
        head: &mut Parts,
        connection: &Connection<Self::Connection>,
    ) -> Result<(), Refused> {
        let _ = (head, connection);
        Ok(())
    }

    /// Called when a request begins. Exactly one of [`answered`](App::answered) and [`abandoned`](App::abandoned)
    /// follows.
    fn began(&self) {}

    /// Called when the head of a response is ready; the body may still be streamed. Logs the request unless
    /// overridden.
    fn answered(&self, answered: &Answered<'_>, response: &mut Response) {
        tracing::info!(
            method = answered.method,
            status = response.status().as_u16(),
            ms = answered.took.as_secs_f64() * 1000.0,
            request_id = answered.request_id,
            "request"
        );
    }

    /// Called instead of [`answered`](App::answered) if the client goes away first.
    fn abandoned(&self) {}

    /// Called when a panic has been caught. The client gets an `INTERNAL_ERROR`.
    fn panicked(&self) {
        tracing::error!("a request panicked");
    }

    /// Called when a connection is closed because there are as many as [`Limits::connections`](crate::Limits) allows.
    fn refused(&self, peer: Peer) {
        let _ = peer;
    }
}

/// A request that has been answered.
#[derive(Clone, Copy, Debug)]
#[non_exhaustive]
pub struct Answered<'a> {
    /// The method; `other` if it is none of the usual ones, so that logs hold no text of clients.
    pub method: &'static str,
    /// The id of the request, which is in the response as well.
    pub request_id: &'a str,
    /// The time from the request's head to the response's head.
    pub took: Duration,
}
