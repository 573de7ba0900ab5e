//! From requests to operations and back.

mod authenticate;
mod caught;
mod connection;
mod endpoint;
mod exchange;
mod head;
mod origin;
mod request_number;
mod respond;
mod routes;
mod unsaid;

pub(crate) use authenticate::{admit_again, identify};
pub(crate) use connection::serve_connection;
pub(crate) use exchange::Served;
pub(crate) use origin::Peer;
pub(crate) use respond::refused;
pub(crate) use routes::{Routes, admin_router, router};
