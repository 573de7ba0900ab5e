//! From requests to operations and back.

mod authenticate;
mod endpoint;
mod respond;
mod routes;

pub(crate) use routes::router;

/// From where a connection comes.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Peer(pub(crate) std::net::IpAddr);
