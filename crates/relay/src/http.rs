//! From requests to operations and back.

mod authenticate;
mod endpoint;
mod respond;
mod routes;

pub(crate) use authenticate::{MANIFEST_WRITE, identify};
pub(crate) use respond::refused;
pub(crate) use routes::{Routes, router};

/// From where a connection comes.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Peer(pub(crate) std::net::IpAddr);
