//! Turns requests into calls of operations, and their results into responses.

mod authenticate;
mod caught;
mod connection;
mod endpoint;
mod exchange;
mod head;
mod host;
mod origin;
mod request_number;
mod respond;
mod routes;
mod unread;
mod unsaid;

pub(crate) use authenticate::{admit_again, identify};
pub(crate) use connection::serve_connection;
pub(crate) use exchange::Served;
pub(crate) use origin::Peer;
pub(crate) use respond::refused;
pub(crate) use routes::{Routes, admin_router, router};
