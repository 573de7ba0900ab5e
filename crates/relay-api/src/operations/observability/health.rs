//! `GET /health`

use http::Method;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::{Access, Operation, Reply, Tag};

/// Tells that the process is alive.
#[derive(Clone, Copy, Debug)]
pub struct Health;

impl Operation for Health {
    const ID: &'static str = "health";
    const METHOD: Method = Method::GET;
    const PATH: &'static str = "/health";
    const ACCESS: Access = Access::PUBLIC;
    const TAG: Tag = Tag::Operations;
    const SUMMARY: &'static str = "Is the process alive?";
    const IDEMPOTENT: bool = true;

    type Path = ();
    type Query = ();
    type Body = ();
    type Reply = HealthStatus;
}

/// That the process is alive.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct HealthStatus {
    /// `ok`.
    pub status: String,
    /// The version of the server.
    pub version: String,
}

impl Reply for HealthStatus {}
