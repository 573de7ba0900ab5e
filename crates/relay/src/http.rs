//! Turns requests into calls of operations, and their results into responses.

pub(crate) mod address_limits;
mod app;
mod authenticate;
pub(crate) mod authorization;
mod caller;
mod endpoint;
mod operation;
pub(crate) mod rate_limits;
mod refusal;
mod respond;
mod routes;

pub(crate) use app::{RelayConnection, Served, server};
pub(crate) use authenticate::{admit_again, identify};
pub(crate) use caller::Caller;
pub(crate) use operation::{Answer, Call, Outcome, Serve};
pub(crate) use refusal::Refusal;
pub(crate) use respond::refused;
pub(crate) use routes::{Routes, admin_router, router};
