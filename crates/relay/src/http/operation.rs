//! What an operation is to the server: a request that was read and authenticated, and its answer.

use std::sync::Arc;

use assent_relay_api::Operation;

use super::{Caller, Refusal};
use crate::state::Relay;

/// An operation that this relay serves.
pub(crate) trait Serve: Operation + Sized {
    /// Serves one call.
    fn serve(
        relay: &Arc<Relay>,
        call: Call<Self>,
    ) -> impl Future<Output = Result<Answer<Self>, Refusal>> + Send;
}

/// A request, read and authenticated.
pub(crate) struct Call<O: Operation> {
    pub(crate) caller: Caller,
    pub(crate) path: O::Path,
    pub(crate) query: O::Query,
    pub(crate) body: O::Body,
    pub(crate) headers: http::HeaderMap,
    /// From where it came, for limits per address.
    pub(crate) peer: std::net::IpAddr,
}

/// What goes back.
pub(crate) struct Answer<O: Operation> {
    pub(crate) reply: O::Reply,
    /// Another status than the operation's usual one.
    pub(crate) status: Option<http::StatusCode>,
    pub(crate) headers: http::HeaderMap,
}

/// Whether something is new, or the same request came again.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Outcome {
    Stored,
    StoredBefore,
}

impl<O: Operation> Answer<O> {
    /// The usual answer.
    pub(crate) fn new(reply: O::Reply) -> Self {
        Self { reply, status: None, headers: http::HeaderMap::new() }
    }

    /// The usual answer if something is new, and the same with 200 if it was there before.
    pub(crate) fn of(reply: O::Reply, outcome: Outcome) -> Self {
        let status = (outcome == Outcome::StoredBefore).then_some(http::StatusCode::OK);
        Self { status, ..Self::new(reply) }
    }
}
