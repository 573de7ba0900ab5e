//! Turns requests into calls of operations, and their results into responses.

mod app;
mod authenticate;
mod endpoint;
mod respond;
mod routes;

pub(crate) use app::{RelayConnection, Served, server};
pub(crate) use authenticate::{admit_again, identify};
pub(crate) use respond::refused;
pub(crate) use routes::{Routes, admin_router, router};
